C7-fail: --protocol first --set source-deleted=fail --set stop-from=any

As C7, with source-deleted=fail: what is to become of the copy is for the operator to say.
The rule: B is FAILED with the reason, for good: it is not tried again by itself. It keeps what it has and stays read-only until
the operator stops it. The report is of a failover then, and says that the source's topic was deleted.

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
7. until state B/t-0=FAILED
            a-log   t is deleted
            a0      t-0 replica removed with its log
            a1      t-0 replica removed with its log
      0.8s  b0      t-0 fetcher removed at 3
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: the source has deleted the topic; not tried again
  | B/t-0  0-2@0  leader b0 in epoch 0

8. produce q B/t-0 1
            q       t-0 refused: READ_ONLY_TOPIC

9. stop t in m
10. until state B/t-0=STOPPED
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, FAILED before
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

11. produce q B/t-0 1
12. until quiet
            b0      t-0 appends 4@1 for a producer
            q       t-0 acknowledged at 4 by b0
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end unknown, position epoch 0, the source had deleted the topic
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
