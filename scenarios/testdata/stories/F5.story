F5: --protocol first --set fetch-above=newest --set alignment-wait=isr-or-all

Two unclean elections around a failover. On cluster A a0 never gets the second record, of epoch 1, and becomes the leader
uncleanly: the history goes on in epoch 2, and cluster B follows it. B is promoted and takes 2. Then a0 goes down, a1 comes
back with its old record and is elected uncleanly as epoch 3, and clients who still write to A add 6. A becomes B's mirror.
The rule: all that is of an epoch beyond the last mirrored one is cut, a1's 6 records; its record of epoch 1, which B does not
have, is found by the fetch; and A waits for a0, since unclean elections are supported.

1. produce p A/t-0 1
2. until quiet
      0.1s  a0      t-0 appends 0@0 for a producer
            p       t-0 acknowledged at 0 by a0
  | A/t-0  0@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

3. start t in B/m
4. until lag B/t-0=0
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 appends 0@0 from the source
  | A/t-0  0@0  leader a0 in epoch 0
  | B/t-0  0@0  leader b0 in epoch 0

5. elect A/t-0 to=a1
6. until quiet
            a-log   t-0 elects a1: leader epoch 1
  | A/t-0  0@0  leader a1 in epoch 1
  | B/t-0  0@0  leader b0 in epoch 0

7. fault cut a0>a1
8. until isr A/t-0=1
            a0      link to a1 is cut
      0.5s  b0      t-0 fetches from a1 at 1 (source leader epoch 1)
     10.2s  b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 1 (2 times)
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
     10.3s  b0      t-0 fetches from a1 at 1 (source leader epoch 1)
     30.3s  a-log   t-0 ISR is { a1 }
  | A/t-0  0@0  leader a1 in epoch 1
  | B/t-0  0@0  leader b0 in epoch 1

9. produce p A/t-0 1
10. until leo B/t-0=2
11. until quiet within 1s or-go-on
     30.4s  a1      t-0 appends 1@1 for a producer
            p       t-0 acknowledged at 1 by a1
            b0      t-0 appends 1@1 from the source
  | A/t-0  0@0 1@1  leader a1 in epoch 1
  |      a0: 0@0
  | B/t-0  0@0 1@1  leader b0 in epoch 1

12. elect A/t-0 to=a0 unclean
            a-log   t-0 elects a0 uncleanly: leader epoch 2
            a0      t-0 tells a1: diverging, epoch 0 ends at 1
  | A/t-0  0@0  leader a0 in epoch 2
  |      a1: 0@0 1@1
  | B/t-0  0@0 1@1  leader b0 in epoch 1

13. fault crash a1
            a1      crashes

14. produce x A/t-0 2
15. until leo B/t-0=3
16. until lag B/t-0=0
17. until quiet within 1s or-go-on
            a0      t-0 appends 1-2@2 for a producer
            x       t-0 acknowledged at 1-2 by a0
     32.4s  b0      t-0 fetches from a0 at 2 (source leader epoch 2)
     32.5s  a0      t-0 tells b0: diverging, epoch 0 ends at 1
            b0      t-0 cut from 2 to 1: diverged
            b0      t-0 tells b1: diverging, epoch 0 ends at 1
            b1      t-0 cut from 2 to 1: diverged
            b0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 1 (2 times)
     34.6s  b-log   t-0 leader epoch bumped to 2
            b0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
     36.6s  b0      t-0 fetches from a0 at 1 (source leader epoch 2)
            b0      t-0 appends 1-2@2 from the source
  | A/t-0  0@0 1-2@2  leader a0 in epoch 2
  |      a1: 0@0 1@1
  | B/t-0  0@0 1-2@2  leader b0 in epoch 2

18. stop t in B/m
19. until state B/t-0=STOPPED
20. until quiet within 1s or-go-on
     37.6s  b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b0      t-0 last mirrored position stored: epoch 2
            b-log   t-0 leader epoch bumped to 3
            b0      t-0 appends reset 3@3 of its own
     37.7s  b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0@0 1-2@2  leader a0 in epoch 2
  |      a1: 0@0 1@1
  | B/t-0  0@0 1-2@2 3:reset@3  leader b0 in epoch 3

21. produce q B/t-0 2
     38.7s  b0      t-0 appends 4-5@3 for a producer
            q       t-0 acknowledged at 4-5 by b0
  | A/t-0  0@0 1-2@2  leader a0 in epoch 2
  |      a1: 0@0 1@1
  | B/t-0  0@0 1-2@2 3:reset@3 4-5@3  leader b0 in epoch 3

