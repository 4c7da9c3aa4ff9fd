C9-mended: --protocol first

As C9, and the disk of cluster A's leader is mended after 2 seconds.
The rule: FAILED is tried again by itself. With the next good fetch partition 0 is MIRRORING again, its attempts are 0, and it
has each record once.

1. produce p A/t-0 8
      0.1s  a0      t-0 appends 0-7@0 for a producer
            p       t-0 acknowledged at 0-7 by a0
  | A/t-0  0-7@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | A/t-1  empty  leader a1 in epoch 0
  | B/t-1  empty  leader b1 in epoch 0

2. produce p A/t-1 3
3. until quiet
            a1      t-1 appends 0-2@0 for a producer
            p       t-1 acknowledged at 0-2 by a1
  | A/t-1  0-2@0  leader a1 in epoch 0
  | B/t-1  empty  leader b1 in epoch 0

4. fault corrupt A/t-0 offset=4 for 2s
            a0      a bit of the batch at 4 of t-0 turns round on its disk

5. start t in m
6. until state B/t-0=FAILED
7. until leo B/t-0=8
8. until attempts B/t-0=0
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0, t-1 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b1      t-1 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
            b1      t-1 fetches from a1 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b1      t-1 fetcher removed at 0
            b1      t-1 replicas have followed, log end 0
            b0      t-1 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
            b1      t-1 fetches from a1 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-3@0 from the source
            b0      t-0 fetcher removed at 4
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: a batch of the source is corrupt; attempt 1
            b1      t-1 appends 0-2@0 from the source
      1.4s  b0      t-0 state MIRRORING stored by coordinator, FAILED before
            b0      t-0 fetches from a0 at 4 (source leader epoch 0)
            b0      t-0 fetcher removed at 4
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: a batch of the source is corrupt; attempt 2
      2.1s  a0      the batch at 4 of t-0 is whole again on its disk
      3.4s  b0      t-0 state MIRRORING stored by coordinator, FAILED before
      3.5s  b0      t-0 fetches from a0 at 4 (source leader epoch 0)
            b0      t-0 appends 4-7@0 from the source
            b0      t-0 state MIRRORING stored by coordinator, MIRRORING before
  | A/t-0  0-7@0  leader a0 in epoch 0
  | B/t-0  0-7@0  high watermark 4  leader b0 in epoch 0
  |      b1: 0-3@0
  | A/t-1  0-2@0  leader a1 in epoch 0
  | B/t-1  0-2@0  leader b1 in epoch 0

9. live
      3.6s  b0      t-0 fetches from a0 at 8 (source leader epoch 0)
  | A/t-0  0-7@0  leader a0 in epoch 0
  | B/t-0  0-7@0  leader b0 in epoch 0

