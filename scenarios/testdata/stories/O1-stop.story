O1-stop: --protocol first

Cluster B has 7 of cluster A's records when its fetcher is cut off. A group on A has read 10 and committed that, and the pass
that brings offsets to B has run, when B is stopped: its RESET is 7, and its own records are 8 to 11. The group moves to B.
The rule: it goes on at 7, and reads all 4. With an offset of 10 it would pass over 8 and 9, which it has never read.

1. produce p A/t-0 7
      0.1s  a0      t-0 appends 0-6@0 for a producer
            p       t-0 acknowledged at 0-6 by a0
  | A/t-0  0-6@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until leo B/t-0=7
            b-log   t desired: mirroring in mirror m
      0.2s  b1      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b1      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-6@0 from the source
  | A/t-0  0-6@0  leader a0 in epoch 0
  | B/t-0  0-6@0  leader b0 in epoch 0

4. fault cut a0>b0
            a0      link to b0 is cut

5. produce p A/t-0 3
            a0      t-0 appends 7-9@0 for a producer
            p       t-0 acknowledged at 7-9 by a0
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-6@0  leader b0 in epoch 0

6. consume g A/t-0
7. until read g=10
            g       joins its group on A, generation 1
            g       t-0 has no committed offset
            g       t-0 read 0-9

8. leave g
9. until committed g B/t-0=7 within 2m or-go-on
            a1      t-0 offset of group g stored: 10@0, by its member
      4.4s  b0      t-0 fetches from a0 at 7 (source leader epoch 0) (14 times)
     60.1s  b1      t-0 offset of group g stored: 7@0, by the mirror

10. stop t in m
11. until state B/t-0=STOPPED
            b-log   t desired: stopped in mirror m
            b1      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 7
            b1      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 7@1 of its own
            b1      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-6@0 7:reset@1  leader b0 in epoch 1

12. after 2s produce q B/t-0 4
     62.1s  b0      t-0 appends 8-11@1 for a producer
            q       t-0 acknowledged at 8-11 by b0
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-6@0 7:reset@1 8-11@1  leader b0 in epoch 1

13. consume g B/t-0
14. until read g=14 within 1m or-go-on
     62.2s  g       joins its group on B, generation 1
            g       t-0 committed offset is 7@0
     62.3s  g       t-0 read 7-11

15. leave g on B
            b1      t-0 offset of group g stored: 12@1, by its member

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 7, source end 10, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 2.3s
  lost: 3 not mirrored when the failover's stop began
    A 7@0 record 9/8, acknowledged
    A 8@0 record 9/9, acknowledged
    A 9@0 record 9/10, acknowledged