22. fault heal a1
            a0      link to a1 works
            a1      starts again (incarnation 2)

23. fault cut a0>a1
            a0      link to a1 is cut
            a-log   a1 is fenced
            a-log   __mirror_state-0 has no leader: leader epoch 1
            a0      t-0 tells a1: diverging, epoch 0 ends at 1
            a-log   a1 is unfenced
            a-log   __mirror_state-0 elects a1: leader epoch 2

24. after 1s elect A/t-0 to=a1 unclean
     39.7s  a-log   t-0 elects a1 uncleanly: leader epoch 3
  | A/t-0  0@0 1@1  leader a1 in epoch 3
  |      a0: 0@0 1-2@2
  | B/t-0  0@0 1-2@2 3:reset@3 4-5@3  leader b0 in epoch 3

25. fault crash a0
            a0      crashes

26. produce y A/t-0 6
     47.0s  a-log   a0 is fenced
     99.9s  a1      t-0 appends 2-7@3 for a producer
            y       t-0 acknowledged at 2-7 by a1
  | A/t-0  0@0 1@1 2-7@3  leader a1 in epoch 3
  |      a0: 0@0 1-2@2
  | B/t-0  0@0 1-2@2 3:reset@3 4-5@3  leader b0 in epoch 3

27. start t in A/m
28. until state A/t-0=PREPARING
            a-log   t desired: mirroring in mirror m
            a1      t-0 state PREPARING stored by coordinator, UNKNOWN before
    100.0s  a1      t-0 last mirrored position by b1: epoch 2
            a1      t-0 cut from 8 to 2: aligned to the last mirrored position
  | A/t-0  0@0 1@1  leader a1 in epoch 3
  |      a0: 0@0 1-2@2
  | B/t-0  0@0 1-2@2 3:reset@3 4-5@3  leader b0 in epoch 3

29. after 5s describe A/t-0 in A/m
    135.0s  a-admin t-0 described: desired mirroring, PREPARING, lag unknown, last mirrored epoch -1

30. fault heal a0
            a0      link to a1 works
            a0      starts again (incarnation 2)

31. fault heal a0>a1
32. until state A/t-0=MIRRORING
33. until lag A/t-0=0
34. until quiet
            a-log   a0 is fenced
            a1      t-0 tells a0: diverging, epoch 1 ends at 2
            a-log   a0 is unfenced
            a0      t-0 cut from 3 to 1: diverged
            a1      t-0 replicas have followed, log end 2
            a1      t-0 state MIRRORING stored by coordinator, PREPARING before
            a-log   t-0 ISR is { a0 a1 }
    135.1s  a1      t-0 fetches from b0 at 2 (source leader epoch 3)
            b0      t-0 tells a1: diverging, epoch 0 ends at 1
            a1      t-0 state ULE_RECOVERY stored by coordinator, MIRRORING before
            a1      t-0 fetcher removed at 2
            a1      t-0 cut from 2 to 1: diverged
            a1      t-0 tells a0: diverging, epoch 0 ends at 1
            a0      t-0 cut from 2 to 1: diverged
            a1      t-0 state MIRRORING stored by coordinator, ULE_RECOVERY before
            a1      t-0 fetches from b0 at 1 (source leader epoch 3)
    135.2s  a1      t-0 appends 1-2@2 from the source
            a1      t-0 appends reset 3@3 from the source
            a1      t-0 appends 4-5@3 from the source
  | A/t-0  0@0 1-2@2 3:reset@3 4-5@3  leader a1 in epoch 3
  | B/t-0  0@0 1-2@2 3:reset@3 4-5@3  leader b0 in epoch 3

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 2
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: position epoch 2
  both sides were writable for 62.3s
  discarded: 6 cut when the log was aligned, and the new source does not have them
    A 2@3 record 11/1, acknowledged
    A 3@3 record 11/2, acknowledged
    A 4@3 record 11/3, acknowledged
    A 5@3 record 11/4, acknowledged
    A 6@3 record 11/5, acknowledged
    A 7@3 record 11/6, acknowledged
  unexplained: 1 cut when the log was aligned, or below the log start of the cluster in charge, and no failover or retention accounts for it
    A 1@1 record 9/2, acknowledged
  followed: 1 cut from a mirror's copy, because the source did not have them any more
    B 1@1 record 9/2
