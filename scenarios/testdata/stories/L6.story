L6: --protocol first

Cluster B mirrored 10 records of cluster A, but its follower b1 has 5 of them only, so B's high watermark is 5. A removes its
first 8 records, and nothing is written to it any more.
The rule: B's log start never passes its high watermark. It goes to 5 at most, and to 8 as soon as b1 has caught up, though
no record of A arrives that could take it there.

1. produce p A/t-0 5
      0.1s  a0      t-0 appends 0-4@0 for a producer
            p       t-0 acknowledged at 0-4 by a0
  | A/t-0  0-4@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
5. until quiet
            b-log   t desired: mirroring in mirror m
      0.2s  b2      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b2      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-4@0 from the source
  | A/t-0  0-4@0  leader a0 in epoch 0
  | B/t-0  0-4@0  leader b0 in epoch 0

6. fault cut b1>b0 for 10s
            b1      link to b0 is cut

7. produce p A/t-0 5
8. until leo B/t-0=10
            a0      t-0 appends 5-9@0 for a producer
            p       t-0 acknowledged at 5-9 by a0
            b0      t-0 appends 5-9@0 from the source
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-9@0  high watermark 5  leader b0 in epoch 0
  |      b1: 0-4@0

9. delete-records A/t-0 before=8
10. until start A/t-0=8
11. until start B/t-0=5
12. until start B/t-0@b0=8
13. until start B/t-0@b1=8
14. until quiet
            a0      t-0 log start moved from 0 to 8
      0.9s  a1      t-0 log start moved from 0 to 8
            b0      t-0 log start moved from 0 to 5
     10.4s  b1      link to b0 works
     12.4s  b1      t-0 keeps all up to 5: started anew
            b1      t-0 log start moved from 0 to 5
     12.8s  b0      t-0 log start moved from 5 to 8
     12.9s  b1      t-0 log start moved from 5 to 8
  | A/t-0  8-9@0  log start 8  leader a0 in epoch 0
  | B/t-0  8-9@0  log start 8  leader b0 in epoch 0

