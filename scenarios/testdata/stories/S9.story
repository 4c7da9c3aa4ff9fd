S9: --protocol first

Cluster B mirrors 3 records of cluster A when both brokers of A go down for 20 seconds.
The rule: after 10 seconds without an answer the partition is FAILED, with the reason that its source cannot be reached, and
is tried again by itself. Soon after A is back it mirrors again, and the first good fetch sets the attempts back to 0. Nobody
has to do anything. (A's leader epoch is 3 by then: it moved to a1, to nobody, and back.)

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

6. fault crash a0 for 20s
            a0      crashes

7. fault crash a1 for 20s
8. until state B/t-0=FAILED
9. until state B/t-0=MIRRORING
10. until isr A/t-0=2
            a1      crashes
      9.0s  a-log   a0 is fenced
            a-log   t-0, __mirror_state-0 elects a1: leader epoch 1
            a-log   a1 is fenced
            a-log   t-0, __mirror_state-0 has no leader: leader epoch 2
            a-log   __mirror_state-1 has no leader: leader epoch 1
     10.4s  b0      t-0 fetcher removed at 3
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: no broker of the source answers; attempt 1
     11.4s  b0      t-0 state MIRRORING stored by coordinator, FAILED before
     20.4s  a0      starts again (incarnation 2)
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

11. produce p A/t-0 1
12. until leo B/t-0=4
13. until quiet
     20.5s  a1      t-0 appends 3@3 for a producer
            p       t-0 acknowledged at 3 by a1
     21.4s  b0      t-0 fetcher removed at 3
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: no broker of the source answers; attempt 2
     23.4s  b0      t-0 state MIRRORING stored by coordinator, FAILED before
            b0      t-0 fetches from a1 at 3 (source leader epoch 3)
            b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3 (2 times)
     23.5s  b-log   t-0 leader epoch bumped to 3
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
            b0      t-0 fetches from a1 at 3 (source leader epoch 3)
     23.6s  b0      t-0 appends 3@3 from the source
            b0      t-0 state MIRRORING stored by coordinator, MIRRORING before
  | A/t-0  0-2@0 3@3  leader a1 in epoch 3
  | B/t-0  0-2@0 3@3  leader b0 in epoch 3

