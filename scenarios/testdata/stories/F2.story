F2: --protocol first

Cluster B mirrored 10 records of cluster A, was promoted and took 5 of its own. For the way back the operator gives the
mirror another name. B stored the last mirrored position under the old name.
The rule: B looks over every mirror that came from A, whatever its name, and answers epoch 0. A cuts nothing, keeps
its 10 records and copies the reset and the 5 new ones. If B looked under the name of the mirror that asks only, it would
answer -1, and A would give up its 10 records and copy all 16 offsets.

1. produce p A/t-0 10
      0.1s  a0      t-0 appends 0-9@0 for a producer
            p       t-0 acknowledged at 0-9 by a0
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-9@0 from the source
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-9@0  leader b0 in epoch 0

5. stop t in m
6. until state B/t-0=STOPPED
7. until quiet
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 10
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 10@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-9@0 10:reset@1  leader b0 in epoch 1

8. produce q B/t-0 5
            b0      t-0 appends 11-15@1 for a producer
            q       t-0 acknowledged at 11-15 by b0
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-9@0 10:reset@1 11-15@1  leader b0 in epoch 1

9. start t in back
10. until state A/t-0=MIRRORING
11. until lag A/t-0=0
12. until quiet
            a-log   t desired: mirroring in mirror back
            a0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.5s  a0      t-0 last mirrored position by b1: epoch 0
            a0      t-0 keeps all up to 10: aligned to the last mirrored position
            a0      t-0 fetches from b0 at 10 (source leader epoch 1)
            a0      t-0 fetcher removed at 10
            a0      t-0 replicas have followed, log end 10
            a0      t-0 state MIRRORING stored by coordinator, PREPARING before
      0.6s  a0      t-0 fetches from b0 at 10 (source leader epoch 1)
            a0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            a0      t-0 fetcher removed at 10 (2 times)
      0.7s  a-log   t-0 leader epoch bumped to 1
            a0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
            a0      t-0 fetches from b0 at 10 (source leader epoch 1)
            a0      t-0 appends reset 10@1 from the source
            a0      t-0 appends 11-15@1 from the source
  | A/t-0  0-9@0 10:reset@1 11-15@1  leader a0 in epoch 1
  | B/t-0  0-9@0 10:reset@1 11-15@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 10, source end 10, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror back: position epoch 0
  both sides were writable for 0.0s
  nothing is lost
