F6-refused: --protocol first --set stop-from=mirroring-or-paused

The same as F6, but a stop is accepted of what is MIRRORING or PAUSED only, and this partition is FAILED.
The rule: the operator is told so, with INVALID_CLUSTER_MIRROR_STATE, and describe names the state and the reason: the topic is
not silently read-only. The way out is to recover it: for as long as the source is not given up again it is MIRRORING, and the
stop, asked once more, is accepted and comes to its end without the source.

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

10. after 5s stop t in m
     26.4s  b-admin t answered: INVALID_CLUSTER_MIRROR_STATE

11. describe B/t-0 in m
            b-admin t-0 described: desired mirroring, FAILED (no broker of the source answers), attempts 2, lag unknown, last mirrored epoch -1

12. produce q B/t-0 1
            q       t-0 refused: READ_ONLY_TOPIC

13. recover t in m
14. until state B/t-0=MIRRORING
            b-log   t desired: mirroring in mirror m, recoveries: 1
            b0      t-0 state MIRRORING stored by coordinator, FAILED before

15. stop t in m
16. until state B/t-0=STOPPED
17. until isr B/t-0=2
            b-log   t desired: stopped in mirror m, recoveries: 1
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

18. produce q B/t-0 1
19. until leo B/t-0@b1=5
            b0      t-0 appends 4@1 for a producer
            q       t-0 acknowledged at 4 by b0
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

20. live core=b0,b1 within 5m
            a-log   crashes
            a-c0    crashes

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end unknown, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
