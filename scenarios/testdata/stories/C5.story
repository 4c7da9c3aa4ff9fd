C5: --protocol first

Cluster A gives orders a second partition while B mirrors it, and a third one after the stop.
The rule: B gets the new partition after the next interval and mirrors it from offset 0; a user of B still may not grow the
topic. A stopped topic is B's own, and is not grown any more.

1. produce p A/orders-0 3
      0.1s  a0      orders-0 appends 0-2@0 for a producer
            p       orders-0 acknowledged at 0-2 by a0
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  empty  leader b0 in epoch 0

2. start orders in m
3. until state B/orders-0=MIRRORING
            b-log   orders desired: mirroring in mirror m
            b0      orders-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      orders-0 last mirrored position by a1: epoch -1
            b0      orders-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      orders-0 fetcher removed at 0
            b0      orders-0 replicas have followed, log end 0
            b0      orders-0 state MIRRORING stored by coordinator, PREPARING before

4. create-partitions orders on A partitions=2
            a-log   orders is grown, partitions: 2
  | A/orders-1  empty  leader a1 in epoch 0

5. produce p A/orders-1 2
6. until state B/orders-1=MIRRORING within 10s
7. until leo B/orders-1=2
            a1      orders-1 appends 0-1@0 for a producer
            p       orders-1 acknowledged at 0-1 by a1
            b0      orders-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      orders-0 appends 0-2@0 from the source
      5.0s  b-log   orders is grown by mirror m, partitions: 2
            b0      orders-1 state PREPARING stored by coordinator, UNKNOWN before
      5.1s  b0      mirror m is synchronised with a1, requests to the controller: 1
            b1      orders-1 last mirrored position by a1: epoch -1
            b1      orders-1 fetches from a1 at 0 (source leader epoch 0)
      5.2s  b1      orders-1 fetcher removed at 0
            b1      orders-1 replicas have followed, log end 0
            b0      orders-1 state MIRRORING stored by coordinator, PREPARING before
            b1      orders-1 fetches from a1 at 0 (source leader epoch 0)
            b1      orders-1 appends 0-1@0 from the source
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  0-2@0  leader b0 in epoch 0
  | A/orders-1  0-1@0  leader a1 in epoch 0
  | B/orders-1  0-1@0  high watermark 0  leader b1 in epoch 0
  |      b0: empty

8. create-partitions orders on B partitions=3
            b-admin orders answered: MIRROR_TOPIC_NOT_STOPPED
  | A/orders-1  0-1@0  leader a1 in epoch 0
  | B/orders-1  0-1@0  leader b1 in epoch 0

9. stop orders in m
10. until state B/orders-0=STOPPED
11. until state B/orders-1=STOPPED
      5.3s  b-log   orders desired: stopped in mirror m
            b0      orders-0, orders-1 state STOPPING stored by coordinator, MIRRORING before
            b0      orders-0 fetcher removed at 3
            b0      orders-0 last mirrored position stored: epoch 0
            b1      orders-1 fetcher removed at 2
            b0      orders-1 last mirrored position stored: epoch 0
            b-log   orders-0, orders-1 leader epoch bumped to 1
            b0      orders-0 appends reset 3@1 of its own
            b0      orders-0 state STOPPED stored by coordinator, STOPPING before
            b1      orders-1 appends reset 2@1 of its own
            b0      orders-0 is writable
            b0      orders-1 state STOPPED stored by coordinator, STOPPING before
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  0-2@0 3:reset@1  leader b0 in epoch 1
  | A/orders-1  0-1@0  leader a1 in epoch 0
  | B/orders-1  0-1@0 2:reset@1  leader b1 in epoch 1

12. create-partitions orders on A partitions=3
            b1      orders-1 is writable
            a-log   orders is grown, partitions: 3
  | A/orders-2  empty  leader a0 in epoch 0

13. after 20s produce p A/orders-2 1
     25.3s  a0      orders-2 appends 0@0 for a producer
            p       orders-2 acknowledged at 0 by a0
  | A/orders-2  0@0  leader a0 in epoch 0

orders-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 20.0s
  nothing is lost
orders-1: B is in charge
  failover A -> B by mirror m: mirrored up to 2, source end 2, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 20.0s
  nothing is lost
