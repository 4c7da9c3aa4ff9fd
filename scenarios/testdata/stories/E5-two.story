E5-two: --protocol first

The same as E5, but cluster B's topic needs 2 in-sync replicas.
The rule: what the leader has mirrored its follower can copy. Where followers refuse it, the ISR is the leader alone after the
lag time, which is too few: the high watermark never moves, and the lag never drains.

1. elect A/t-0
1. until quiet
      0.1s  a-log   t-0 elects a1: leader epoch 1
            a-log   t-0 elects a0: leader epoch 2
            a-log   t-0 elects a1: leader epoch 3
            a-log   t-0 elects a0: leader epoch 4
            a-log   t-0 elects a1: leader epoch 5
            a-log   t-0 elects a0: leader epoch 6
            a-log   t-0 elects a1: leader epoch 7
  | A/t-0  empty  leader a1 in epoch 7
  | B/t-0  empty  leader b0 in epoch 0

2. elect B/t-0
3. until quiet
            b-log   t-0 elects b1: leader epoch 1
  | A/t-0  empty  leader a1 in epoch 7
  | B/t-0  empty  leader b1 in epoch 1

4. produce p A/t-0 3
            a1      t-0 appends 0-2@7 for a producer
            p       t-0 acknowledged at 0-2 by a1
  | A/t-0  0-2@7  leader a1 in epoch 7
  | B/t-0  empty  leader b1 in epoch 1

5. start t in m
6. until state B/t-0=MIRRORING
7. until hw B/t-0=3 within 1m or-go-on
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b1      t-0 last mirrored position by a1: epoch -1
      0.3s  b1      t-0 fetches from a1 at 0 (source leader epoch 7)
            b1      t-0 fetcher removed at 0
            b1      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b1      t-0 fetches from a1 at 0 (source leader epoch 7)
      0.4s  b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b1      t-0 fetcher removed at 0 (2 times)
            b-log   t-0 leader epoch bumped to 7
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
      0.5s  b1      t-0 fetches from a1 at 0 (source leader epoch 7)
            b1      t-0 appends 0-2@7 from the source
  | A/t-0  0-2@7  leader a1 in epoch 7
  | B/t-0  0-2@7  leader b1 in epoch 7

8. live within 5m

