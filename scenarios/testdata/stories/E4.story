E4: --protocol first --set divergence=fail-or-recover

The same as E3, but cluster B's topic supports unclean elections of mirrors, and its follower b1 is down when the source's
history goes on differently from offset 20.
The rule: b0 cuts its log to 20 and is in ULE_RECOVERY until b1 is back and has followed the cut: an unclean election could
otherwise bring back the 10 records that A does not have any more. Then B mirrors on.

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
9. until quiet within 1s or-go-on
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

10. fault crash b1
11. until isr B/t-0=1
            b1      crashes
     39.0s  b-log   b1 is fenced
            b-log   t-0 ISR is { b0 }

12. elect A/t-0 to=a1 unclean
            a-log   t-0 elects a1 uncleanly: leader epoch 1
            a1      t-0 tells a0: diverging, epoch 0 ends at 20
  | A/t-0  0-19@0  leader a1 in epoch 1
  |      a0: 0-29@0
  | B/t-0  0-29@0  leader b0 in epoch 0

13. fault heal a1>a0
14. until isr A/t-0=2
            a1      link to a0 works
     39.2s  b0      t-0 fetches from a1 at 30 (source leader epoch 1)
            a1      t-0 tells b0: diverging, epoch 0 ends at 20
            b0      t-0 state ULE_RECOVERY stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 30
            b0      t-0 cut from 30 to 20: diverged
     41.0s  a1      t-0 tells a0: diverging, epoch 0 ends at 20
            a0      t-0 cut from 30 to 20: diverged
            a-log   t-0 ISR is { a0 a1 }
  | A/t-0  0-19@0  leader a1 in epoch 1
  | B/t-0  0-19@0  leader b0 in epoch 0
  |      b1: 0-29@0

15. produce q A/t-0 5
16. until state B/t-0=ULE_RECOVERY
            a1      t-0 appends 20-24@1 for a producer
            q       t-0 acknowledged at 20-24 by a1
  | A/t-0  0-19@0 20-24@1  leader a1 in epoch 1
  | B/t-0  0-19@0  leader b0 in epoch 0
  |      b1: 0-29@0

17. after 1m describe B/t-0 in m
    131.1s  b-admin t-0 described: desired mirroring, ULE_RECOVERY, lag unknown, last mirrored epoch -1

18. fault heal b1
19. until state B/t-0=MIRRORING
20. until leo B/t-0=25
21. until quiet
            b1      starts again (incarnation 2)
            b-log   b1 is fenced
            b0      t-0 tells b1: diverging, epoch 0 ends at 20
            b-log   b1 is unfenced
            b1      t-0 cut from 30 to 20: diverged
            b0      t-0 tells b1: diverging, epoch 0 ends at 0
            b1      t-0 cut from 20 to 0: diverged
            b0      t-0 state MIRRORING stored by coordinator, ULE_RECOVERY before
            b-log   t-0 ISR is { b0 b1 }
    131.2s  b0      t-0 fetches from a1 at 20 (source leader epoch 1)
            b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 20 (2 times)
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
    131.3s  b0      t-0 fetches from a1 at 20 (source leader epoch 1)
            b0      t-0 appends 20-24@1 from the source
  | A/t-0  0-19@0 20-24@1  leader a1 in epoch 1
  | B/t-0  0-19@0 20-24@1  leader b0 in epoch 1

