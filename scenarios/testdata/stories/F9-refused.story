F9-refused: --protocol first --set stop-from=mirroring --set source-deleted=fail

The same as F9, but a stop is accepted of what mirrors only. Three topics of one mirror are stopped in one request: orders is
MIRRORING, users is PAUSED, and logs is FAILED, because the topic was deleted at the source.
The rule: each topic has its own result. orders is stopped, with its reset behind what was mirrored; users and logs are
refused, each with the reason why, and stay what they are. The operator sees which is which from the one answer.

1. produce p A/orders-0 1
      0.1s  a0      orders-0 appends 0@0 for a producer
            p       orders-0 acknowledged at 0 by a0
  | A/orders-0  0@0  leader a0 in epoch 0
  | B/orders-0  empty  leader b0 in epoch 0
  | A/logs-0, users-0  empty  leader a0 in epoch 0
  | B/logs-0, users-0  empty  leader b0 in epoch 0

2. produce p A/users-0 2
            a0      users-0 appends 0-1@0 for a producer
            p       users-0 acknowledged at 0-1 by a0
  | A/users-0  0-1@0  leader a0 in epoch 0
  | B/users-0  empty  leader b0 in epoch 0

3. produce p A/logs-0 3
            a0      logs-0 appends 0-2@0 for a producer
            p       logs-0 acknowledged at 0-2 by a0
  | A/logs-0  0-2@0  leader a0 in epoch 0
  | B/logs-0  empty  leader b0 in epoch 0

4. start orders users logs in m
5. until lag B/orders-0=0
6. until lag B/users-0=0
7. until lag B/logs-0=0
8. until quiet
      0.2s  b-log   logs, users, orders desired: mirroring in mirror m
            b0      logs-0, orders-0 state PREPARING stored by coordinator, UNKNOWN before
            b1      users-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      logs-0, users-0, orders-0 last mirrored position by a1: epoch -1
            b0      logs-0, users-0, orders-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      logs-0, users-0, orders-0 fetcher removed at 0
            b0      logs-0, users-0, orders-0 replicas have followed, log end 0
            b0      logs-0, orders-0 state MIRRORING stored by coordinator, PREPARING before
            b1      users-0 state MIRRORING stored by coordinator, PREPARING before
            b0      logs-0, users-0, orders-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      logs-0, users-0, orders-0 appends 0@0 from the source
            b0      logs-0 appends 1-2@0 from the source
            b0      users-0 appends 1@0 from the source
  | A/orders-0  0@0  leader a0 in epoch 0
  | B/orders-0  0@0  leader b0 in epoch 0
  | A/users-0  0-1@0  leader a0 in epoch 0
  | B/users-0  0-1@0  leader b0 in epoch 0
  | A/logs-0  0-2@0  leader a0 in epoch 0
  | B/logs-0  0-2@0  leader b0 in epoch 0

9. pause users in m
10. until state B/users-0=PAUSED
            b-log   users desired: paused in mirror m
            b1      users-0 state PAUSING stored by coordinator, MIRRORING before
            b0      users-0 fetcher removed at 2
            b1      users-0 state PAUSED stored by coordinator, PAUSING before

11. delete-topics logs on A
12. until state B/logs-0=FAILED
            a-log   logs is deleted
            a0      logs-0 replica removed with its log
            a1      logs-0 replica removed with its log
      0.8s  b0      logs-0 fetcher removed at 3
            b0      logs-0 state FAILED stored by coordinator, MIRRORING before: the source has deleted the topic; not tried again
  | B/logs-0  0-2@0  leader b0 in epoch 0

13. stop orders users logs in m
14. until state B/orders-0=STOPPED
15. until quiet within 30s or-go-on
            b-log   orders desired: stopped in mirror m
            b0      orders-0 state STOPPING stored by coordinator, MIRRORING before
            b-admin users answered: MIRROR_TOPIC_ALREADY_PAUSED
            b-admin logs answered: INVALID_CLUSTER_MIRROR_STATE
            b0      orders-0 fetcher removed at 1
            b0      orders-0 last mirrored position stored: epoch 0
            b-log   orders-0 leader epoch bumped to 1
            b0      orders-0 appends reset 1@1 of its own
            b0      orders-0 state STOPPED stored by coordinator, STOPPING before
            b0      orders-0 is writable
  | A/orders-0  0@0  leader a0 in epoch 0
  | B/orders-0  0@0 1:reset@1  leader b0 in epoch 1

orders-0: B is in charge
  failover A -> B by mirror m: mirrored up to 1, source end 1, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 150.0s
  nothing is lost
