T2: --protocol first --set fetch-bound=hw

A transaction is open on cluster A at offset 2, between other records; A's high watermark is 10. Cluster B mirrors up to the
high watermark, so it has all 10 when A is given up.
The rule: nothing is missing. The stop appends an ABORT marker at 10 and its reset at 11. Cut to the last stable offset
instead, B would lose 8 records, 7 of which have nothing to do with the transaction.

1. produce p A/t-0 2
      0.1s  a0      t-0 appends 0-1@0 for a producer
            p       t-0 acknowledged at 0-1 by a0
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. produce tx A/t-0 1
            a1      transaction of tx is Ongoing, Empty before: producer id 1000 epoch 0, partitions: 1
            a0      t-0 appends 2@0 for a producer
            tx      t-0 acknowledged at 2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. produce p A/t-0 7
4. until quiet
            a0      t-0 appends 3-9@0 for a producer
            p       t-0 acknowledged at 3-9 by a0
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

5. start t in m
6. until state B/t-0=MIRRORING
7. until lag B/t-0=0
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-9@0 from the source
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-9@0  leader b0 in epoch 0

8. stop t in m
9. until state B/t-0=STOPPED
10. until quiet
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 10
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends abort 10@1 of its own
            b0      t-0 appends reset 11@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-9@0 10:abort@1 11:reset@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 10, source end 10, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  nothing is lost
