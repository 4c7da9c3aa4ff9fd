S7: --protocol first

Cluster B mirrored two topics of cluster A. orders was promoted and took a record of its own, users is paused. Then the leaders
of the __mirror_state partitions that hold their states move, and more is written to A.
The rule: a coordinator that has just loaded says what was stored, and nothing more. Nothing starts again: orders stays with
what it has, without another reset, and users does not fetch.

1. produce p A/orders-0 3
      0.1s  a0      orders-0 appends 0-2@0 for a producer
            p       orders-0 acknowledged at 0-2 by a0
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  empty  leader b0 in epoch 0
  | A/users-0  empty  leader a0 in epoch 0
  | B/users-0  empty  leader b0 in epoch 0

2. produce p A/users-0 3
            a0      users-0 appends 0-2@0 for a producer
            p       users-0 acknowledged at 0-2 by a0
  | A/users-0  0-2@0  leader a0 in epoch 0
  | B/users-0  empty  leader b0 in epoch 0

3. start orders users in m
4. until lag B/orders-0=0
5. until lag B/users-0=0
6. until quiet
      0.2s  b-log   users, orders desired: mirroring in mirror m
            b0      orders-0 state PREPARING stored by coordinator, UNKNOWN before
            b1      users-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      users-0, orders-0 last mirrored position by a1: epoch -1
            b0      users-0, orders-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      users-0, orders-0 fetcher removed at 0
            b0      users-0, orders-0 replicas have followed, log end 0
            b0      orders-0 state MIRRORING stored by coordinator, PREPARING before
            b1      users-0 state MIRRORING stored by coordinator, PREPARING before
            b0      users-0, orders-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      orders-0 appends 0-2@0 from the source
            b0      users-0 appends 0-2@0 from the source
  | A/users-0, orders-0  0-2@0  leader a0 in epoch 0
  | B/users-0, orders-0  0-2@0  leader b0 in epoch 0

7. stop orders in m
            b-log   orders desired: stopped in mirror m
            b0      orders-0 state STOPPING stored by coordinator, MIRRORING before
            b0      orders-0 fetcher removed at 3
            b0      orders-0 last mirrored position stored: epoch 0

8. pause users in m
9. until state B/orders-0=STOPPED
10. until state B/users-0=PAUSED
11. until quiet
            b-log   users desired: paused in mirror m
            b1      users-0 state PAUSING stored by coordinator, MIRRORING before
            b-log   orders-0 leader epoch bumped to 1
            b0      orders-0 appends reset 3@1 of its own
            b0      users-0 fetcher removed at 3
            b1      users-0 state PAUSED stored by coordinator, PAUSING before
            b0      orders-0 state STOPPED stored by coordinator, STOPPING before
            b0      orders-0 is writable
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  0-2@0 3:reset@1  leader b0 in epoch 1

12. produce q B/orders-0 1
            b0      orders-0 appends 4@1 for a producer
            q       orders-0 acknowledged at 4 by b0
  | A/orders-0  0-2@0  leader a0 in epoch 0
  | B/orders-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

13. elect coordinator B/m B/orders-0
            b-log   __mirror_state-0 elects b1: leader epoch 1
            b0      orders-0 cannot read its state: COORDINATOR_LOAD_IN_PROGRESS

14. elect coordinator B/m B/users-0
            b-log   __mirror_state-1 elects b0: leader epoch 1
            b0      users-0 cannot read its state: COORDINATOR_LOAD_IN_PROGRESS

15. produce p A/orders-0 1
            a0      orders-0 appends 3@0 for a producer
            p       orders-0 acknowledged at 3 by a0
  | A/orders-0  0-3@0  leader a0 in epoch 0
  | B/orders-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

16. produce p A/users-0 1
            a0      users-0 appends 3@0 for a producer
            p       users-0 acknowledged at 3 by a0
      0.5s  b0      orders-0 reads its state: STOPPED
            b0      users-0 reads its state: PAUSED
            b0      users-0 state PAUSED stored by coordinator, PAUSED before
  | A/users-0  0-3@0  leader a0 in epoch 0
  | B/users-0  0-2@0  leader b0 in epoch 0

17. after 1m describe B/users-0 in m
     60.4s  b-admin users-0 described: desired paused, PAUSED, lag unknown, last mirrored epoch -1

18. describe B/orders-0 in m
19. until quiet
            b-admin orders-0 described: desired stopped, STOPPED, lag unknown, last mirrored epoch 0

orders-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 60.0s
  after: 1 taken by the old source after the failover, and still there only
    A 3@0 record 9/7, acknowledged
