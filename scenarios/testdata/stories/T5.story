T5: --protocol first --set unknown-producer=accept

An idempotent producer, id 9, has written sequences 0 to 37 to cluster A. Its batch of 38-39 is appended, and mirrored to B,
but the answer is lost on the way back. A is given up, and the producer goes on against B: it sends 38-39 again, then 40.
The rule: the stop's reset has removed what B knew of the producer, so both are new to B and are accepted, the retry at 41-42
behind the 38-39 that were mirrored: these 2 records stand twice, and the loss report counts them as duplicates across the
reset. That is a limit of mirroring, not an error of the producer.

1. start t in m
2. until state B/t-0=MIRRORING
      0.1s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
  | A/t-0  empty  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. produce p A/t-0 38 pid=9
4. until leo B/t-0=38
            a0      t-0 appends 0-37@0 for a producer
            p       t-0 acknowledged at 0-37 by a0
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
            b0      t-0 appends 0-37@0 from the source
  | A/t-0  0-37@0  leader a0 in epoch 0
  | B/t-0  0-37@0  high watermark 0  leader b0 in epoch 0
  |      b1: empty

5. fault cut a0>p
            a0      link to p is cut
  | A/t-0  0-37@0  leader a0 in epoch 0
  | B/t-0  0-37@0  leader b0 in epoch 0

6. at 5s produce p A/t-0 2 batch=2
      5.0s  a0      t-0 appends 38-39@0 for a producer
            b0      t-0 appends 38-39@0 from the source
  | A/t-0  0-39@0  leader a0 in epoch 0
  | B/t-0  0-39@0  leader b0 in epoch 0

7. at 8s stop t in m
8. until state B/t-0=STOPPED
9. until quiet within 1s or-go-on
      8.0s  b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 40
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 40@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-39@0  leader a0 in epoch 0
  | B/t-0  0-39@0 40:reset@1  leader b0 in epoch 1

10. move p A/t-0 to B/t-0
      9.0s  p       t-0 refused: REQUEST_TIMED_OUT
      9.1s  b0      t-0 appends 41-42@1 for a producer
            p       t-0 acknowledged at 41 by b0
  | A/t-0  0-39@0  leader a0 in epoch 0
  | B/t-0  0-39@0 40:reset@1 [41-42]@1  leader b0 in epoch 1

11. produce p B/t-0 1
            b0      t-0 appends 43@1 for a producer
            p       t-0 acknowledged at 43 by b0
  | A/t-0  0-39@0  leader a0 in epoch 0
  | B/t-0  0-39@0 40:reset@1 41-43@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 40, source end 40, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 1.1s
  duplicates: 2 records that stand on both sides of a producer reset
    B record 9/39 at 38 and 41
    B record 9/40 at 39 and 42
