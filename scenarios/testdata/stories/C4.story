C4: --protocol first

Cluster B mirrors what orders-.* matches on A. The operator stops by the pattern orders-e.*, which stops orders-eu, and later by
orders-.* itself.
The rule: the pattern leaves include, where it stands there, and joins exclude in any case; each topic of the mirror that the
new exclude matches is stopped, and none is discovered again.

1. produce p A/orders-eu-0 2
      0.1s  a0      orders-eu-0 appends 0-1@0 for a producer
            p       orders-eu-0 acknowledged at 0-1 by a0
  | A/orders-eu-0  0-1@0  leader a0 in epoch 0
  | A/orders-jp-0  empty  leader a0 in epoch 0
  | A/users-0  empty  leader a0 in epoch 0
  | B/users-0  empty  leader b0 in epoch 0

2. start users in m
3. until state B/orders-eu-0=MIRRORING
4. until state B/orders-jp-0=MIRRORING
5. until leo B/orders-eu-0=2
            b-log   users desired: mirroring in mirror m
            b0      users-0, orders-eu-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      users-0, orders-eu-0 last mirrored position by a1: epoch -1
            b0      users-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      users-0 fetcher removed at 0
            b0      users-0 replicas have followed, log end 0
            b0      users-0 state MIRRORING stored by coordinator, PREPARING before
            b0      users-0, orders-eu-0 fetches from a0 at 0 (source leader epoch 0)
      5.0s  b-log   orders-eu, orders-jp is created, partitions: 1
            b-log   orders-eu, orders-jp desired: mirroring in mirror m, discovered
            b1      orders-jp-0 state PREPARING stored by coordinator, UNKNOWN before
      5.1s  b0      mirror m is synchronised with a1, requests to the controller: 1
            b0      orders-jp-0 last mirrored position by a1: epoch -1
            b0      orders-jp-0 fetches from a0 at 0 (source leader epoch 0)
      5.2s  b0      orders-eu-0, orders-jp-0 fetcher removed at 0
            b0      orders-eu-0, orders-jp-0 replicas have followed, log end 0
            b0      orders-eu-0 state MIRRORING stored by coordinator, PREPARING before
            b1      orders-jp-0 state MIRRORING stored by coordinator, PREPARING before
            b0      orders-eu-0, orders-jp-0 fetches from a0 at 0 (source leader epoch 0)
            b0      orders-eu-0 appends 0-1@0 from the source
  | A/orders-eu-0  0-1@0  leader a0 in epoch 0
  | B/orders-eu-0  0-1@0  high watermark 0  leader b0 in epoch 0
  |      b1: empty
  | A/orders-jp-0  empty  leader a0 in epoch 0
  | B/orders-jp-0  empty  leader b0 in epoch 0

6. stop in m pattern=orders-e.*
7. until state B/orders-eu-0=STOPPED
            b-log   mirror m from A is created or changed
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

8. stop in m pattern=orders-.*
9. until state B/orders-jp-0=STOPPED
10. until quiet
            b-log   mirror m from A is created or changed
            b-log   orders-jp desired: stopped in mirror m
            b1      orders-jp-0 state STOPPING stored by coordinator, MIRRORING before
            b0      orders-jp-0 fetcher removed at 0
            b1      orders-jp-0 last mirrored position stored: epoch -1
            b-log   orders-jp-0 leader epoch bumped to 1
            b0      orders-jp-0 appends reset 0@1 of its own
            b1      orders-jp-0 state STOPPED stored by coordinator, STOPPING before
            b0      orders-jp-0 is writable
  | A/orders-jp-0  empty  leader a0 in epoch 0
  | B/orders-jp-0  0:reset@1  leader b0 in epoch 1

11. after 20s produce q B/orders-eu-0 1
     25.3s  b0      orders-eu-0 appends 3@1 for a producer
            q       orders-eu-0 acknowledged at 3 by b0
  | A/orders-eu-0  0-1@0  leader a0 in epoch 0
  | B/orders-eu-0  0-1@0 2:reset@1 3@1  leader b0 in epoch 1

12. produce q B/orders-jp-0 1
            b0      orders-jp-0 appends 1@1 for a producer
            q       orders-jp-0 acknowledged at 1 by b0
  | A/orders-jp-0  empty  leader a0 in epoch 0
  | B/orders-jp-0  0:reset@1 1@1  leader b0 in epoch 1

orders-eu-0: B is in charge
  failover A -> B by mirror m: mirrored up to 2, source end 2, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 20.0s
  nothing is lost
orders-jp-0: B is in charge
  failover A -> B by mirror m: mirrored up to 0, source end 0, position epoch -1
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 20.0s
  nothing is lost
