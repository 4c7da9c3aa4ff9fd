C3: --protocol first

Cluster B mirrors what orders-.* matches on A, but not orders-internal. orders-eu is stopped; then A gets the topics orders-jp and
payments.
The rule: what include matches and exclude does not is started at the next interval, unless it is configured already, and what
is stopped counts as configured: orders-eu stays stopped and writable over four intervals, orders-jp appears, orders-internal
and payments never do.

1. produce p A/orders-eu-0 2
2. until state B/orders-eu-0=MIRRORING within 10s
3. until leo B/orders-eu-0=2
      0.1s  a0      orders-eu-0 appends 0-1@0 for a producer
            p       orders-eu-0 acknowledged at 0-1 by a0
      5.0s  b0      mirror m is synchronised with a1, requests to the controller: 1
            b-log   orders-eu is created, partitions: 1
            b-log   orders-eu desired: mirroring in mirror m, discovered
            b0      orders-eu-0 state PREPARING stored by coordinator, UNKNOWN before
      5.1s  b0      orders-eu-0 last mirrored position by a1: epoch -1
            b0      orders-eu-0 fetches from a0 at 0 (source leader epoch 0)
      5.2s  b0      orders-eu-0 fetcher removed at 0
            b0      orders-eu-0 replicas have followed, log end 0
            b0      orders-eu-0 state MIRRORING stored by coordinator, PREPARING before
            b0      orders-eu-0 fetches from a0 at 0 (source leader epoch 0)
            b0      orders-eu-0 appends 0-1@0 from the source
  | A/orders-eu-0  0-1@0  leader a0 in epoch 0
  | B/orders-eu-0  0-1@0  high watermark 0  leader b0 in epoch 0
  |      b1: empty
  | A/orders-internal-0  empty  leader a0 in epoch 0

4. stop orders-eu in m
5. until state B/orders-eu-0=STOPPED
            b-log   orders-eu desired: stopped in mirror m
            b0      orders-eu-0 state STOPPING stored by coordinator, MIRRORING before
            b0      orders-eu-0 fetcher removed at 2
            b0      orders-eu-0 last mirrored position stored: epoch 0
            b-log   orders-eu-0 leader epoch bumped to 1
            b0      orders-eu-0 appends reset 2@1 of its own
      5.3s  b0      orders-eu-0 state STOPPED stored by coordinator, STOPPING before
            b0      orders-eu-0 is writable
  | A/orders-eu-0  0-1@0  leader a0 in epoch 0
  | B/orders-eu-0  0-1@0 2:reset@1  leader b0 in epoch 1

6. create-topics orders-jp payments on A
            a-log   payments, orders-jp is created, partitions: 1
  | A/payments-0, orders-jp-0  empty  leader a0 in epoch 0

7. produce p A/orders-jp-0 1
8. until state B/orders-jp-0=MIRRORING within 10s
9. until leo B/orders-jp-0=1
            a0      orders-jp-0 appends 0@0 for a producer
            p       orders-jp-0 acknowledged at 0 by a0
     10.0s  b0      mirror m is synchronised with a0, requests to the controller: 1
            b-log   orders-jp is created, partitions: 1
            b-log   orders-jp desired: mirroring in mirror m, discovered
            b0      orders-jp-0 state PREPARING stored by coordinator, UNKNOWN before
     10.1s  b0      orders-jp-0 last mirrored position by a1: epoch -1
            b0      orders-jp-0 fetches from a0 at 0 (source leader epoch 0)
     10.2s  b0      orders-jp-0 fetcher removed at 0
            b0      orders-jp-0 replicas have followed, log end 0
            b0      orders-jp-0 state MIRRORING stored by coordinator, PREPARING before
            b0      orders-jp-0 fetches from a0 at 0 (source leader epoch 0)
            b0      orders-jp-0 appends 0@0 from the source
  | A/orders-jp-0  0@0  leader a0 in epoch 0
  | B/orders-jp-0  0@0  leader b0 in epoch 0

10. after 20s produce q B/orders-eu-0 1
     30.2s  b0      orders-eu-0 appends 3@1 for a producer
            q       orders-eu-0 acknowledged at 3 by b0
  | A/orders-eu-0  0-1@0  leader a0 in epoch 0
  | B/orders-eu-0  0-1@0 2:reset@1 3@1  leader b0 in epoch 1

orders-eu-0: B is in charge
  failover A -> B by mirror m: mirrored up to 2, source end 2, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 25.0s
  nothing is lost
