F8: --protocol first

A chain: cluster B mirrors A, and cluster C mirrors B. Producer id 5 writes 2 records on A. B is promoted, and B's controller
gives out id 5 as well, to a producer of its own that begins at sequence 0 and writes 2. C goes on mirroring B.
The rule: B's reset travels with the log. C appends it between the two, forgets A's producer 5 as B did, and takes B's as a new
one: B and C are equal, and no sequence is out of order. Where the ids are rewritten instead the two meet under one id on C.

1. produce p A/t-0 2 pid=5
      0.1s  a0      t-0 appends 0-1@0 for a producer
            p       t-0 acknowledged at 0-1 by a0
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | C/t-0  empty  leader c0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
            b0      t-0 appends 0-1@0 from the source
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  0-1@0  leader b0 in epoch 0
  | C/t-0  empty  leader c0 in epoch 0

5. start t in n
6. until state C/t-0=MIRRORING
7. until lag C/t-0=0
      0.4s  c-log   t desired: mirroring in mirror n
            c0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.5s  c0      t-0 last mirrored position by b1: epoch -1
            c0      t-0 fetches from b0 at 0 (source leader epoch 0)
      0.6s  c0      t-0 fetcher removed at 0
            c0      t-0 replicas have followed, log end 0
            c0      t-0 state MIRRORING stored by coordinator, PREPARING before
            c0      t-0 fetches from b0 at 0 (source leader epoch 0)
            c0      t-0 appends 0-1@0 from the source
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  0-1@0  leader b0 in epoch 0
  | C/t-0  0-1@0  leader c0 in epoch 0

8. stop t in m
9. until state B/t-0=STOPPED
10. until quiet
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 2
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 2@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  0-1@0 2:reset@1  leader b0 in epoch 1
  | C/t-0  0-1@0  leader c0 in epoch 0

11. produce q B/t-0 2 pid=5
12. until leo C/t-0=5
13. until quiet
            b0      t-0 appends 3-4@1 for a producer
      0.7s  q       t-0 acknowledged at 3-4 by b0
      0.8s  c0      t-0 fetches from b0 at 2 (source leader epoch 1)
      0.9s  c0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            c0      t-0 fetcher removed at 2 (2 times)
            c-log   t-0 leader epoch bumped to 1
            c0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
            c0      t-0 fetches from b0 at 2 (source leader epoch 1)
      1.0s  c0      t-0 appends reset 2@1 from the source
            c0      t-0 appends 3-4@1 from the source
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  0-1@0 2:reset@1 3-4@1  leader b0 in epoch 1
  | C/t-0  0-1@0 2:reset@1 3-4@1  leader c0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 2, source end 2, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment C <- B by mirror n: no position, so the log is copied anew
  both sides were writable for 0.3s
  nothing is lost
