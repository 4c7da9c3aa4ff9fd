T6-unverified: --protocol first

The same as T6, but cluster B does not verify the first batch of a transaction at its coordinator.
The rule: the batch is appended, and its transaction hangs, for B's coordinator has never heard of the id and is never going
to end it. The last stable offset stays where it begins, and the report lists it. The commit fails all the same.

1. produce p A/t-0 1
      0.1s  a0      t-0 appends 0@0 for a producer
            p       t-0 acknowledged at 0 by a0
  | A/t-0  0@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. produce tx A/t-0 2
            a1      transaction of tx is Ongoing, Empty before: producer id 1000 epoch 0, partitions: 1
            a0      t-0 appends 1-2@0 for a producer
            tx      t-0 acknowledged at 1-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. start t in m
4. until state B/t-0=MIRRORING
5. until lag B/t-0=0
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

6. stop t in m
7. until state B/t-0=STOPPED
8. until quiet
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends abort 3@1 of its own
            b0      t-0 appends reset 4@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:abort@1 4:reset@1  leader b0 in epoch 1

9. produce tx B/t-0 1
            b0      t-0 appends 5@1 for a producer
      0.5s  tx      t-0 acknowledged at 5 by b0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:abort@1 4:reset@1 5@1  leader b0 in epoch 1

10. commit tx on B
11. until quiet
            tx      commits its transaction on B (producer id 1000 epoch 0)
            tx      commit of its transaction answered: INVALID_PRODUCER_ID_MAPPING

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.2s
  hanging: 1 transaction that no coordinator is going to end
    B t-0 producer 1000 epoch 0 from 5, for 101ms
