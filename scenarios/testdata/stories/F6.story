F6: --protocol first --set stop-from=any

Cluster A burns down while cluster B mirrors 3 records of it. The partition is FAILED, is tried again once, and then no more.
The operator stops the topic.
The rule: a stop needs nothing of the source, and is accepted in FAILED. B comes to STOPPED, has what it mirrored, and takes
the writes of clients. What may never be is a topic that is refused to clients and to the operator alike.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
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

6. fault crash a0
            a0      crashes

7. fault crash a1
8. until state B/t-0=FAILED
9. until attempts B/t-0=2
            a1      crashes
      9.0s  a-log   a0 is fenced
            a-log   t-0, __mirror_state-0 elects a1: leader epoch 1
            a-log   a1 is fenced
            a-log   t-0, __mirror_state-0 has no leader: leader epoch 2
            a-log   __mirror_state-1 has no leader: leader epoch 1
     10.4s  b0      t-0 fetcher removed at 3
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: no broker of the source answers; attempt 1
     11.4s  b0      t-0 state MIRRORING stored by coordinator, FAILED before
     21.4s  b0      t-0 fetcher removed at 3
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: no broker of the source answers; attempt 2
  | B/t-0  0-2@0  leader b0 in epoch 0

10. produce q B/t-0 1
            q       t-0 refused: READ_ONLY_TOPIC

11. stop t in m
12. until state B/t-0=STOPPED
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, FAILED before
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

13. produce q B/t-0 1
14. until isr B/t-0=2
            b0      t-0 appends 4@1 for a producer
            q       t-0 acknowledged at 4 by b0
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

15. live core=b0,b1 within 5m
            a-log   crashes
            a-c0    crashes

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end unknown, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
