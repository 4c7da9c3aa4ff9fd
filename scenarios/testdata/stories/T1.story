T1: --protocol first

Cluster A has a record of an open transaction, one of no transaction, and one of another open transaction. Cluster B mirrored
all three when A is given up: the coordinators that could end the two transactions are A's.
The rule: the stop aborts them on B, with one ABORT marker each in the order of their producers, before its reset. Readers of
committed records then get to the end and see the one plain record. Cut to the last stable offset instead, B would lose all
three, the plain one, acknowledged and mirrored, among them.

1. produce tx A/t-0 1
      0.1s  a1      transaction of tx is Ongoing, Empty before: producer id 0 epoch 0, partitions: 1
            a0      t-0 appends 0@0 for a producer
            tx      t-0 acknowledged at 0 by a0
  | A/t-0  0@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. produce p A/t-0 1
            a0      t-0 appends 1@0 for a producer
            p       t-0 acknowledged at 1 by a0
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. produce ty A/t-0 1
            a0      transaction of ty is Ongoing, Empty before: producer id 1001 epoch 0, partitions: 1
            a0      t-0 appends 2@0 for a producer
            ty      t-0 acknowledged at 2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

4. start t in m
5. until state B/t-0=MIRRORING
6. until lag B/t-0=0
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0

7. stop t in m
8. until state B/t-0=STOPPED
9. until quiet
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends abort 3@1 of its own
            b0      t-0 appends abort 4@1 of its own
            b0      t-0 appends reset 5@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3-4:abort@1 5:reset@1  leader b0 in epoch 1

10. consume r B/t-0 read-committed
11. until read r=1
            r       t-0 read 0-5

12. after 2s elect B/t-0
13. until quiet
      2.4s  b-log   t-0 elects b1: leader epoch 2
            b0      t-0 is read-only
            b1      t-0 reads its state: STOPPED
            b0      t-0 state STOPPED stored by coordinator, STOPPED before
            b1      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3-4:abort@1 5:reset@1  leader b1 in epoch 2

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 2.0s
  nothing is lost
