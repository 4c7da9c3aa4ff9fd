E1: --protocol first --set epoch-floor=fenced

Seven elections have brought cluster A's partition to leader epoch 7 before its 3 records, and two have brought B's to 2. B
becomes a mirror of A.
The rule: no batch of epoch 7 stands on B before B's leader epoch is at least 7. B goes to EPOCH_FENCING and asks its
controller for 17, the source's epoch and 10, so that it need not ask at each election of the source; then it mirrors.

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
2. until quiet
            b-log   t-0 elects b1: leader epoch 1
            b-log   t-0 elects b0: leader epoch 2
  | A/t-0  empty  leader a1 in epoch 7
  | B/t-0  empty  leader b0 in epoch 2

3. produce p A/t-0 3
            a1      t-0 appends 0-2@7 for a producer
            p       t-0 acknowledged at 0-2 by a1
  | A/t-0  0-2@7  leader a1 in epoch 7
  | B/t-0  empty  leader b0 in epoch 2

4. start t in m
5. until state B/t-0=EPOCH_FENCING
6. until leo B/t-0=3
7. until state B/t-0=MIRRORING
8. until lag B/t-0=0
9. until quiet
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
      0.3s  b0      t-0 fetches from a1 at 0 (source leader epoch 7)
            b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a1 at 0 (source leader epoch 7)
      0.4s  b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 0 (2 times)
            b-log   t-0 leader epoch bumped to 17
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
      0.5s  b0      t-0 fetches from a1 at 0 (source leader epoch 7)
            b0      t-0 appends 0-2@7 from the source
  | A/t-0  0-2@7  leader a1 in epoch 7
  | B/t-0  0-2@7  leader b0 in epoch 17

