S1: --protocol first

Cluster B mirrors 3 records of cluster A and is paused. A takes another record, and a client who believes that B is its
cluster now writes to B.
The rule: a pause is not a failover. B stays at 3 and refuses the client with READ_ONLY_TOPIC. Resumed, it goes on from its
log end and copies the record that it lacks; nothing is aligned and nothing is cut.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
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

5. pause t in m
6. until state B/t-0=PAUSED
            b-log   t desired: paused in mirror m
            b0      t-0 state PAUSING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b0      t-0 state PAUSED stored by coordinator, PAUSING before

7. produce p A/t-0 1
            a0      t-0 appends 3@0 for a producer
            p       t-0 acknowledged at 3 by a0
  | A/t-0  0-3@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0

8. produce q B/t-0 1
            q       t-0 refused: READ_ONLY_TOPIC

9. resume t in m
10. until state B/t-0=MIRRORING
11. until lag B/t-0=0
12. until quiet
            b-log   t desired: mirroring in mirror m
            b0      t-0 state MIRRORING stored by coordinator, PAUSED before
            b0      t-0 fetches from a0 at 3 (source leader epoch 0)
      0.5s  b0      t-0 appends 3@0 from the source
  | A/t-0  0-3@0  leader a0 in epoch 0
  | B/t-0  0-3@0  leader b0 in epoch 0

