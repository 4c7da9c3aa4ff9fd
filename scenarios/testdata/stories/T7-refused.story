T7-refused: --protocol first --set abort-failure=retry

Cluster B mirrored an open transaction of 2 records, and needs 2 in-sync replicas. b1 is down and out of the ISR when B is stopped:
the append of the ABORT marker is refused.
The rule: it is done again, and only then the reset follows. The last stable offset passes the reset. A stop that goes on
without its marker leaves the transaction open for ever, and readers of committed records never get past it.

1. produce tx A/t-0 2
      0.1s  a1      transaction of tx is Ongoing, Empty before: producer id 0 epoch 0, partitions: 1
            a0      t-0 appends 0-1@0 for a producer
            tx      t-0 acknowledged at 0-1 by a0
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
      0.2s  b-log   t desired: mirroring in mirror m
            b2      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b2      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-1@0 from the source
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  0-1@0  leader b0 in epoch 0

5. fault crash b1 for 40s
6. until isr B/t-0=1
            b1      crashes
      9.0s  b-log   b1 is fenced
            b-log   t-0 ISR is { b0 }
            b-log   __transaction_state-1 elects b2: leader epoch 1

7. stop t in m
8. until state B/t-0=STOPPED within 1s or-go-on
9. until state B/t-0=STOPPED
10. until quiet
     39.1s  b-log   t desired: stopped in mirror m
            b2      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 2
            b2      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
     40.4s  b1      starts again (incarnation 2)
            b-log   b1 is fenced
            b-log   b1 is unfenced
     40.9s  b-log   t-0 ISR is { b0 b1 }
     41.6s  b0      t-0 appends abort 2@1 of its own
            b0      t-0 appends reset 3@1 of its own
            b2      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  0-1@0 2:abort@1 3:reset@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 2, source end 2, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
