C9: --protocol first

A bit of the record at 4 of partition 0 turns round on the disk of cluster A's leader, before cluster B has mirrored it.
Partition 1 is well.
The rule: the batch does not have its CRC, and B's leader does not append it. Partition 0 is FAILED with its log end at 4, is
tried again, and is FAILED for good when the retries run out. Partition 1 goes on mirroring as if nothing had happened.

1. produce p A/t-0 8
      0.1s  a0      t-0 appends 0-7@0 for a producer
            p       t-0 acknowledged at 0-7 by a0
  | A/t-0  0-7@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | A/t-1  empty  leader a0 in epoch 0
  | B/t-1  empty  leader b0 in epoch 0

2. produce p A/t-1 3
3. until quiet
            a0      t-1 appends 0-2@0 for a producer
            p       t-1 acknowledged at 0-2 by a0
  | A/t-1  0-2@0  leader a0 in epoch 0
  | B/t-1  empty  leader b0 in epoch 0

4. fault corrupt A/t-0 offset=4
            a0      a bit of the batch at 4 of t-0 turns round on its disk

5. start t in m
6. until state B/t-0=FAILED
7. until leo B/t-1=3
8. until attempts B/t-0=4
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0, t-1 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0, t-1 last mirrored position by a1: epoch -1
            b0      t-0, t-1 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0, t-1 fetcher removed at 0
            b0      t-0, t-1 replicas have followed, log end 0
            b0      t-0, t-1 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0, t-1 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-3@0 from the source
            b0      t-0 fetcher removed at 4
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: a batch of the source is corrupt; attempt 1
            b0      t-1 appends 0-2@0 from the source
      1.4s  b0      t-0 state MIRRORING stored by coordinator, FAILED before
            b0      t-0 fetches from a0 at 4 (source leader epoch 0)
            b0      t-0 fetcher removed at 4
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: a batch of the source is corrupt; attempt 2
      3.4s  b0      t-0 state MIRRORING stored by coordinator, FAILED before
      3.5s  b0      t-0 fetches from a0 at 4 (source leader epoch 0)
            b0      t-0 fetcher removed at 4
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: a batch of the source is corrupt; attempt 3
      7.5s  b0      t-0 state MIRRORING stored by coordinator, FAILED before
      7.6s  b0      t-0 fetches from a0 at 4 (source leader epoch 0)
            b0      t-0 fetcher removed at 4
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: a batch of the source is corrupt; attempt 4
  | A/t-0  0-7@0  leader a0 in epoch 0
  | B/t-0  0-3@0  leader b0 in epoch 0
  | A/t-1  0-2@0  leader a0 in epoch 0
  | B/t-1  0-2@0  leader b0 in epoch 0

9. produce p A/t-1 5
10. until leo B/t-1=8
11. until lag B/t-1=0
            a0      t-1 appends 3-7@0 for a producer
            p       t-1 acknowledged at 3-7 by a0
            b0      t-1 appends 3-7@0 from the source
  | A/t-1  0-7@0  leader a0 in epoch 0
  | B/t-1  0-7@0  leader b0 in epoch 0

12. consume r B/t-1
13. until read r=8
      7.7s  r       t-1 read 0-7

14. live

