C6: --protocol first

Cluster B has a topic called orders of its own, with another topic id than that of cluster A. The operator starts orders and
users in one request.
The rule: two topics that happen to have one name are two topics. orders is refused with INCONSISTENT_TOPIC_ID and its data
is not touched; users is started.

1. produce p A/orders-0 3
      0.1s  a0      orders-0 appends 0-2@0 for a producer
            p       orders-0 acknowledged at 0-2 by a0
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | A/users-0  empty  leader a0 in epoch 0
  | B/users-0  empty  leader b0 in epoch 0
  | B/orders-0  empty  leader b0 in epoch 0

2. produce p A/users-0 3
            a0      users-0 appends 0-2@0 for a producer
            p       users-0 acknowledged at 0-2 by a0
  | A/users-0  0-2@0  leader a0 in epoch 0
  | B/users-0  empty  leader b0 in epoch 0

3. produce q B/orders-0 1
            b0      orders-0 appends 0@0 for a producer
            q       orders-0 acknowledged at 0 by b0
  | B/orders-0  0@0  leader b0 in epoch 0

4. start orders users in m
5. until state B/users-0=MIRRORING
6. until lag B/users-0=0
      0.2s  b-log   users desired: mirroring in mirror m
            b-admin orders answered: INCONSISTENT_TOPIC_ID
            b1      users-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      users-0 last mirrored position by a1: epoch -1
            b0      users-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      users-0 fetcher removed at 0
            b0      users-0 replicas have followed, log end 0
            b1      users-0 state MIRRORING stored by coordinator, PREPARING before
            b0      users-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      users-0 appends 0-2@0 from the source
  | A/users-0  0-2@0  leader a0 in epoch 0
  | B/users-0  0-2@0  leader b0 in epoch 0

7. produce q B/orders-0 1
8. until quiet
            b0      orders-0 appends 1@0 for a producer
            q       orders-0 acknowledged at 1 by b0
  | B/orders-0  0-1@0  leader b0 in epoch 0

