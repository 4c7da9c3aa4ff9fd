F10: --protocol first

Cluster B mirrors 50 topics of cluster A, which one request stops. The controller that has taken the request crashes while the
topics' leaders ask it for their bumps: some have theirs and are STOPPED, the others wait in STOPPING.
The rule: the request was written for all 50 topics at once. A topic is either stopped, with its reset, and takes clients, or it
still refuses them; none of them replicates any more. Asked again, the next controller says that all are stopped, and they are.

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

6. at 20s stop t01 … t50 in m
     20.0s  b-log   t01 … t50 (50) desired: stopped in mirror m
            b0      t01-0 … t50-0 (29) state STOPPING stored by coordinator, MIRRORING before
            b1      t02-0 … t48-0 (21) state STOPPING stored by coordinator, MIRRORING before
            b0      t01-0, t25-0, t50-0 fetcher removed at 1
            b0      t01-0, t25-0, t50-0 last mirrored position stored: epoch 0
            b0      t02-0 … t49-0 (47) fetcher removed at 0
            b0      t03-0 … t49-0 (26) last mirrored position stored: epoch -1
            b1      t02-0 … t48-0 (21) last mirrored position stored: epoch -1
            b-log   t01-0 … t30-0 (15) leader epoch bumped to 1
            b0      t01-0, t25-0 appends reset 1@1 of its own
            b0      t03-0 … t29-0 (12) appends reset 0@1 of its own
            b0      t01-0 … t27-0 (13) state STOPPED stored by coordinator, STOPPING before
            b0      t01-0 … t25-0 (11) is writable
  | A/t01-0, t25-0  0@0  leader a0 in epoch 0
  | B/t01-0, t25-0  0@0 1:reset@1  leader b0 in epoch 1
  | A/t03-0 … t27-0 (11)  empty  leader a0 in epoch 0
  | B/t03-0 … t27-0 (11)  0:reset@1  leader b0 in epoch 1
  | A/t29-0  empty  leader a0 in epoch 0
  | B/t29-0  0:reset@1  high watermark 0  leader b0 in epoch 1
  |      b1: empty
  | A/t30-0  empty  leader a0 in epoch 0
  | B/t30-0  empty  leader b0 in epoch 1

7. at 20020ms fault crash b-c0 for 30s
            b-c0    crashes
            b0      t30-0 appends reset 0@1 of its own
            b0      t29-0, t30-0 state STOPPED stored by coordinator, STOPPING before
            b0      t26-0 … t30-0 (4) is writable
  | A/t29-0, t30-0  empty  leader a0 in epoch 0
  | B/t29-0, t30-0  0:reset@1  leader b0 in epoch 1

8. after 2s produce p A/t01-0 1
     22.0s  a0      t01-0 appends 1@0 for a producer
            p       t01-0 acknowledged at 1 by a0
  | A/t01-0  0-1@0  leader a0 in epoch 0
  | B/t01-0  0@0 1:reset@1  leader b0 in epoch 1

9. produce p A/t50-0 1
            a0      t50-0 appends 1@0 for a producer
            p       t50-0 acknowledged at 1 by a0
  | A/t50-0  0-1@0  leader a0 in epoch 0
  | B/t50-0  0@0  leader b0 in epoch 0

10. produce q B/t01-0 1
            b0      t01-0 appends 2@1 for a producer
            q       t01-0 acknowledged at 2 by b0
  | A/t01-0  0-1@0  leader a0 in epoch 0
  | B/t01-0  0@0 1:reset@1 2@1  leader b0 in epoch 1

11. produce q B/t50-0 1
            q       t50-0 refused: READ_ONLY_TOPIC

12. stop t01 … t50 in m
13. until quiet
     30.0s  b-log   t02-0 … t50-0 (35) leader epoch bumped to 1
            b0      t02-0 … t49-0 (34) appends reset 0@1 of its own
            b0      t31-0 … t49-0 (13) state STOPPED stored by coordinator, STOPPING before
            b0      t31-0 … t49-0 (13) is writable
            b0      t50-0 appends reset 1@1 of its own
            b0      t50-0 state STOPPED stored by coordinator, STOPPING before
            b1      t02-0 … t48-0 (21) state STOPPED stored by coordinator, STOPPING before
            b0      t02-0 … t50-0 (22) is writable
     50.0s  b-c0    starts again (incarnation 2)
  | A/t02-0 … t49-0 (34)  empty  leader a0 in epoch 0
  | B/t02-0 … t49-0 (34)  0:reset@1  leader b0 in epoch 1
  | A/t50-0  0-1@0  leader a0 in epoch 0
  | B/t50-0  0@0 1:reset@1  leader b0 in epoch 1

t01-0: B is in charge
  failover A -> B by mirror m: mirrored up to 1, source end 1, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 32.1s
  after: 1 taken by the old source after the failover, and still there only
    A 1@0 record 11/4, acknowledged
t02-0 … t49-0 (34): B is in charge
  failover A -> B by mirror m: mirrored up to 0, source end 0, position epoch -1
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 22.1s
  nothing is lost
t03-0 … t30-0 (13): B is in charge
  failover A -> B by mirror m: mirrored up to 0, source end 0, position epoch -1
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 32.1s
  nothing is lost
t25-0: B is in charge
  failover A -> B by mirror m: mirrored up to 1, source end 1, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 32.1s
  nothing is lost
t50-0: B is in charge
  failover A -> B by mirror m: mirrored up to 1, source end 1, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 22.1s
  after: 1 taken by the old source after the failover, and still there only
    A 1@0 record 11/5, acknowledged
