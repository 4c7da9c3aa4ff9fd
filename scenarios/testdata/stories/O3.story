O3: --protocol first

A group is active on cluster B, which mirrors cluster A, and has read and committed 5 there. On A an admin sets the group of
the same name to 2.
The rule: an active group is not overwritten: its coordinator on B refuses. B stays at 5 over three intervals of the sync.

1. produce p A/t-0 5
      0.1s  a0      t-0 appends 0-4@0 for a producer
            p       t-0 acknowledged at 0-4 by a0
  | A/t-0  0-4@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until lag B/t-0=0
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-4@0 from the source
  | A/t-0  0-4@0  leader a0 in epoch 0
  | B/t-0  0-4@0  leader b0 in epoch 0

4. consume g B/t-0
5. until committed g B/t-0=5
            g       joins its group on B, generation 1
            g       t-0 has no committed offset
            g       t-0 read 0-4
      5.4s  b1      t-0 offset of group g stored: 5@0, by its member

6. reset-offset g A/t-0 to=2
      5.5s  a1      t-0 offset of group g stored: 2@-1, by an admin

7. after 190s describe B/t-0 in m
    195.5s  b-admin t-0 described: desired mirroring, MIRRORING, lag 0, last mirrored epoch -1

