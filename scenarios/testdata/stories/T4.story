T4: --protocol first

Cluster B mirrored two batches of producer id 1 from cluster A, with sequences 0-1 and 2-3. After the failover B's own
controller gives out id 1 once more, to another producer, which begins at sequence 0 as every new producer does.
The rule: the stop's reset has removed what B remembers of A's producers, so the batch is new, stands at 5-6 and is
acknowledged there. If B kept that memory it would take the batch for a retry of the one at 0-1: acknowledged, never
stored, and nobody is told.

1. produce p A/t-0 4 pid=1 batch=2
      0.1s  a0      t-0 appends 0-3@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-3@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

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
            b0      t-0 appends 0-3@0 from the source
  | A/t-0  0-3@0  leader a0 in epoch 0
  | B/t-0  0-3@0  leader b0 in epoch 0

5. stop t in m
6. until state B/t-0=STOPPED
7. until quiet
      0.4s  b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 4
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 4@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-3@0  leader a0 in epoch 0
  | B/t-0  0-3@0 4:reset@1  leader b0 in epoch 1

8. produce q B/t-0 2 pid=1 batch=2
9. until quiet
            b0      t-0 appends 5-6@1 for a producer
            q       t-0 acknowledged at 5 by b0
  | A/t-0  0-3@0  leader a0 in epoch 0
  | B/t-0  0-3@0 4:reset@1 [5-6]@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 4, source end 4, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  nothing is lost
