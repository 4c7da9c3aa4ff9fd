T8: --protocol first

A transaction on cluster A wrote a record and was committed, but the marker is on a0 only, and an unclean election makes a1
the leader: the transaction's coordinator has nothing left to do, and on A it is open for ever. Cluster B mirrors that.
The rule: the stop of B ends it with an ABORT marker at 1, and readers on B get past it. Cut to the last stable offset
instead, B would lose the record and all that may stand behind it.

1. produce tx A/t-0 1
2. until quiet
      0.1s  a0      transaction of tx is Ongoing, Empty before: producer id 0 epoch 0, partitions: 1
            a0      t-0 appends 0@0 for a producer
            tx      t-0 acknowledged at 0 by a0
  | A/t-0  0@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. fault cut a1>a0
4. until isr A/t-0=1
            a1      link to a0 is cut
     30.1s  a-log   t-0 ISR is { a0 }

5. commit tx
            tx      commits its transaction on A (producer id 0 epoch 0)
            a0      transaction of tx is PrepareCommit, Ongoing before: producer id 0 epoch 1, partitions: 1
            a0      t-0 appends commit 1@0 for the transaction coordinator
            a0      transaction of tx is CompleteCommit, PrepareCommit before: producer id 0 epoch 1, partitions: 0
            tx      commit of its transaction answered: NONE
  | A/t-0  0@0 1:commit@0  leader a0 in epoch 0
  |      a1: 0@0
  | B/t-0  empty  leader b0 in epoch 0

6. elect A/t-0 to=a1 unclean
            a-log   t-0 elects a1 uncleanly: leader epoch 1
            a1      t-0 tells a0: diverging, epoch 0 ends at 1
  | A/t-0  0@0  leader a1 in epoch 1
  |      a0: 0@0 1:commit@0
  | B/t-0  empty  leader b0 in epoch 0

7. fault heal a1>a0
8. until isr A/t-0=2
            a1      link to a0 works
     32.1s  a1      t-0 tells a0: diverging, epoch 0 ends at 1
            a0      t-0 cut from 2 to 1: diverged
            a-log   t-0 ISR is { a0 a1 }
  | A/t-0  0@0  leader a1 in epoch 1
  | B/t-0  empty  leader b0 in epoch 0

9. start t in m
10. until state B/t-0=MIRRORING
11. until lag B/t-0=0
12. until epoch B/t-0=1
     32.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a1 at 0 (source leader epoch 1)
     32.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a1 at 0 (source leader epoch 1)
     32.4s  b0      t-0 appends 0@0 from the source
     42.3s  b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 1 (2 times)
            b-log   t-0 leader epoch bumped to 1
  | A/t-0  0@0  leader a1 in epoch 1
  | B/t-0  0@0  leader b0 in epoch 1

13. stop t in m
14. until state B/t-0=STOPPED
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 1
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 2
            b0      t-0 appends abort 1@2 of its own
            b0      t-0 appends reset 2@2 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0@0  leader a1 in epoch 1
  | B/t-0  0@0 1:abort@2 2:reset@2  leader b0 in epoch 2

15. produce q B/t-0 1
            b0      t-0 appends 3@2 for a producer
            q       t-0 acknowledged at 3 by b0
  | A/t-0  0@0  leader a1 in epoch 1
  | B/t-0  0@0 1:abort@2 2:reset@2 3@2  leader b0 in epoch 2

16. consume r B/t-0 read-committed
17. until read r=1
18. until quiet
            r       t-0 read 0-3

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 1, source end 1, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  hanging: 1 transaction that no coordinator is going to end
    A t-0 producer 0 epoch 0 from 0, for 42233ms
