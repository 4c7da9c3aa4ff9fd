S3: --protocol first

Cluster B was promoted and is started again as a mirror. b0, its leader of epoch 1, writes PREPARING, but the link to the
coordinator on b2 is slow and the write 8 seconds on its way. Meanwhile b0 is deposed; b1, the leader of epoch 2, mirrors
and, as the operator has changed his mind, stores STOPPED. Then the write arrives. (PREPARING, because it may follow STOPPED.)
The rule: a write of a leader epoch below one that was stored is answered with FENCED_LEADER_EPOCH, and the state stays
STOPPED. Without the fence a leader that nobody has any more puts a promoted partition back into PREPARING.

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

8. fault delay b0>b2 by=8s
            b0      link to b2 takes 8s longer

9. start t in m
            b-log   t desired: mirroring in mirror m
            b0      t-0 is read-only

10. elect B/t-0 to=b1
            b-log   t-0 elects b1: leader epoch 2
            b1      t-0 reads its state: STOPPED
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b1 in epoch 2

11. fault heal b0>b2
12. until state B/t-0=MIRRORING
13. until lag B/t-0=0
            b0      link to b2 works
            b2      t-0 state PREPARING stored by coordinator, STOPPED before
      0.5s  b1      t-0 last mirrored position by a1: epoch -1
            b1      t-0 cut from 4 to 3: aligned to the last mirrored position
            b1      t-0 tells b0: diverging, epoch 0 ends at 3
            b0      t-0 cut from 4 to 3: diverged
            b1      t-0 fetches from a0 at 3 (source leader epoch 0)
            b1      t-0 fetcher removed at 3
            b1      t-0 replicas have followed, log end 3
            b2      t-0 state MIRRORING stored by coordinator, PREPARING before
      0.6s  b1      t-0 fetches from a0 at 3 (source leader epoch 0)
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b1 in epoch 2

14. stop t in m
15. until state B/t-0=STOPPED
16. until quiet
      1.1s  b-log   t desired: stopped in mirror m
            b2      t-0 state STOPPING stored by coordinator, MIRRORING before
            b1      t-0 fetcher removed at 3
            b2      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 3
            b1      t-0 appends reset 3@3 of its own
            b2      t-0 state STOPPED stored by coordinator, STOPPING before
            b1      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@3  leader b1 in epoch 3

17. after 9s describe B/t-0 in m
     10.1s  b-admin t-0 described: desired stopped, STOPPED, lag unknown, last mirrored epoch 0

18. produce q B/t-0 1
19. until quiet
            b1      t-0 appends 4@3 for a producer
            q       t-0 acknowledged at 4 by b1
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@3 4@3  leader b1 in epoch 3

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0, undone
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment B <- A by mirror m: position epoch 0
  both sides were writable for 9.1s
  nothing is lost
