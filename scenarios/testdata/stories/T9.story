T9: --protocol first

Cluster B mirrors a topic of 10 partitions of cluster A, one record in each, and is stopped. Nothing goes wrong.
The rule: each partition is stopped by its own leader, and gets one reset, at 1: ten in all, and no stop runs twice.

1. produce p A/t-0 1
      0.1s  a0      t-0 appends 0@0 for a producer
            p       t-0 acknowledged at 0 by a0
  | A/t-0  0@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | A/t-1 … t-9 (5)  empty  leader a1 in epoch 0
  | B/t-1 … t-9 (5)  empty  leader b1 in epoch 0
  | A/t-2 … t-8 (4)  empty  leader a0 in epoch 0
  | B/t-2 … t-8 (4)  empty  leader b0 in epoch 0

2. produce p A/t-1 1
            a1      t-1 appends 0@0 for a producer
            p       t-1 acknowledged at 0 by a1
  | A/t-1  0@0  leader a1 in epoch 0
  | B/t-1  empty  leader b1 in epoch 0

3. produce p A/t-2 1
            a0      t-2 appends 0@0 for a producer
            p       t-2 acknowledged at 0 by a0
  | A/t-2  0@0  leader a0 in epoch 0
  | B/t-2  empty  leader b0 in epoch 0

4. produce p A/t-3 1
            a1      t-3 appends 0@0 for a producer
            p       t-3 acknowledged at 0 by a1
  | A/t-3  0@0  leader a1 in epoch 0
  | B/t-3  empty  leader b1 in epoch 0

5. produce p A/t-4 1
            a0      t-4 appends 0@0 for a producer
            p       t-4 acknowledged at 0 by a0
  | A/t-4  0@0  leader a0 in epoch 0
  | B/t-4  empty  leader b0 in epoch 0

6. produce p A/t-5 1
            a1      t-5 appends 0@0 for a producer
            p       t-5 acknowledged at 0 by a1
  | A/t-5  0@0  leader a1 in epoch 0
  | B/t-5  empty  leader b1 in epoch 0

7. produce p A/t-6 1
            a0      t-6 appends 0@0 for a producer
            p       t-6 acknowledged at 0 by a0
  | A/t-6  0@0  leader a0 in epoch 0
  | B/t-6  empty  leader b0 in epoch 0

8. produce p A/t-7 1
            a1      t-7 appends 0@0 for a producer
            p       t-7 acknowledged at 0 by a1
  | A/t-7  0@0  leader a1 in epoch 0
  | B/t-7  empty  leader b1 in epoch 0

9. produce p A/t-8 1
            a0      t-8 appends 0@0 for a producer
            p       t-8 acknowledged at 0 by a0
  | A/t-8  0@0  leader a0 in epoch 0
  | B/t-8  empty  leader b0 in epoch 0

10. produce p A/t-9 1
            a1      t-9 appends 0@0 for a producer
            p       t-9 acknowledged at 0 by a1
  | A/t-9  0@0  leader a1 in epoch 0
  | B/t-9  empty  leader b1 in epoch 0

11. start t in m
12. until lag B/t-0=0
13. until lag B/t-1=0
14. until lag B/t-2=0
15. until lag B/t-3=0
16. until lag B/t-4=0
17. until lag B/t-5=0
18. until lag B/t-6=0
19. until lag B/t-7=0
20. until lag B/t-8=0
21. until lag B/t-9=0
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0, t-1, t-5 state PREPARING stored by coordinator, UNKNOWN before
            b1      t-2 … t-9 (7) state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 … t-8 (5) last mirrored position by a1: epoch -1
            b1      t-1 … t-9 (5) last mirrored position by a1: epoch -1
      0.3s  b0      t-0 … t-8 (5) fetches from a0 at 0 (source leader epoch 0)
            b1      t-1 … t-9 (5) fetches from a1 at 0 (source leader epoch 0)
            b0      t-0 … t-8 (5) fetcher removed at 0
            b0      t-0 … t-8 (5) replicas have followed, log end 0
            b1      t-1 … t-9 (5) fetcher removed at 0
            b1      t-1 … t-9 (5) replicas have followed, log end 0
            b0      t-0, t-1, t-5 state MIRRORING stored by coordinator, PREPARING before
            b1      t-2 … t-9 (7) state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 … t-8 (5) fetches from a0 at 0 (source leader epoch 0)
            b1      t-1 … t-9 (5) fetches from a1 at 0 (source leader epoch 0)
      0.4s  b0      t-0 … t-8 (5) appends 0@0 from the source
            b1      t-1 … t-9 (5) appends 0@0 from the source
  | A/t-0 … t-8 (5)  0@0  leader a0 in epoch 0
  | B/t-0 … t-8 (5)  0@0  leader b0 in epoch 0
  | A/t-1 … t-9 (5)  0@0  leader a1 in epoch 0
  | B/t-1 … t-9 (5)  0@0  leader b1 in epoch 0

22. stop t in m
23. until state B/t-0=STOPPED
24. until state B/t-1=STOPPED
25. until state B/t-2=STOPPED
26. until state B/t-3=STOPPED
27. until state B/t-4=STOPPED
28. until state B/t-5=STOPPED
29. until state B/t-6=STOPPED
30. until state B/t-7=STOPPED
31. until state B/t-8=STOPPED
32. until state B/t-9=STOPPED
33. until quiet
            b-log   t desired: stopped in mirror m
            b0      t-0, t-1, t-5 state STOPPING stored by coordinator, MIRRORING before
            b1      t-2 … t-9 (7) state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 … t-8 (5) fetcher removed at 1
            b1      t-1 … t-9 (5) fetcher removed at 1
            b0      t-0, t-1, t-5 last mirrored position stored: epoch 0
            b1      t-2 … t-9 (7) last mirrored position stored: epoch 0
            b-log   t-0 … t-9 (10) leader epoch bumped to 1
            b0      t-0 … t-8 (5) appends reset 1@1 of its own
            b1      t-1 … t-9 (5) appends reset 1@1 of its own
            b0      t-0, t-1, t-5 state STOPPED stored by coordinator, STOPPING before
            b1      t-2 … t-9 (7) state STOPPED stored by coordinator, STOPPING before
            b0      t-0 … t-8 (5) is writable
            b1      t-1 … t-9 (5) is writable
  | A/t-0 … t-8 (5)  0@0  leader a0 in epoch 0
  | B/t-0 … t-8 (5)  0@0 1:reset@1  leader b0 in epoch 1
  | A/t-1 … t-9 (5)  0@0  leader a1 in epoch 0
  | B/t-1 … t-9 (5)  0@0 1:reset@1  leader b1 in epoch 1

t-0 … t-9 (9): B is in charge
  failover A -> B by mirror m: mirrored up to 1, source end 1, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  nothing is lost
t-8: B is in charge
  failover A -> B by mirror m: mirrored up to 1, source end 1, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
