L5: --protocol first

All 40 records of cluster A have expired: its log begins and ends at 40. Cluster B, whose log is empty, becomes a mirror of it.
The rule: B's log begins and ends at 40 as well, so that the next record of A gets the same offset on B.

1. produce p A/t-0 40 batch=10
2. until quiet
      0.1s  a0      t-0 appends 0-39@0 for a producer
            p       t-0 acknowledged at 0-30 by a0
  | A/t-0  0-39@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. delete-records A/t-0
4. until start A/t-0=40
            a0      t-0 log start moved from 0 to 40
  | A/t-0  empty  log start 40  end 40  leader a0 in epoch 0
  |      a1: 0-39@0
  | B/t-0  empty  leader b0 in epoch 0

5. start t in m
6. until state B/t-0=MIRRORING
7. until leo B/t-0=40
8. until quiet
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 cut from 0 to 40: started anew
            b0      t-0 log start moved from 0 to 40
            b1      t-0 cut from 0 to 40: started anew
            b1      t-0 log start moved from 0 to 40
            b0      t-0 fetcher removed at 40
            b0      t-0 replicas have followed, log end 40
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
      0.4s  b0      t-0 fetches from a0 at 40 (source leader epoch 0)
      0.6s  a1      t-0 log start moved from 0 to 40
  | A/t-0  empty  log start 40  end 40  leader a0 in epoch 0
  | B/t-0  empty  log start 40  end 40  leader b0 in epoch 0

9. produce p A/t-0 1
10. until leo B/t-0=41
11. until quiet
      0.9s  a0      t-0 appends 40@0 for a producer
            p       t-0 acknowledged at 40 by a0
            b0      t-0 appends 40@0 from the source
  | A/t-0  40@0  log start 40  leader a0 in epoch 0
  | B/t-0  40@0  log start 40  leader b0 in epoch 0

