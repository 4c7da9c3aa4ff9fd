L3: --protocol first

Cluster B mirrored 8 records of cluster A when its leader changes, and then A removes its first 3.
The rule: B's log start follows the source's, on the new leader as on the old one, and nothing else of B's log changes.

1. produce p A/t-0 8
      0.1s  a0      t-0 appends 0-7@0 for a producer
            p       t-0 acknowledged at 0-7 by a0
  | A/t-0  0-7@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
5. until quiet
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-7@0 from the source
  | A/t-0  0-7@0  leader a0 in epoch 0
  | B/t-0  0-7@0  leader b0 in epoch 0

6. elect B/t-0
7. until quiet
            b-log   t-0 elects b1: leader epoch 1
            b0      t-0 fetcher removed at 8
            b1      t-0 reads its state: MIRRORING
            b0      t-0 state MIRRORING stored by coordinator, MIRRORING before
            b1      t-0 fetches from a0 at 8 (source leader epoch 0)
  | A/t-0  0-7@0  leader a0 in epoch 0
  | B/t-0  0-7@0  leader b1 in epoch 1

8. delete-records A/t-0 before=3
9. until start A/t-0=3
10. until start B/t-0@b0=3
11. until start B/t-0@b1=3
12. until quiet
      0.9s  a0      t-0 log start moved from 0 to 3
      1.1s  a1      t-0 log start moved from 0 to 3
      1.5s  b1      t-0 log start moved from 0 to 3
      1.9s  b0      t-0 log start moved from 0 to 3
  | A/t-0  3-7@0  log start 3  leader a0 in epoch 0
  | B/t-0  3-7@0  log start 3  leader b1 in epoch 1

