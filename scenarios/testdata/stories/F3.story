F3: --protocol first

Cluster B mirrored 5 records of cluster A and was promoted. A's replica a1 had fallen behind and has 3 of them. An unclean
election makes it the leader of epoch 1, and clients who still write to A add 2 records at 3 and 4: other records than those
that B has there, in an epoch that B's own batches have as well.
The rule: the last mirrored epoch, 0, tells A to cut what is of later epochs, and it gets the 2 lost records back from B. Told
an offset instead, 5, A sees nothing beyond it, keeps its own 3 and 4, and calls itself in step.

1. produce p A/t-0 3
2. until quiet
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. fault cut a1>a0
4. until isr A/t-0=1
            a1      link to a0 is cut
     30.1s  a-log   t-0 ISR is { a0 }

5. produce p A/t-0 2
            a0      t-0 appends 3-4@0 for a producer
            p       t-0 acknowledged at 3-4 by a0
  | A/t-0  0-4@0  leader a0 in epoch 0
  |      a1: 0-2@0
  | B/t-0  empty  leader b0 in epoch 0

6. start t in B/m
7. until state B/t-0=MIRRORING
8. until lag B/t-0=0
     30.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
     32.2s  b0      t-0 last mirrored position by a0: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
     32.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
     32.4s  b0      t-0 appends 0-4@0 from the source
  | A/t-0  0-4@0  leader a0 in epoch 0
  |      a1: 0-2@0
  | B/t-0  0-4@0  leader b0 in epoch 0

9. stop t in B/m
10. until state B/t-0=STOPPED
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 5
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 5@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-4@0  leader a0 in epoch 0
  |      a1: 0-2@0
  | B/t-0  0-4@0 5:reset@1  leader b0 in epoch 1

11. elect A/t-0 to=a1 unclean
            a-log   t-0 elects a1 uncleanly: leader epoch 1
            a1      t-0 tells a0: diverging, epoch 0 ends at 3
  | A/t-0  0-2@0  leader a1 in epoch 1
  |      a0: 0-4@0
  | B/t-0  0-4@0 5:reset@1  leader b0 in epoch 1

12. fault heal a1>a0
13. until isr A/t-0=2
            a1      link to a0 works
     34.4s  a1      t-0 tells a0: diverging, epoch 0 ends at 3
            a0      t-0 cut from 5 to 3: diverged
            a-log   t-0 ISR is { a0 a1 }
  | A/t-0  0-2@0  leader a1 in epoch 1
  | B/t-0  0-4@0 5:reset@1  leader b0 in epoch 1

14. produce q A/t-0 2
15. until quiet
            a1      t-0 appends 3-4@1 for a producer
            q       t-0 acknowledged at 3-4 by a1
  | A/t-0  0-2@0 3-4@1  leader a1 in epoch 1
  | B/t-0  0-4@0 5:reset@1  leader b0 in epoch 1

16. start t in A/m
17. until state A/t-0=MIRRORING
18. until lag A/t-0=0
19. until quiet
            a-log   t desired: mirroring in mirror m
            a0      t-0 state PREPARING stored by coordinator, UNKNOWN before
     34.5s  a1      t-0 last mirrored position by b1: epoch 0
            a1      t-0 cut from 5 to 3: aligned to the last mirrored position
            a1      t-0 tells a0: diverging, epoch 0 ends at 3
            a0      t-0 cut from 5 to 3: diverged
            a1      t-0 fetches from b0 at 3 (source leader epoch 1)
            a1      t-0 fetcher removed at 3
            a1      t-0 replicas have followed, log end 3
            a0      t-0 state MIRRORING stored by coordinator, PREPARING before
     34.6s  a1      t-0 fetches from b0 at 3 (source leader epoch 1)
            a1      t-0 appends 3-4@0 from the source
            a1      t-0 appends reset 5@1 from the source
  | A/t-0  0-4@0 5:reset@1  leader a1 in epoch 1
  | B/t-0  0-4@0 5:reset@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 5, source end 5, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 0
  both sides were writable for 2.1s
  discarded: 2 cut when the log was aligned, and the new source does not have them
    A 3@1 record 10/1, acknowledged
    A 4@1 record 10/2, acknowledged
