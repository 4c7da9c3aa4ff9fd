F10-untouched: --protocol first

Cluster B mirrors 50 topics of cluster A, which one request stops. B's only controller crashes before the metadata log has heard
of the request, and is away for longer than the operator's client waits.
The rule: the client is told that nobody has answered, and not one of the topics is stopped in part: all 50 go on mirroring. Asked
again, the controller stops all of them.

1. produce p A/t01-0 1
      0.1s  a0      t01-0 appends 0@0 for a producer
            p       t01-0 acknowledged at 0 by a0
  | A/t01-0  0@0  leader a0 in epoch 0
  | B/t01-0  empty  leader b0 in epoch 0
  | A/t02-0 … t50-0 (49)  empty  leader a0 in epoch 0
  | B/t02-0 … t50-0 (49)  empty  leader b0 in epoch 0

2. produce p A/t25-0 1
            a0      t25-0 appends 0@0 for a producer
            p       t25-0 acknowledged at 0 by a0
  | A/t25-0  0@0  leader a0 in epoch 0
  | B/t25-0  empty  leader b0 in epoch 0

3. produce p A/t50-0 1
            a0      t50-0 appends 0@0 for a producer
            p       t50-0 acknowledged at 0 by a0
  | A/t50-0  0@0  leader a0 in epoch 0
  | B/t50-0  empty  leader b0 in epoch 0

4. start t01 … t50 in m
5. until quiet
      0.2s  b-log   t01 … t50 (50) desired: mirroring in mirror m
            b0      t01-0 … t50-0 (29) state PREPARING stored by coordinator, UNKNOWN before
            b1      t02-0 … t48-0 (21) state PREPARING stored by coordinator, UNKNOWN before
            b0      t01-0 … t50-0 (50) last mirrored position by a1: epoch -1
            b0      t01-0 … t50-0 (50) fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t01-0 … t50-0 (50) fetcher removed at 0
            b0      t01-0 … t50-0 (50) replicas have followed, log end 0
            b0      t01-0 … t50-0 (29) state MIRRORING stored by coordinator, PREPARING before
            b1      t02-0 … t48-0 (21) state MIRRORING stored by coordinator, PREPARING before
            b0      t01-0 … t50-0 (50) fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t01-0, t25-0, t50-0 appends 0@0 from the source
  | A/t01-0, t25-0, t50-0  0@0  leader a0 in epoch 0
  | B/t01-0, t25-0, t50-0  0@0  leader b0 in epoch 0

6. at 20s fault cut b-c0>b-log for 1s
     20.0s  b-c0    link to b-log is cut

7. at 20s stop t01 … t50 in m

8. at 20100ms fault crash b-c0 for 70s
     20.1s  b-c0    crashes
     21.0s  b-c0    link to b-log works
     80.0s  b-admin t01 … t50 (50) answered: REQUEST_TIMED_OUT

9. at 85s describe B/t01-0 in m
     85.0s  b-admin t01-0 described: desired mirroring, MIRRORING, lag 0, last mirrored epoch -1

10. produce p A/t01-0 1
            a0      t01-0 appends 1@0 for a producer
            p       t01-0 acknowledged at 1 by a0
  | A/t01-0  0-1@0  leader a0 in epoch 0
  | B/t01-0  0@0  leader b0 in epoch 0

11. produce p A/t25-0 1
            a0      t25-0 appends 1@0 for a producer
            p       t25-0 acknowledged at 1 by a0
  | A/t25-0  0-1@0  leader a0 in epoch 0
  | B/t25-0  0@0  leader b0 in epoch 0

12. produce p A/t50-0 1
13. until leo B/t01-0=2
14. until leo B/t25-0=2
15. until leo B/t50-0=2
            a0      t50-0 appends 1@0 for a producer
            p       t50-0 acknowledged at 1 by a0
            b0      t01-0, t25-0, t50-0 appends 1@0 from the source
     90.1s  b-c0    starts again (incarnation 2)
  | A/t01-0, t25-0, t50-0  0-1@0  leader a0 in epoch 0
  | B/t01-0, t25-0, t50-0  0-1@0  leader b0 in epoch 0

16. after 10s stop t01 … t50 in m
17. until quiet
     95.0s  b-log   t01 … t50 (50) desired: stopped in mirror m
            b0      t01-0 … t50-0 (29) state STOPPING stored by coordinator, MIRRORING before
            b1      t02-0 … t48-0 (21) state STOPPING stored by coordinator, MIRRORING before
            b0      t01-0, t25-0, t50-0 fetcher removed at 2
            b0      t01-0, t25-0, t50-0 last mirrored position stored: epoch 0
            b0      t02-0 … t49-0 (47) fetcher removed at 0
            b0      t03-0 … t49-0 (26) last mirrored position stored: epoch -1
            b1      t02-0 … t48-0 (21) last mirrored position stored: epoch -1
            b-log   t01-0 … t50-0 (50) leader epoch bumped to 1
            b0      t01-0, t25-0, t50-0 appends reset 2@1 of its own
            b0      t02-0 … t49-0 (47) appends reset 0@1 of its own
            b0      t01-0 … t50-0 (29) state STOPPED stored by coordinator, STOPPING before
            b0      t01-0 … t50-0 (29) is writable
     95.1s  b1      t02-0 … t48-0 (21) state STOPPED stored by coordinator, STOPPING before
            b0      t02-0 … t48-0 (21) is writable
  | A/t01-0, t25-0, t50-0  0-1@0  leader a0 in epoch 0
  | B/t01-0, t25-0, t50-0  0-1@0 2:reset@1  leader b0 in epoch 1
  | A/t02-0 … t49-0 (47)  empty  leader a0 in epoch 0
  | B/t02-0 … t49-0 (47)  0:reset@1  leader b0 in epoch 1

t01-0: B is in charge
  failover A -> B by mirror m: mirrored up to 2, source end 2, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.1s
  nothing is lost
t02-0 … t49-0 (46): B is in charge
  failover A -> B by mirror m: mirrored up to 0, source end 0, position epoch -1
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  nothing is lost
t25-0, t50-0: B is in charge
  failover A -> B by mirror m: mirrored up to 2, source end 2, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  nothing is lost
t48-0: B is in charge
  failover A -> B by mirror m: mirrored up to 0, source end 0, position epoch -1
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
