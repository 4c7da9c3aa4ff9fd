L1-group: --protocol first

A group on cluster A has committed 30 of 50 records, and so it has on cluster B, which mirrors them and is paused. A takes 60
more, and its retention removes the first 100. Resumed, B drops its log and starts again at 100.
The rule: the group's offset on B goes up to 100 with the log start: below it is a gap that nobody can read, and which the
reset policy of the group might answer by passing over the rest too.

1. produce p A/t-0 30 batch=10
      0.1s  a0      t-0 appends 0-29@0 for a producer
            p       t-0 acknowledged at 0-20 by a0
  | A/t-0  0-29@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. consume g A/t-0
3. until read g=30
            g       joins its group on A, generation 1
            g       t-0 has no committed offset
            g       t-0 read 0-29

4. leave g
            a1      t-0 offset of group g stored: 30@0, by its member

5. produce p A/t-0 20 batch=10
            a0      t-0 appends 30-49@0 for a producer
            p       t-0 acknowledged at 30-40 by a0
  | A/t-0  0-49@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

6. start t in m
7. until lag B/t-0=0
8. until committed g B/t-0=30
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-49@0 from the source
     60.1s  b1      t-0 offset of group g stored: 30@0, by the mirror
  | A/t-0  0-49@0  leader a0 in epoch 0
  | B/t-0  0-49@0  leader b0 in epoch 0

9. pause t in m
10. until state B/t-0=PAUSED
            b-log   t desired: paused in mirror m
            b0      t-0 state PAUSING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 50
            b0      t-0 state PAUSED stored by coordinator, PAUSING before

11. produce p A/t-0 60 batch=10
            a0      t-0 appends 50-109@0 for a producer
            p       t-0 acknowledged at 50-100 by a0
  | A/t-0  0-109@0  leader a0 in epoch 0
  | B/t-0  0-49@0  leader b0 in epoch 0

12. delete-records A/t-0 before=100
13. until start A/t-0=100
            a0      t-0 log start moved from 0 to 100
  | A/t-0  [100-109]@0  log start 100  leader a0 in epoch 0
  |      a1: 0-109@0
  | B/t-0  0-49@0  leader b0 in epoch 0

14. resume t in m
15. until leo B/t-0=110
16. until committed g B/t-0=100 within 5m or-go-on
            b-log   t desired: mirroring in mirror m
            b0      t-0 state MIRRORING stored by coordinator, PAUSED before
            b0      t-0 fetches from a0 at 50 (source leader epoch 0)
     60.2s  b0      t-0 cut from 50 to 100: started anew
            b0      t-0 log start moved from 0 to 100
            b1      t-0 cut from 50 to 100: started anew
            b1      t-0 log start moved from 0 to 100
            b0      t-0 appends 100-109@0 from the source
     60.6s  a1      t-0 log start moved from 0 to 100
    120.1s  b1      t-0 offset of group g stored: 100@-1, by the mirror
  | A/t-0  [100-109]@0  log start 100  leader a0 in epoch 0
  | B/t-0  [100-109]@0  log start 100  leader b0 in epoch 0

17. consume g B/t-0
18. until read g=40
    120.2s  g       joins its group on B, generation 1
            g       t-0 committed offset is 100@-1
    120.3s  g       t-0 read 100-109

19. leave g on B
            b1      t-0 offset of group g stored: 110@0, by its member

