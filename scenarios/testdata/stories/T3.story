T3: --protocol first

Cluster A has a record of an open transaction at 0 and one of no transaction at 1. Cluster B mirrors both, and a consumer on B
reads committed records only.
The rule: B's last stable offset stays at 0, where the transaction begins, and the consumer sees nothing until it has ended.
Where B rewrites the ids of A's producers to negative ones, so as not to mistake them for its own, such batches have no producer
state: nobody on B knows of the transaction, its last stable offset is 2, and the consumer is given what may be aborted yet.

1. produce tx A/t-0 1
      0.1s  a1      transaction of tx is Ongoing, Empty before: producer id 0 epoch 0, partitions: 1
            a0      t-0 appends 0@0 for a producer
            tx      t-0 acknowledged at 0 by a0
  | A/t-0  0@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. produce p A/t-0 1
3. until quiet
            a0      t-0 appends 1@0 for a producer
            p       t-0 acknowledged at 1 by a0
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

4. start t in m
5. until state B/t-0=MIRRORING
6. until leo B/t-0=2
7. until hw B/t-0=2
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-1@0 from the source
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  0-1@0  leader b0 in epoch 0

8. consume r B/t-0 read-committed

9. after 5s describe B/t-0 in m
      5.4s  b-admin t-0 described: desired mirroring, MIRRORING, lag 0, last mirrored epoch -1

