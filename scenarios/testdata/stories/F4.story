F4: --protocol first

Cluster B mirrored 3 records of cluster A, was promoted and took 1. On A the leadership moves, nothing wrong with that,
and clients that still write to A add 2 records under the new leader epoch 1. B's own records are of epoch 1 as well,
because its stop raised the epoch from 0: the same offsets and the same epoch on both sides, with different records.
The rule: the fetch protocol compares epochs and cannot see it. Only the last mirrored epoch, 0, tells A to cut
everything of later epochs before it mirrors. Without that marker A keeps its own 3 and 4 and calls itself in step.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in B/m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0

5. stop t in B/m
6. until state B/t-0=STOPPED
7. until quiet
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

8. produce q B/t-0 1
            b0      t-0 appends 4@1 for a producer
            q       t-0 acknowledged at 4 by b0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

9. elect A/t-0
            a-log   t-0 elects a1: leader epoch 1
  | A/t-0  0-2@0  leader a1 in epoch 1
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

10. produce p A/t-0 2
      0.5s  a1      t-0 appends 3-4@1 for a producer
            p       t-0 acknowledged at 3-4 by a1
  | A/t-0  0-2@0 3-4@1  leader a1 in epoch 1
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

11. start t in A/m
12. until state A/t-0=MIRRORING
13. until lag A/t-0=0
14. until quiet
            a-log   t desired: mirroring in mirror m
            a0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.6s  a1      t-0 last mirrored position by b1: epoch 0
            a1      t-0 cut from 5 to 3: aligned to the last mirrored position
            a1      t-0 tells a0: diverging, epoch 0 ends at 3
            a0      t-0 cut from 5 to 3: diverged
            a1      t-0 fetches from b0 at 3 (source leader epoch 1)
            a1      t-0 fetcher removed at 3
            a1      t-0 replicas have followed, log end 3
            a0      t-0 state MIRRORING stored by coordinator, PREPARING before
      0.7s  a1      t-0 fetches from b0 at 3 (source leader epoch 1)
            a1      t-0 appends reset 3@1 from the source
            a1      t-0 appends 4@1 from the source
  | A/t-0  0-2@0 3:reset@1 4@1  leader a1 in epoch 1
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 0
  both sides were writable for 0.2s
  discarded: 2 cut when the log was aligned, and the new source does not have them
    A 3@1 record 9/4, acknowledged
    A 4@1 record 9/5, acknowledged
