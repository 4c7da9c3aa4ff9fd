T7: --protocol first --set abort-failure=retry

Cluster B mirrored an open transaction of 2 records when it is stopped. Right before the ABORT marker is appended b1, which is in
the ISR, loses its link to b0 for 45 seconds: the marker is not below the high watermark within 30, and the append times out.
The rule: the append counts as failed until the marker is committed, and the stop waits. Only then the reset follows, and the last
stable offset passes it. The marker that is in the log already is waited for, and not appended twice.

1. produce tx A/t-0 2
      0.1s  a1      transaction of tx is Ongoing, Empty before: producer id 0 epoch 0, partitions: 1
            a0      t-0 appends 0-1@0 for a producer
            tx      t-0 acknowledged at 0-1 by a0
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
5. until quiet
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

6. fault cut b1>b0 for 45s at-point stop.epoch-bumped

7. stop t in m
8. until leo B/t-0=3
            b-log   t desired: stopped in mirror m
            b2      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 2
            b2      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b1      link to b0 is cut
            b0      t-0 appends abort 2@1 of its own
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  0-1@0 2:abort@1  high watermark 2  leader b0 in epoch 1
  |      b1: 0-1@0

9. after 35s describe B/t-0 in m
10. until state B/t-0=STOPPED
11. until quiet
     35.4s  b-admin t-0 described: desired stopped, STOPPING, lag unknown, last mirrored epoch 0
     45.4s  b1      link to b0 works
     46.4s  b0      t-0 appends reset 3@1 of its own
            b2      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  0-1@0 2:abort@1 3:reset@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 2, source end 2, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
