S5: --protocol first --set stop-from=any

Cluster B mirrors 3 records of cluster A. The operator pauses the topic, and at once stops it: PAUSING, on a slow link to the
coordinator on b2, is not stored yet.
The rule: the stop is accepted and wins. What is under way is finished, or given up, and the partition comes to STOPPED and is
writable; it does not stay in PAUSED because that was asked first.

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
      0.2s  b2      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b2      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0

6. fault delay b0>b2 by=3s
            b0      link to b2 takes 3s longer

7. pause t in m
            b-log   t desired: paused in mirror m

8. stop t in m
            b-log   t desired: stopped in mirror m

9. fault heal b0>b2
10. until state B/t-0=STOPPED within 1m
11. until quiet
            b0      link to b2 works
      2.4s  b0      t-0 fetches from a0 at 3 (source leader epoch 0)
      3.4s  b2      t-0 state PAUSING stored by coordinator, MIRRORING before
            b2      t-0 state PAUSING stored by coordinator, PAUSING before
            b0      t-0 fetcher removed at 3
            b2      t-0 state PAUSED stored by coordinator, PAUSING before
            b2      t-0 state STOPPING stored by coordinator, PAUSED before
            b2      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b2      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

12. produce q B/t-0 1
13. until quiet
            b0      t-0 appends 4@1 for a producer
            q       t-0 acknowledged at 4 by b0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  nothing is lost
