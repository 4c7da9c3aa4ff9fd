C7: --protocol first --set source-deleted=stop

Cluster B mirrors 3 records of cluster A when the topic is deleted at A. With source-deleted=stop the mirror stops it: a deletion
at the source promotes the destination, and nobody at B has asked for that.
The rule: B keeps what it has, appends its reset, and is writable; the loss report says that it was the deletion of the source's
topic which put B in charge.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until leo B/t-0=3
5. until quiet
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

6. delete-topics t on A
7. until state B/t-0=STOPPED
            a-log   t is deleted
            a0      t-0 replica removed with its log
            a1      t-0 replica removed with its log
      0.8s  b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

8. produce q B/t-0 1
9. until quiet
            b0      t-0 appends 4@1 for a producer
            q       t-0 acknowledged at 4 by b0
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end unknown, position epoch 0, the source had deleted the topic, and that put B in charge (source-deleted=stop)
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
