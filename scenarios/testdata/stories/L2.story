L2: --protocol first --set lookup-missing=minus-one

Cluster A's log begins at 20 when cluster B, which has 5 records of its own, becomes a mirror of it.
The rule: nothing of B's log is A's. B drops it, starts at 20, where A's log begins, and copies from there; its start and its
end are never on two sides of a hole.

1. produce p A/t-0 25 batch=5
2. until quiet
      0.1s  a0      t-0 appends 0-24@0 for a producer
            p       t-0 acknowledged at 0-20 by a0
  | A/t-0  0-24@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. delete-records A/t-0 before=20
4. until start A/t-0=20
            a0      t-0 log start moved from 0 to 20
  | A/t-0  [20-24]@0  log start 20  leader a0 in epoch 0
  |      a1: 0-24@0
  | B/t-0  empty  leader b0 in epoch 0

5. produce q B/t-0 5
            b0      t-0 appends 0-4@0 for a producer
            q       t-0 acknowledged at 0-4 by b0
  | A/t-0  [20-24]@0  log start 20  leader a0 in epoch 0
  |      a1: 0-24@0
  | B/t-0  0-4@0  leader b0 in epoch 0

6. start t in m
7. until leo B/t-0=25
8. until quiet
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 cut from 5 to 0: aligned to the last mirrored position
            b1      t-0 cut from 5 to 0: longer than the leader's
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 cut from 0 to 20: started anew
            b0      t-0 log start moved from 0 to 20
            b1      t-0 cut from 0 to 20: started anew
            b1      t-0 log start moved from 0 to 20
            b0      t-0 fetcher removed at 20
            b0      t-0 replicas have followed, log end 20
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
      0.4s  b0      t-0 fetches from a0 at 20 (source leader epoch 0)
            b0      t-0 appends 20-24@0 from the source
  | A/t-0  [20-24]@0  log start 20  leader a0 in epoch 0
  |      a1: 0-24@0
  | B/t-0  [20-24]@0  log start 20  leader b0 in epoch 0

