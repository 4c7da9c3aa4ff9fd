E3: --protocol first --set divergence=truncate

Cluster B mirrored 30 records of cluster A, of which A's replica a1 has 20 only. An unclean election makes a1 the leader of
epoch 1, and A's history goes on with 5 others from 20 on.
The rule: B's last fetched epoch tells the new leader where the two part. B is cut to 20 as a follower would be, and copies
the 5. A mirror that goes on asking from 30 never gets an answer that it can use; and its lag, 25 less 30, is not 0.

1. produce p A/t-0 20
2. until quiet
      0.1s  a0      t-0 appends 0-19@0 for a producer
            p       t-0 acknowledged at 0-19 by a0
  | A/t-0  0-19@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. fault cut a1>a0
4. until isr A/t-0=1
            a1      link to a0 is cut
     30.1s  a-log   t-0 ISR is { a0 }

5. produce p A/t-0 10
            a0      t-0 appends 20-29@0 for a producer
            p       t-0 acknowledged at 20-29 by a0
  | A/t-0  0-29@0  leader a0 in epoch 0
  |      a1: 0-19@0
  | B/t-0  empty  leader b0 in epoch 0

6. start t in m
7. until state B/t-0=MIRRORING
8. until lag B/t-0=0
     30.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
     30.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
     30.4s  b0      t-0 appends 0-29@0 from the source
  | A/t-0  0-29@0  leader a0 in epoch 0
  |      a1: 0-19@0
  | B/t-0  0-29@0  leader b0 in epoch 0

9. elect A/t-0 to=a1 unclean
            a-log   t-0 elects a1 uncleanly: leader epoch 1
            a1      t-0 tells a0: diverging, epoch 0 ends at 20
  | A/t-0  0-19@0  leader a1 in epoch 1
  |      a0: 0-29@0
  | B/t-0  0-29@0  leader b0 in epoch 0

10. fault heal a1>a0
11. until isr A/t-0=2
            a1      link to a0 works
     30.5s  b0      t-0 fetches from a1 at 30 (source leader epoch 1)
     30.6s  a1      t-0 tells b0: diverging, epoch 0 ends at 20
            b0      t-0 cut from 30 to 20: diverged
            b0      t-0 tells b1: diverging, epoch 0 ends at 20
            b1      t-0 cut from 30 to 20: diverged
     32.4s  a1      t-0 tells a0: diverging, epoch 0 ends at 20
            a0      t-0 cut from 30 to 20: diverged
            a-log   t-0 ISR is { a0 a1 }
  | A/t-0  0-19@0  leader a1 in epoch 1
  | B/t-0  0-19@0  leader b0 in epoch 0

12. produce q A/t-0 5
13. until leo B/t-0=25
14. until quiet
            a1      t-0 appends 20-24@1 for a producer
            q       t-0 acknowledged at 20-24 by a1
            b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 20 (2 times)
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
     32.5s  b0      t-0 fetches from a1 at 20 (source leader epoch 1)
            b0      t-0 appends 20-24@1 from the source
  | A/t-0  0-19@0 20-24@1  leader a1 in epoch 1
  | B/t-0  0-19@0 20-24@1  leader b0 in epoch 1

15. live within 5m

