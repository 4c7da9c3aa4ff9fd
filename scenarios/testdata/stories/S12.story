S12: --protocol first --set unknown-state=read-only

Cluster B was promoted, and the leadership of its partition moves to b1. b1 knows that the topic belongs to a mirror and was
stopped, but its question about the state takes 3 seconds to the coordinator on b2. A client writes at once.
The rule: a leader that does not know the state takes no client's write: the topic may have been started again. As soon as
the answer says STOPPED it takes them.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
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

5. stop t in m
6. until state B/t-0=STOPPED
7. until quiet
            b-log   t desired: stopped in mirror m
            b2      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b2      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b2      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

8. fault delay b1>b2 by=3s
            b1      link to b2 takes 3s longer

9. elect B/t-0 to=b1
            b-log   t-0 elects b1: leader epoch 2
            b0      t-0 is read-only
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b1 in epoch 2

10. produce q B/t-0 1
            q       t-0 refused: READ_ONLY_TOPIC

11. fault heal b1>b2
            b1      link to b2 works
      3.4s  b1      t-0 reads its state: STOPPED
            b2      t-0 state STOPPED stored by coordinator, STOPPED before
            b1      t-0 is writable

12. after 5s produce q B/t-0 1
13. until quiet
      5.4s  b1      t-0 appends 4@2 for a producer
            q       t-0 acknowledged at 4 by b1
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1 4@2  leader b1 in epoch 2

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 2.0s
  nothing is lost
