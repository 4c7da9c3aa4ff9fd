L4: --protocol first

Cluster A's log is compacted: of its first 8 offsets 0, 3 and 7 are left. Cluster B, whose log is empty, mirrors it, and is
compacted itself in its turn.
The rule: the gaps are preserved. B's records stand at the offsets that they have at A, on every replica, and its log ends at 8;
a cut and a look-up by epoch go by offsets, whether or not a record stands there.

1. produce p A/t-0 8
2. until quiet
      0.1s  a0      t-0 appends 0-7@0 for a producer
            p       t-0 acknowledged at 0-7 by a0
  | A/t-0  0-7@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. compact A/t-0 keep=0,3,7
            a0      t-0 cleaner removes batch 1
            a0      t-0 cleaner removes batch 2
            a0      t-0 cleaner removes batch 4
            a0      t-0 cleaner removes batch 5
            a0      t-0 cleaner removes batch 6
            a1      t-0 cleaner removes batch 1
            a1      t-0 cleaner removes batch 2
            a1      t-0 cleaner removes batch 4
            a1      t-0 cleaner removes batch 5
            a1      t-0 cleaner removes batch 6
  | A/t-0  0@0 3@0 7@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

4. start t in B/m
5. until state B/t-0=MIRRORING
6. until leo B/t-0=8
7. until quiet
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0@0 from the source
            b0      t-0 appends 3@0 from the source
            b0      t-0 appends 7@0 from the source
  | A/t-0  0@0 3@0 7@0  leader a0 in epoch 0
  | B/t-0  0@0 3@0 7@0  leader b0 in epoch 0

8. consume r B/t-0
9. until read r=3
            r       t-0 read 0-7

10. compact B/t-0 keep=0,7
            b0      t-0 cleaner removes batch 3
            b1      t-0 cleaner removes batch 3
  | A/t-0  0@0 3@0 7@0  leader a0 in epoch 0
  | B/t-0  0@0 7@0  leader b0 in epoch 0

11. produce p A/t-0 2
12. until leo B/t-0=10
            a0      t-0 appends 8-9@0 for a producer
            p       t-0 acknowledged at 8-9 by a0
            b0      t-0 appends 8-9@0 from the source
  | A/t-0  0@0 3@0 7-9@0  leader a0 in epoch 0
  | B/t-0  0@0 7-9@0  high watermark 8  leader b0 in epoch 0
  |      b1: 0@0 7@0

13. stop t in B/m
14. until state B/t-0=STOPPED
15. until quiet
            r       t-0 read 8-9
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 10
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 10@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0@0 3@0 7-9@0  leader a0 in epoch 0
  | B/t-0  0@0 7-9@0 10:reset@1  leader b0 in epoch 1

16. start t in A/m
17. until state A/t-0=MIRRORING
18. until lag A/t-0=0
19. until quiet
            a-log   t desired: mirroring in mirror m
            a0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.5s  a0      t-0 last mirrored position by b1: epoch 0
            a0      t-0 keeps all up to 10: aligned to the last mirrored position
            r       t-0 read 10
            a0      t-0 fetches from b0 at 10 (source leader epoch 1)
      0.6s  a0      t-0 fetcher removed at 10
            a0      t-0 replicas have followed, log end 10
            a0      t-0 state MIRRORING stored by coordinator, PREPARING before
            a0      t-0 fetches from b0 at 10 (source leader epoch 1)
      0.7s  a0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            a0      t-0 fetcher removed at 10 (2 times)
            a-log   t-0 leader epoch bumped to 1
            a0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
            a0      t-0 fetches from b0 at 10 (source leader epoch 1)
      0.8s  a0      t-0 appends reset 10@1 from the source
  | A/t-0  0@0 3@0 7-9@0 10:reset@1  leader a0 in epoch 1
  | B/t-0  0@0 7-9@0 10:reset@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 10, source end 10, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 0
  both sides were writable for 0.0s
  nothing is lost
