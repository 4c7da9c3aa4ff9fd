S4: --protocol first

Cluster B mirrored 3 records of cluster A and is stopped. Its __mirror_state has one replica, on b2, and b2 goes down right
after STOPPING was stored and before the last mirrored position is. Meanwhile A's leadership moves, and A takes 2 records.
The rule: the stop waits. Only when b2 is back and the position, epoch 0, is durable does it go on to the bump, the reset and
STOPPED, so the failback cuts A's own 3 and 4. A stop that does not wait bumps and resets without it; when b2 is back it runs
again and records epoch 1, its own, under which A keeps the 2 records that B never had.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in B/m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
            b-log   t desired: mirroring in mirror m
      0.2s  b2      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b2      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0

5. fault crash b2 for 5s at-point stop.fetcher-removed

6. stop t in B/m
            b-log   t desired: stopped in mirror m
            b2      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b2      crashes

7. after 1s elect A/t-0
      1.4s  a-log   t-0 elects a1: leader epoch 1
  | A/t-0  0-2@0  leader a1 in epoch 1
  | B/t-0  0-2@0  leader b0 in epoch 0

8. produce p A/t-0 2
9. until state B/t-0=STOPPED
10. until quiet
      1.5s  a1      t-0 appends 3-4@1 for a producer
            p       t-0 acknowledged at 3-4 by a1
      5.4s  b2      starts again (incarnation 2)
            b-log   b2 is fenced
            b-log   __mirror_state-0 has no leader: leader epoch 1
            b-log   b2 is unfenced
            b-log   __mirror_state-0 elects b2: leader epoch 2
            b0      t-0 cannot read its state: COORDINATOR_LOAD_IN_PROGRESS
      5.5s  b0      t-0 reads its state: STOPPING
            b2      t-0 state STOPPING stored by coordinator, STOPPING before
            b2      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b2      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0 3-4@1  leader a1 in epoch 1
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

11. produce q B/t-0 1
            b0      t-0 appends 4@1 for a producer
            q       t-0 acknowledged at 4 by b0
  | A/t-0  0-2@0 3-4@1  leader a1 in epoch 1
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

12. start t in A/m
13. until state A/t-0=MIRRORING
14. until lag A/t-0=0
15. until quiet
            a-log   t desired: mirroring in mirror m
            a0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      5.6s  a1      t-0 last mirrored position by b1: epoch 0
            a1      t-0 cut from 5 to 3: aligned to the last mirrored position
            a1      t-0 tells a0: diverging, epoch 0 ends at 3
            a0      t-0 cut from 5 to 3: diverged
            a1      t-0 fetches from b0 at 3 (source leader epoch 1)
            a1      t-0 fetcher removed at 3
            a1      t-0 replicas have followed, log end 3
            a0      t-0 state MIRRORING stored by coordinator, PREPARING before
      5.7s  a1      t-0 fetches from b0 at 3 (source leader epoch 1)
            a1      t-0 appends reset 3@1 from the source
            a1      t-0 appends 4@1 from the source
  | A/t-0  0-2@0 3:reset@1 4@1  leader a1 in epoch 1
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 0
  both sides were writable for 0.0s
  discarded: 2 cut when the log was aligned, and the new source does not have them
    A 3@1 record 10/4, acknowledged
    A 4@1 record 10/5, acknowledged
