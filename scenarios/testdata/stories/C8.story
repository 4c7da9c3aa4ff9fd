C8: --protocol first

While cluster B mirrors orders of cluster A a user of B asks to delete records of it, to delete it together with a topic of
his own, and to give it more partitions.
The rule: what belongs to a mirror is the mirror's. Each request is refused for orders with MIRROR_TOPIC_NOT_STOPPED, and done
for the topic that stands beside it. After the stop all three are accepted.

1. produce p A/orders-0 3
      0.1s  a0      orders-0 appends 0-2@0 for a producer
            p       orders-0 acknowledged at 0-2 by a0
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  empty  leader b0 in epoch 0
  | B/own-0  empty  leader b0 in epoch 0

2. start orders in m
3. until state B/orders-0=MIRRORING
4. until lag B/orders-0=0
5. until quiet
            b-log   orders desired: mirroring in mirror m
            b0      orders-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      orders-0 last mirrored position by a1: epoch -1
            b0      orders-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      orders-0 fetcher removed at 0
            b0      orders-0 replicas have followed, log end 0
            b0      orders-0 state MIRRORING stored by coordinator, PREPARING before
            b0      orders-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      orders-0 appends 0-2@0 from the source
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  0-2@0  leader b0 in epoch 0

6. delete-records B/orders-0 before=2
      0.5s  b-admin orders answered: MIRROR_TOPIC_NOT_STOPPED

7. create-partitions orders on B partitions=2
            b-admin orders answered: MIRROR_TOPIC_NOT_STOPPED

8. delete-topics orders own on B
            b-log   own is deleted
            b0      own-0 replica removed with its log
            b1      own-0 replica removed with its log
            b-admin orders answered: MIRROR_TOPIC_NOT_STOPPED

9. stop orders in m
10. until state B/orders-0=STOPPED
11. until quiet
            b-log   orders desired: stopped in mirror m
            b0      orders-0 state STOPPING stored by coordinator, MIRRORING before
            b0      orders-0 fetcher removed at 3
            b0      orders-0 last mirrored position stored: epoch 0
            b-log   orders-0 leader epoch bumped to 1
            b0      orders-0 appends reset 3@1 of its own
            b0      orders-0 state STOPPED stored by coordinator, STOPPING before
            b0      orders-0 is writable
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  0-2@0 3:reset@1  leader b0 in epoch 1

12. delete-records B/orders-0 before=2
            b0      orders-0 log start moved from 0 to 2
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  2@0 3:reset@1  log start 2  leader b0 in epoch 1
  |      b1: 0-2@0 3:reset@1

13. create-partitions orders on B partitions=2
            b-log   orders is grown, partitions: 2
  | B/orders-1  empty  leader b1 in epoch 0

14. delete-topics orders on B
            b0      orders-1 state STOPPING stored by coordinator, UNKNOWN before
            b-log   orders is deleted
            b0      orders-0 is read-only
            b0      orders-0, orders-1 replica removed with its log
            b0      orders-0 last mirrored position under mirror m removed
            b0      orders-0, orders-1 state under mirror m removed
            b1      orders-0, orders-1 replica removed with its log
  | A/orders-0  0-2@0  leader a0 in epoch 0

orders-0: no cluster is in charge, the topic was deleted
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  nothing is lost
