S11: --protocol first

Cluster B is stopped. What the coordinator on b2 appends from then on does not reach b1, the other replica of __mirror_state, and
3 seconds later b2 goes down for good; b1 takes over with what it has.
The rule: b2 answers only what b1 has as well. So the stop waits for its position, b0 writes it again to b1, and nothing that b0
has acted upon is lost. A coordinator that answers at its own append lets b0 bump, reset and take clients; then b1 knows neither
STOPPED nor the position, and b0 stops once more.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in B/m
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

6. fault cut b1>b2 at-point stop.fetcher-removed

7. stop t in B/m
            b-log   t desired: stopped in mirror m
            b2      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b1      link to b2 is cut
            b2      t-0 last mirrored position stored: epoch 0 (2 times)

8. after 3s fault crash b2
9. until state B/t-0=STOPPED
10. until position B/t-0=0
11. until quiet
      3.4s  b2      crashes
     11.0s  b-log   b2 is fenced
            b-log   __mirror_state-0 elects b1: leader epoch 1
            b0      t-0 cannot read its state: COORDINATOR_LOAD_IN_PROGRESS
     11.1s  b0      t-0 reads its state: STOPPING
            b1      t-0 state STOPPING stored by coordinator, STOPPING before
            b1      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b1      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

12. produce q B/t-0 1
            b0      t-0 appends 4@1 for a producer
            q       t-0 acknowledged at 4 by b0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

13. start t in A/m
14. until state A/t-0=MIRRORING
15. until lag A/t-0=0
16. until quiet
     11.2s  a-log   t desired: mirroring in mirror m
            a0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            a0      t-0 last mirrored position by b1: epoch 0
            a0      t-0 keeps all up to 3: aligned to the last mirrored position
     13.2s  a0      t-0 fetches from b0 at 3 (source leader epoch 1)
     13.3s  a0      t-0 fetcher removed at 3
            a0      t-0 replicas have followed, log end 3
            a0      t-0 state MIRRORING stored by coordinator, PREPARING before
            a0      t-0 fetches from b0 at 3 (source leader epoch 1)
     13.4s  a0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            a0      t-0 fetcher removed at 3 (2 times)
     15.4s  a-log   t-0 leader epoch bumped to 1
            a0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
            a0      t-0 fetches from b0 at 3 (source leader epoch 1)
     15.5s  a0      t-0 appends reset 3@1 from the source
            a0      t-0 appends 4@1 from the source
  | A/t-0  0-2@0 3:reset@1 4@1  leader a0 in epoch 1
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 0
  both sides were writable for 0.0s
  nothing is lost
