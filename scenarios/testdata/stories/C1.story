C1: --protocol first

On cluster A retention.ms and min.insync.replicas of orders are changed while B mirrors it, and later retention.ms is deleted.
The rule: dynamic configs are synchronised within two intervals, but for those that the mirror excludes, among them
min.insync.replicas by default. What is deleted at the source stays, and what is changed at the destination is overwritten.
While the topic is paused nothing of it is changed.

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

4. config orders on A retention.ms=1000
            a-log   orders config retention.ms=1000 is set

5. config orders on A min.insync.replicas=2
            a-log   orders config min.insync.replicas=2 is set

6. config orders on A mirror.name=m
7. until config orders on B retention.ms=1000 within 10s
            a-admin orders answered: INVALID_CONFIG
            b0      orders-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      orders-0 appends 0-2@0 from the source
      5.1s  b0      mirror m is synchronised with a1, requests to the controller: 1
            b-log   orders config retention.ms=1000 is set by mirror m
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  0-2@0  leader b0 in epoch 0

8. config orders on B retention.ms=7
9. until config orders on B retention.ms=1000 within 10s
            b-log   orders config retention.ms=7 is set
     10.1s  b0      mirror m is synchronised with a0, requests to the controller: 1
            b-log   orders config retention.ms=1000 is set by mirror m

10. config orders on A retention.ms=
            a-log   orders config retention.ms is deleted

11. pause orders in m
12. until state B/orders-0=PAUSED
            b-log   orders desired: paused in mirror m
            b0      orders-0 state PAUSING stored by coordinator, MIRRORING before
            b0      orders-0 fetcher removed at 3
            b0      orders-0 state PAUSED stored by coordinator, PAUSING before

13. config orders on A cleanup.policy=compact
            a-log   orders config cleanup.policy=compact is set

14. after 20s produce p A/orders-0 1
     30.1s  a0      orders-0 appends 3@0 for a producer
            p       orders-0 acknowledged at 3 by a0
  | A/orders-0  0-3@0  leader a0 in epoch 0
  | B/orders-0  0-2@0  leader b0 in epoch 0

15. resume orders in m
16. until config orders on B cleanup.policy=compact within 10s
17. until passes m=12
            b-log   orders desired: mirroring in mirror m
            b0      orders-0 state MIRRORING stored by coordinator, PAUSED before
            b0      orders-0 fetches from a0 at 3 (source leader epoch 0)
     30.2s  b0      orders-0 appends 3@0 from the source
     35.1s  b0      mirror m is synchronised with a1, requests to the controller: 1
            b-log   orders config cleanup.policy=compact is set by mirror m
  | A/orders-0  0-3@0  leader a0 in epoch 0
  | B/orders-0  0-3@0  leader b0 in epoch 0

