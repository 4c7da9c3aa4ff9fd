S4-cut: --protocol first

The same as S4, but it is not b2 that goes down: the link from b0 to it is cut for a second, and the position is lost on it.
The rule: the leader waits for the answer, and sends the position again. The failback then cuts A's own 2 records only. If it
does not wait, nobody sends it again; STOPPED is, and is stored. The failback is answered -1, as if nothing had ever been
mirrored: A gives up all of its 5 records and copies B from offset 0, and nobody is told why.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in B/m
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

5. fault cut b0>b2 for 1s at-point stop.fetcher-removed

6. stop t in B/m
7. until state B/t-0=STOPPED
8. until quiet
            b-log   t desired: stopped in mirror m
            b2      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b0      link to b2 is cut
      1.4s  b0      link to b2 works
      2.4s  b2      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b2      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

9. produce p A/t-0 2
            a0      t-0 appends 3-4@0 for a producer
            p       t-0 acknowledged at 3-4 by a0
  | A/t-0  0-4@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

10. produce q B/t-0 1
            b0      t-0 appends 4@1 for a producer
            q       t-0 acknowledged at 4 by b0
  | A/t-0  0-4@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

11. start t in A/m
12. until state A/t-0=MIRRORING
13. until lag A/t-0=0
14. until quiet
            a-log   t desired: mirroring in mirror m
            a0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      2.5s  a0      t-0 last mirrored position by b1: epoch 0
            a0      t-0 keeps all up to 5: aligned to the last mirrored position
            a0      t-0 fetches from b0 at 5 (source leader epoch 1)
            b0      t-0 tells a0: diverging, epoch 0 ends at 3
            a0      t-0 cut from 5 to 3: diverged
            a0      t-0 tells a1: diverging, epoch 0 ends at 3
            a1      t-0 cut from 5 to 3: diverged
      2.6s  a0      t-0 fetcher removed at 3
            a0      t-0 replicas have followed, log end 3
            a0      t-0 state MIRRORING stored by coordinator, PREPARING before
            a0      t-0 fetches from b0 at 3 (source leader epoch 1)
      2.7s  a0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            a0      t-0 fetcher removed at 3 (2 times)
            a-log   t-0 leader epoch bumped to 1
            a0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
            a0      t-0 fetches from b0 at 3 (source leader epoch 1)
      2.8s  a0      t-0 appends reset 3@1 from the source
            a0      t-0 appends 4@1 from the source
  | A/t-0  0-2@0 3:reset@1 4@1  leader a0 in epoch 1
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 0
  both sides were writable for 0.1s
  discarded: 2 cut when the log was aligned, and the new source does not have them
    A 3@0 record 10/4, acknowledged
    A 4@0 record 10/5, acknowledged
