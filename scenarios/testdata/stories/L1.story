L1: --protocol first

Cluster B mirrored 50 records of cluster A and is paused. A takes 60 more, and its retention removes the first 100: the next
50 that B would copy are gone.
The rule: resumed, B cannot go on at 50. It drops its log and starts again at 100, where A's begins. 50 records were never
mirrored and never will be. What B had is reported as trimmed, and no failover is said to have lost anything.

1. produce p A/t-0 50 batch=10
      0.1s  a0      t-0 appends 0-49@0 for a producer
            p       t-0 acknowledged at 0-40 by a0
  | A/t-0  0-49@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
5. until quiet
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-49@0 from the source
  | A/t-0  0-49@0  leader a0 in epoch 0
  | B/t-0  0-49@0  leader b0 in epoch 0

6. pause t in m
7. until state B/t-0=PAUSED
            b-log   t desired: paused in mirror m
            b0      t-0 state PAUSING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 50
            b0      t-0 state PAUSED stored by coordinator, PAUSING before

8. produce p A/t-0 60 batch=10
            a0      t-0 appends 50-109@0 for a producer
            p       t-0 acknowledged at 50-100 by a0
  | A/t-0  0-109@0  leader a0 in epoch 0
  | B/t-0  0-49@0  leader b0 in epoch 0

9. delete-records A/t-0 before=100
10. until start A/t-0=100
            a0      t-0 log start moved from 0 to 100
  | A/t-0  [100-109]@0  log start 100  leader a0 in epoch 0
  |      a1: 0-109@0
  | B/t-0  0-49@0  leader b0 in epoch 0

11. resume t in m
12. until leo B/t-0=110
13. until quiet
            b-log   t desired: mirroring in mirror m
            b0      t-0 state MIRRORING stored by coordinator, PAUSED before
            b0      t-0 fetches from a0 at 50 (source leader epoch 0)
            b0      t-0 cut from 50 to 100: started anew
            b0      t-0 log start moved from 0 to 100
      0.5s  b1      t-0 cut from 50 to 100: started anew
            b1      t-0 log start moved from 0 to 100
            b0      t-0 appends 100-109@0 from the source
  | A/t-0  [100-109]@0  log start 100  leader a0 in epoch 0
  |      a1: 0-109@0
  | B/t-0  [100-109]@0  log start 100  leader b0 in epoch 0

