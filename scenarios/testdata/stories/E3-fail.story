E3-fail: --protocol first --set divergence=fail-or-recover

The same as E3, but a mirror without support for unclean elections is not to cut what it has: cluster B mirrored 30 records of
cluster A, and an unclean election there has the history go on with 5 others from 20 on.
The rule: B is FAILED with the reason that its source has another history, keeps its 30 records, and is not tried again: the
operator must say which of the two histories is to be kept. Stopped, B is writable with its own.

1. produce p A/t-0 20
2. until quiet
      0.1s  a0      t-0 appends 0-19@0 for a producer
            p       t-0 acknowledged at 0-19 by a0
  | A/t-0  0-19@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. fault cut a1>a0
4. until isr A/t-0=1
            a1      link to a0 is cut
     30.1s  a-log   t-0 ISR is { a0 }

5. produce p A/t-0 10
            a0      t-0 appends 20-29@0 for a producer
            p       t-0 acknowledged at 20-29 by a0
  | A/t-0  0-29@0  leader a0 in epoch 0
  |      a1: 0-19@0
  | B/t-0  empty  leader b0 in epoch 0

6. start t in m
7. until state B/t-0=MIRRORING
8. until lag B/t-0=0
     30.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
     30.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
     30.4s  b0      t-0 appends 0-29@0 from the source
  | A/t-0  0-29@0  leader a0 in epoch 0
  |      a1: 0-19@0
  | B/t-0  0-29@0  leader b0 in epoch 0

9. elect A/t-0 to=a1 unclean
            a-log   t-0 elects a1 uncleanly: leader epoch 1
            a1      t-0 tells a0: diverging, epoch 0 ends at 20
  | A/t-0  0-19@0  leader a1 in epoch 1
  |      a0: 0-29@0
  | B/t-0  0-29@0  leader b0 in epoch 0

10. fault heal a1>a0
11. until isr A/t-0=2
            a1      link to a0 works
     30.5s  b0      t-0 fetches from a1 at 30 (source leader epoch 1)
     30.6s  a1      t-0 tells b0: diverging, epoch 0 ends at 20
            b0      t-0 fetcher removed at 30
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: the source's history differs from what was mirrored; not tried again
     32.4s  a1      t-0 tells a0: diverging, epoch 0 ends at 20
            a0      t-0 cut from 30 to 20: diverged
            a-log   t-0 ISR is { a0 a1 }
  | A/t-0  0-19@0  leader a1 in epoch 1
  | B/t-0  0-29@0  leader b0 in epoch 0

12. produce q A/t-0 5
13. until state B/t-0=FAILED
            a1      t-0 appends 20-24@1 for a producer
            q       t-0 acknowledged at 20-24 by a1
  | A/t-0  0-19@0 20-24@1  leader a1 in epoch 1
  | B/t-0  0-29@0  leader b0 in epoch 0

14. after 5m describe B/t-0 in m
    332.4s  b-admin t-0 described: desired mirroring, FAILED (the source's history differs from what was mirrored), attempts -1, lag unknown, last mirrored epoch -1

15. stop t in m
16. until state B/t-0=STOPPED
17. until quiet
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, FAILED before
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 30@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-19@0 20-24@1  leader a1 in epoch 1
  | B/t-0  0-29@0 30:reset@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 20, own log end 30, source end 25, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  lost: 5 not mirrored when the failover's stop began
    A 20@1 record 10/1, acknowledged
    A 21@1 record 10/2, acknowledged
    A 22@1 record 10/3, acknowledged
    A 23@1 record 10/4, acknowledged
    A 24@1 record 10/5, acknowledged
