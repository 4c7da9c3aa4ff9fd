O1: --protocol first

Cluster B has 7 of cluster A's records when its fetcher is cut off; A has 12, of which a group has read 10, and committed
that. Later B gets the rest; then A's records below 5 are deleted, and an admin puts the group on A back to 3.
The rule: an offset that comes to B stands within B's log. It is 7, as long as B has no more, with the epoch of record 6;
then 10; and at last 5, where B's log begins.

1. produce p A/t-0 7
      0.1s  a0      t-0 appends 0-6@0 for a producer
            p       t-0 acknowledged at 0-6 by a0
  | A/t-0  0-6@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until leo B/t-0=7
            b-log   t desired: mirroring in mirror m
      0.2s  b1      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b1      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-6@0 from the source
  | A/t-0  0-6@0  leader a0 in epoch 0
  | B/t-0  0-6@0  leader b0 in epoch 0

4. fault cut a0>b0 for 90s
            a0      link to b0 is cut

5. produce p A/t-0 3
            a0      t-0 appends 7-9@0 for a producer
            p       t-0 acknowledged at 7-9 by a0
  | A/t-0  0-9@0  leader a0 in epoch 0
  | B/t-0  0-6@0  leader b0 in epoch 0

6. consume g A/t-0
7. until read g=10
            g       joins its group on A, generation 1
            g       t-0 has no committed offset
            g       t-0 read 0-9

8. leave g
            a1      t-0 offset of group g stored: 10@0, by its member

9. produce p A/t-0 2
10. until committed g B/t-0=7 within 2m or-go-on
11. until committed g B/t-0=10 within 5m or-go-on
            a0      t-0 appends 10-11@0 for a producer
            p       t-0 acknowledged at 10-11 by a0
      4.4s  b0      t-0 fetches from a0 at 7 (source leader epoch 0) (14 times)
     60.1s  b1      t-0 offset of group g stored: 7@0, by the mirror
     61.0s  b0      t-0 fetches from a0 at 7 (source leader epoch 0) (9 times)
     90.4s  a0      link to b0 works
     91.3s  b0      t-0 appends 7-11@0 from the source
    120.1s  b1      t-0 offset of group g stored: 10@0, by the mirror
  | A/t-0  0-11@0  leader a0 in epoch 0
  | B/t-0  0-11@0  leader b0 in epoch 0

12. delete-records A/t-0 before=5
13. until start B/t-0=5
            a0      t-0 log start moved from 0 to 5
    120.5s  b0      t-0 log start moved from 0 to 5
  | A/t-0  5-11@0  log start 5  leader a0 in epoch 0
  | B/t-0  5-11@0  log start 5  leader b0 in epoch 0

14. reset-offset g A/t-0 to=3
15. until committed g B/t-0=5 within 5m or-go-on
            a1      t-0 offset of group g stored: 3@-1, by an admin
    180.1s  b1      t-0 offset of group g stored: 5@-1, by the mirror

