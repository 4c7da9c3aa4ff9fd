O2: --protocol first

A group on cluster A has read and committed 50 records. Cluster B mirrors them, and its offset, and is stopped. The group
moves to B, and commits what it reads there.
The rule: it commits 51, as the producer reset takes an offset, and that is B's alone from now on: it stays over three
intervals of the sync, though the group on A still has 50.

1. produce p A/t-0 50 batch=10
      0.1s  a0      t-0 appends 0-49@0 for a producer
            p       t-0 acknowledged at 0-40 by a0
  | A/t-0  0-49@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. consume g A/t-0
3. until read g=50
            g       joins its group on A, generation 1
            g       t-0 has no committed offset
            g       t-0 read 0-49

4. leave g
            a1      t-0 offset of group g stored: 50@0, by its member

5. start t in m
6. until committed g B/t-0=50
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-49@0 from the source
     60.1s  b1      t-0 offset of group g stored: 50@0, by the mirror
  | A/t-0  0-49@0  leader a0 in epoch 0
  | B/t-0  0-49@0  leader b0 in epoch 0

7. stop t in m
8. until state B/t-0=STOPPED
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 50
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 50@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-49@0  leader a0 in epoch 0
  | B/t-0  0-49@0 50:reset@1  leader b0 in epoch 1

9. consume g B/t-0
10. until committed g B/t-0=51
     60.2s  g       joins its group on B, generation 1
            g       t-0 committed offset is 50@0
     60.3s  g       t-0 read 50
     65.2s  b1      t-0 offset of group g stored: 51@1, by its member

11. leave g on B

12. after 190s describe B/t-0 in m
    255.3s  b-admin t-0 described: desired stopped, STOPPED, lag unknown, last mirrored epoch 0

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 50, source end 50, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 195.2s
  nothing is lost
