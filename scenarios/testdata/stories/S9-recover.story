S9-recover: --protocol first

The same as S9, but a failure is tried again once only, and A is down for two minutes.
The rule: when the attempts have run out the partition stays FAILED, also when A is back: it waits for the operator, whose
recover brings it to MIRRORING with the attempts at 0.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
5. until quiet
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0

6. fault crash a0 for 2m
            a0      crashes

7. fault crash a1 for 2m
8. until state B/t-0=FAILED
9. until attempts B/t-0=2
            a1      crashes
      9.0s  a-log   a0 is fenced
            a-log   t-0, __mirror_state-0 elects a1: leader epoch 1
            a-log   a1 is fenced
            a-log   t-0, __mirror_state-0 has no leader: leader epoch 2
            a-log   __mirror_state-1 has no leader: leader epoch 1
     10.4s  b0      t-0 fetcher removed at 3
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: no broker of the source answers; attempt 1
     11.4s  b0      t-0 state MIRRORING stored by coordinator, FAILED before
     21.4s  b0      t-0 fetcher removed at 3
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: no broker of the source answers; attempt 2
    120.4s  a0      starts again (incarnation 2)
            a1      starts again (incarnation 2)
            a-log   a0 is fenced
            a-log   a1 is fenced
            a-log   a0 is unfenced
            a-log   a1 is unfenced
            a-log   t-0, __mirror_state-0 elects a1: leader epoch 3
            a-log   __mirror_state-1 elects a1: leader epoch 2
            a-log   t-0 ISR is { a0 a1 }
  | A/t-0  0-2@0  leader a1 in epoch 3
  | B/t-0  0-2@0  leader b0 in epoch 0

10. after 3m describe B/t-0 in m
11. until isr A/t-0=2
    201.4s  b-admin t-0 described: desired mirroring, FAILED (no broker of the source answers), attempts 2, lag unknown, last mirrored epoch -1

12. produce p A/t-0 1
    201.5s  a1      t-0 appends 3@3 for a producer
            p       t-0 acknowledged at 3 by a1
  | A/t-0  0-2@0 3@3  leader a1 in epoch 3
  | B/t-0  0-2@0  leader b0 in epoch 0

13. recover t in m
14. until state B/t-0=MIRRORING
15. until leo B/t-0=4
16. until quiet
            b-log   t desired: mirroring in mirror m, recoveries: 1
            b0      t-0 state MIRRORING stored by coordinator, FAILED before
            b0      t-0 fetches from a1 at 3 (source leader epoch 3)
            b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3 (2 times)
    201.6s  b-log   t-0 leader epoch bumped to 3
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
            b0      t-0 fetches from a1 at 3 (source leader epoch 3)
    201.7s  b0      t-0 appends 3@3 from the source
  | A/t-0  0-2@0 3@3  leader a1 in epoch 3
  | B/t-0  0-2@0 3@3  leader b0 in epoch 3

