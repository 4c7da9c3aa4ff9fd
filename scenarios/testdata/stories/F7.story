F7: --protocol first --set reverse-check=checked

Cluster B mirrors 3 records of cluster A. By mistake the operator starts the reverse mirror on A before he has stopped the
one on B. Nothing was ever stopped, so B has no last mirrored position to tell A.
The rule: B says that it still mirrors from A. A is FAILED with that reason and keeps its records, and B goes on. Once B is
stopped a recover brings A on. Without the check A takes "no position" for "nothing in common" and is cut to nothing, and B,
which finds its source's log shorter than its own, is cut as well: the records are gone on both sides.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in B/m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
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

5. start t in A/m
6. until state A/t-0=FAILED
            a-log   t desired: mirroring in mirror m
            a0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            a0      t-0 lookup at b1 failed: INVALID_CLUSTER_MIRROR_STATE
            a0      t-0 state FAILED stored by coordinator, PREPARING before: the reverse mirror is active; attempt 1
      1.4s  a0      t-0 state PREPARING stored by coordinator, FAILED before
      1.5s  a0      t-0 lookup at b0 failed: INVALID_CLUSTER_MIRROR_STATE
            a0      t-0 state FAILED stored by coordinator, PREPARING before: the reverse mirror is active; attempt 1
      2.5s  a0      t-0 state PREPARING stored by coordinator, FAILED before
            a0      t-0 lookup at b1 failed: INVALID_CLUSTER_MIRROR_STATE
            a0      t-0 state FAILED stored by coordinator, PREPARING before: the reverse mirror is active; attempt 1
      3.5s  a0      t-0 state PREPARING stored by coordinator, FAILED before
      3.6s  a0      t-0 lookup at b0 failed: INVALID_CLUSTER_MIRROR_STATE
            a0      t-0 state FAILED stored by coordinator, PREPARING before: the reverse mirror is active; attempt 1
      4.6s  a0      t-0 state PREPARING stored by coordinator, FAILED before
            a0      t-0 lookup at b1 failed: INVALID_CLUSTER_MIRROR_STATE
            a0      t-0 state FAILED stored by coordinator, PREPARING before: the reverse mirror is active; attempt 1
      5.6s  a0      t-0 state PREPARING stored by coordinator, FAILED before
      5.7s  a0      t-0 lookup at b0 failed: INVALID_CLUSTER_MIRROR_STATE
            a0      t-0 state FAILED stored by coordinator, PREPARING before: the reverse mirror is active; attempt 1
      6.7s  a0      t-0 state PREPARING stored by coordinator, FAILED before
            a0      t-0 lookup at b1 failed: INVALID_CLUSTER_MIRROR_STATE
            a0      t-0 state FAILED stored by coordinator, PREPARING before: the reverse mirror is active; attempt 1
      7.7s  a0      t-0 state PREPARING stored by coordinator, FAILED before
            a0      t-0 lookup at b0 failed: INVALID_CLUSTER_MIRROR_STATE
            a0      t-0 state FAILED stored by coordinator, PREPARING before: the reverse mirror is active; attempt 1
      8.7s  a0      t-0 state PREPARING stored by coordinator, FAILED before
      8.8s  a0      t-0 lookup at b1 failed: INVALID_CLUSTER_MIRROR_STATE
            a0      t-0 state FAILED stored by coordinator, PREPARING before: the reverse mirror is active; attempt 1
      9.8s  a0      t-0 state PREPARING stored by coordinator, FAILED before
            a0      t-0 lookup at b0 failed: INVALID_CLUSTER_MIRROR_STATE
            a0      t-0 state FAILED stored by coordinator, PREPARING before: the reverse mirror is active; attempt 1

7. after 10s elect coordinator B/m B/t-0
     10.4s  b-log   __mirror_state-0 elects b1: leader epoch 1
            b0      t-0 cannot read its state: COORDINATOR_LOAD_IN_PROGRESS

8. stop t in B/m
9. until state B/t-0=STOPPED
            b-log   t desired: stopped in mirror m
     10.5s  b0      t-0 reads its state: MIRRORING
            b1      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b1      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
     10.6s  b1      t-0 state STOPPED stored by coordinator, STOPPING before
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

10. recover t in A/m
11. until state A/t-0=MIRRORING
12. until lag A/t-0=0
13. until quiet
            b0      t-0 is writable
            a-log   t desired: mirroring in mirror m, recoveries: 1
            a0      t-0 state PREPARING stored by coordinator, FAILED before
            a0      t-0 last mirrored position by b1: epoch 0
            a0      t-0 keeps all up to 3: aligned to the last mirrored position
            a0      t-0 fetches from b0 at 3 (source leader epoch 1)
     10.7s  a0      t-0 fetcher removed at 3
            a0      t-0 replicas have followed, log end 3
            a0      t-0 state MIRRORING stored by coordinator, PREPARING before
            a0      t-0 fetches from b0 at 3 (source leader epoch 1)
     10.8s  a0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            a0      t-0 fetcher removed at 3 (2 times)
            a-log   t-0 leader epoch bumped to 1
            a0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
            a0      t-0 fetches from b0 at 3 (source leader epoch 1)
     10.9s  a0      t-0 appends reset 3@1 from the source
  | A/t-0  0-2@0 3:reset@1  leader a0 in epoch 1
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 0
  nothing is lost
