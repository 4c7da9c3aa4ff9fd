O4: --protocol first

A group on cluster A has committed 2 for three topics. Cluster B mirrors the first, has been a mirror of the second and is
stopped, and has the third as a topic of its own.
The rule: offsets come for the topic that is being mirrored, and for no other.

1. start t u in m
2. until state B/u-0=MIRRORING
      0.1s  b-log   t, u desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b1      u-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      t-0, u-0 last mirrored position by a1: epoch -1
            b0      t-0, u-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0, u-0 fetcher removed at 0
            b0      t-0, u-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b1      u-0 state MIRRORING stored by coordinator, PREPARING before
  | A/t-0, u-0, v-0  empty  leader a0 in epoch 0
  | B/t-0, u-0, v-0  empty  leader b0 in epoch 0

3. stop u in m
4. until state B/u-0=STOPPED
            b-log   u desired: stopped in mirror m
            b1      u-0 state STOPPING stored by coordinator, MIRRORING before
            b0      u-0 fetcher removed at 0
            b1      u-0 last mirrored position stored: epoch -1
            b-log   u-0 leader epoch bumped to 1
            b0      u-0 appends reset 0@1 of its own
            b1      u-0 state STOPPED stored by coordinator, STOPPING before
  | A/u-0  empty  leader a0 in epoch 0
  | B/u-0  0:reset@1  leader b0 in epoch 1

5. produce p A/t-0 2
            b0      u-0 is writable
            a0      t-0 appends 0-1@0 for a producer
            p       t-0 acknowledged at 0-1 by a0
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

6. produce p A/u-0 2
            a0      u-0 appends 0-1@0 for a producer
            p       u-0 acknowledged at 0-1 by a0
  | A/u-0  0-1@0  leader a0 in epoch 0
  | B/u-0  0:reset@1  leader b0 in epoch 1

7. produce p A/v-0 2
            a0      v-0 appends 0-1@0 for a producer
            p       v-0 acknowledged at 0-1 by a0
  | A/v-0  0-1@0  leader a0 in epoch 0
  | B/v-0  empty  leader b0 in epoch 0

8. consume g A/t-0

9. consume g A/u-0

10. consume g A/v-0
11. until committed g A/t-0=2
12. until committed g A/u-0=2
13. until committed g A/v-0=2
14. until committed g B/t-0=2
            g       joins its group on A, generation 1
            g       t-0, u-0, v-0 has no committed offset
            g       t-0, u-0, v-0 read 0-1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
            b0      t-0 appends 0-1@0 from the source
      5.3s  a1      t-0, u-0, v-0 offset of group g stored: 2@0, by its member
     60.1s  b1      t-0 offset of group g stored: 2@0, by the mirror
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  0-1@0  leader b0 in epoch 0

15. after 130s describe B/t-0 in m
    190.1s  b-admin t-0 described: desired mirroring, MIRRORING, lag 0, last mirrored epoch -1

u-0: B is in charge
  failover A -> B by mirror m: mirrored up to 0, source end 0, position epoch -1
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 189.8s
  after: 2 taken by the old source after the failover, and still there only
    A 0@0 record 9/3, acknowledged
    A 1@0 record 9/4, acknowledged
