E2: --protocol first

Elections have brought cluster A's partition to leader epoch 7 before its 3 records; cluster B's is in epoch 1. B mirrors A,
and a consumer on B reads, and later its leader moves.
The rule: the epoch that the consumer takes from the records is one that B's metadata know. Where B takes batches above its
own leader epoch, the consumer learns 7 from them, finds B's metadata older than that, and waits for newer ones for ever.

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
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b1      t-0 last mirrored position by a1: epoch -1
      0.3s  b1      t-0 fetches from a1 at 0 (source leader epoch 7)
            b1      t-0 fetcher removed at 0
            b1      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before

7. consume r B/t-0
8. until read r=3
            b1      t-0 fetches from a1 at 0 (source leader epoch 7)
      0.4s  b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b1      t-0 fetcher removed at 0 (2 times)
            b-log   t-0 leader epoch bumped to 7
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
      0.5s  b1      t-0 fetches from a1 at 0 (source leader epoch 7)
            b1      t-0 appends 0-2@7 from the source
            r       t-0 read 0-2
  | A/t-0  0-2@7  leader a1 in epoch 7
  | B/t-0  0-2@7  leader b1 in epoch 7

9. elect B/t-0
10. until quiet
            b-log   t-0 elects b0: leader epoch 8
            b1      t-0 fetcher removed at 3
            b0      t-0 reads its state: MIRRORING
            b0      t-0 state MIRRORING stored by coordinator, MIRRORING before
      0.6s  b0      t-0 fetches from a1 at 3 (source leader epoch 7)
  | A/t-0  0-2@7  leader a1 in epoch 7
  | B/t-0  0-2@7  leader b0 in epoch 8

11. produce p A/t-0 2
12. until read r=5
      1.1s  a1      t-0 appends 3-4@7 for a producer
            p       t-0 acknowledged at 3-4 by a1
            b0      t-0 appends 3-4@7 from the source
            r       t-0 read 3-4
  | A/t-0  0-4@7  leader a1 in epoch 7
  | B/t-0  0-4@7  leader b0 in epoch 8

