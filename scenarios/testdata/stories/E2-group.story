E2-group: --protocol first

Elections have brought cluster A's partition to leader epoch 7 before its 3 records; cluster B's is in epoch 1. A group on A
reads them and commits 3 with epoch 7, which comes to B. After the failover the group goes on there.
The rule: B's metadata know the epoch of the committed offset, so that the group reads on. Where B takes batches above its
own leader epoch, the group learns 7 from the offset, finds B's metadata older than that, and waits for newer ones for ever.

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
3. until quiet
            b-log   t-0 elects b1: leader epoch 1
  | A/t-0  empty  leader a1 in epoch 7
  | B/t-0  empty  leader b1 in epoch 1

4. produce p A/t-0 3
            a1      t-0 appends 0-2@7 for a producer
            p       t-0 acknowledged at 0-2 by a1
  | A/t-0  0-2@7  leader a1 in epoch 7
  | B/t-0  empty  leader b1 in epoch 1

5. consume g A/t-0
6. until read g=3
            g       joins its group on A, generation 1
            g       t-0 has no committed offset
            g       t-0 read 0-2

7. leave g
            a1      t-0 offset of group g stored: 3@7, by its member

8. start t in m
9. until committed g B/t-0=3
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b1      t-0 last mirrored position by a1: epoch -1
      0.3s  b1      t-0 fetches from a1 at 0 (source leader epoch 7)
            b1      t-0 fetcher removed at 0
            b1      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
      0.4s  b1      t-0 fetches from a1 at 0 (source leader epoch 7)
            b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b1      t-0 fetcher removed at 0 (2 times)
            b-log   t-0 leader epoch bumped to 7
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
      0.5s  b1      t-0 fetches from a1 at 0 (source leader epoch 7)
            b1      t-0 appends 0-2@7 from the source
     60.1s  b1      t-0 offset of group g stored: 3@7, by the mirror
  | A/t-0  0-2@7  leader a1 in epoch 7
  | B/t-0  0-2@7  leader b1 in epoch 7

10. consume g B/t-0

11. stop t in m
12. until state B/t-0=STOPPED
13. until quiet
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b1      t-0 fetcher removed at 3
            b0      t-0 last mirrored position stored: epoch 7
            b-log   t-0 leader epoch bumped to 8
            b1      t-0 appends reset 3@8 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b1      t-0 is writable
  | A/t-0  0-2@7  leader a1 in epoch 7
  | B/t-0  0-2@7 3:reset@8  leader b1 in epoch 8

14. produce q B/t-0 1
15. until read g=4 within 1m
            b1      t-0 appends 4@8 for a producer
            q       t-0 acknowledged at 4 by b1
     60.2s  g       joins its group on B, generation 1
            g       t-0 committed offset is 3@7
     60.3s  g       t-0 read 3-4
  | A/t-0  0-2@7  leader a1 in epoch 7
  | B/t-0  0-2@7 3:reset@8 4@8  leader b1 in epoch 8

16. leave g on B
            b1      t-0 offset of group g stored: 5@8, by its member

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 7
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.3s
  nothing is lost
