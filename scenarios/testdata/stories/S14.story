S14: --protocol first

The operator asks for the state of a mirrored partition all the time: before it begins, while its source cannot be reached,
when it mirrors, paused, and when it is stopped.
The rule: each answer has what is desired, what is so, the reason, the attempts and the lag. The lag is unknown as long as
the source was not heard in the present leader epoch; it is never shown as 0 because nobody knows better.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. fault cut A>B for 15s at-point state.stored

3. start t in m
4. until state B/t-0=PREPARING
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  a0      link to b0 … b-log (4) is cut
            a1      link to b0 … b-log (4) is cut
            a-log   link to b0 … b-log (4) is cut
            a-c0    link to b0 … b-log (4) is cut

5. describe B/t-0 in m
6. until state B/t-0=FAILED
            b-admin t-0 described: desired mirroring, PREPARING, lag unknown, last mirrored epoch -1
     10.2s  b0      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1

7. describe B/t-0 in m
8. until state B/t-0=MIRRORING
9. until lag B/t-0=0
10. until quiet
            b-admin t-0 described: desired mirroring, FAILED (no broker of the source answers), attempts 1, lag unknown, last mirrored epoch -1
     11.2s  b0      t-0 state PREPARING stored by coordinator, FAILED before
     15.2s  a0      link to b0 … b-log (4) works
            a1      link to b0 … b-log (4) works
            a-log   link to b0 … b-log (4) works
            a-c0    link to b0 … b-log (4) works
            b0      t-0 last mirrored position by a0: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
     15.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
     15.4s  b0      t-0 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0

11. describe B/t-0 in m
            b-admin t-0 described: desired mirroring, MIRRORING, lag 0, last mirrored epoch -1

12. elect B/t-0 to=b1
            b-log   t-0 elects b1: leader epoch 1
            b0      t-0 fetcher removed at 3
            b1      t-0 reads its state: MIRRORING
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b1 in epoch 1

13. fault cut A>B
            a0      link to b0 … b-log (4) is cut
            a1      link to b0 … b-log (4) is cut
            a-log   link to b0 … b-log (4) is cut
            a-c0    link to b0 … b-log (4) is cut

14. describe B/t-0 in m
            b0      t-0 state MIRRORING stored by coordinator, MIRRORING before
            b-admin t-0 described: desired mirroring, MIRRORING, lag unknown, last mirrored epoch -1

15. fault heal A>B
16. until lag B/t-0=0
17. until quiet
            a0      link to b0 … b-log (4) works
            a1      link to b0 … b-log (4) works
            a-log   link to b0 … b-log (4) works
            a-c0    link to b0 … b-log (4) works
            b1      t-0 fetches from a0 at 3 (source leader epoch 0)

18. pause t in m
19. until state B/t-0=PAUSED
     15.9s  b-log   t desired: paused in mirror m
            b0      t-0 state PAUSING stored by coordinator, MIRRORING before
            b1      t-0 fetcher removed at 3
            b0      t-0 state PAUSED stored by coordinator, PAUSING before

20. describe B/t-0 in m
     16.0s  b-admin t-0 described: desired paused, PAUSED, lag unknown, last mirrored epoch -1

21. stop t in m
22. until state B/t-0=STOPPED
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, PAUSED before
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 2
            b1      t-0 appends reset 3@2 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@2  leader b1 in epoch 2

23. describe B/t-0 in m
            b1      t-0 is writable
            b-admin t-0 described: desired stopped, STOPPED, lag unknown, last mirrored epoch 0

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  nothing is lost
