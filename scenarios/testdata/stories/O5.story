O5: --protocol first

A group on cluster A has read 5 records when the pass runs that brings its offset to cluster B; it reads 5 more, which B
mirrors as well, and commits 10 on A. Before the next pass B is stopped, and the group moves there.
The rule: what a group has committed since the last pass it reads again, and passes over nothing: it goes on at 5 and reads
5 records for the second time. The report counts them.

1. produce p A/t-0 5
      0.1s  a0      t-0 appends 0-4@0 for a producer
            p       t-0 acknowledged at 0-4 by a0
  | A/t-0  0-4@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. consume g A/t-0

3. start t in m
4. until committed g B/t-0=5
            g       joins its group on A, generation 1
            g       t-0 has no committed offset
            g       t-0 read 0-4
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-4@0 from the source
      5.1s  a1      t-0 offset of group g stored: 5@0, by its member
     60.1s  b1      t-0 offset of group g stored: 5@0, by the mirror
  | A/t-0  0-4@0  leader a0 in epoch 0
  | B/t-0  0-4@0  leader b0 in epoch 0

5. produce p A/t-0 5
6. until read g=10
7. until lag B/t-0=0
8. until leo B/t-0=10
            a0      t-0 appends 5-9@0 for a producer
            g       t-0 read 5-9
            p       t-0 acknowledged at 5-9 by a0
            b0      t-0 appends 5-9@0 from the source
            a1      t-0 offset of group g stored: 10@0, by its member
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-9@0  high watermark 6  leader b0 in epoch 0
  |      b1: 0-5@0

9. leave g
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-9@0  leader b0 in epoch 0

10. stop t in m
11. until state B/t-0=STOPPED
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 10
            b0      t-0 last mirrored position stored: epoch 0
     60.2s  b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 10@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-9@0 10:reset@1  leader b0 in epoch 1

12. consume g B/t-0
13. until committed g B/t-0=11
            g       joins its group on B, generation 1
     60.3s  g       t-0 committed offset is 5@0
     60.4s  g       t-0 read 5-10
     65.3s  b1      t-0 offset of group g stored: 11@1, by its member

14. leave g on B

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 10, source end 10, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 5.2s
  nothing is lost
  group g on B: 5 records read again, 0 passed over
