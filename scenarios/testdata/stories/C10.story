C10: --protocol first --set lookup-missing=fail-over-records --set stop-from=any

Cluster A is mirrored by clusters B and C. C was stopped after 2 records, and has taken 4 of its own since; B has all 3. A is lost for
good, and an operator gives B's mirror C for its source.
The rule: C has never mirrored from B and tells of no position, so that nobody knows what the two have in common. B's log holds a
record that C lacks: the partition is FAILED, and its log stays as it is. Who wants C's history deletes B's copy first. If no position meant
that everything is copied anew, the record would be gone, and no failover would account for it.

1. produce p A/t-0 2
      0.1s  a0      t-0 appends 0-1@0 for a producer
            p       t-0 acknowledged at 0-1 by a0
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | C/t-0  empty  leader c0 in epoch 0

2. start t in k
3. until state C/t-0=MIRRORING
4. until leo C/t-0=2
            c-log   t desired: mirroring in mirror k
            c0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  c0      t-0 last mirrored position by a1: epoch -1
            c0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  c0      t-0 fetcher removed at 0
            c0      t-0 replicas have followed, log end 0
            c0      t-0 state MIRRORING stored by coordinator, PREPARING before
            c0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  c0      t-0 appends 0-1@0 from the source
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | C/t-0  0-1@0  high watermark 0  leader c0 in epoch 0
  |      c1: empty

5. stop t in k
6. until state C/t-0=STOPPED
            c-log   t desired: stopped in mirror k
            c0      t-0 state STOPPING stored by coordinator, MIRRORING before
            c0      t-0 fetcher removed at 2
            c0      t-0 last mirrored position stored: epoch 0
            c-log   t-0 leader epoch bumped to 1
            c0      t-0 appends reset 2@1 of its own
            c0      t-0 state STOPPED stored by coordinator, STOPPING before
            c0      t-0 is writable
  | A/t-0  0-1@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | C/t-0  0-1@0 2:reset@1  leader c0 in epoch 1

7. produce p A/t-0 1
            a0      t-0 appends 2@0 for a producer
            p       t-0 acknowledged at 2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | C/t-0  0-1@0 2:reset@1  leader c0 in epoch 1

8. produce q C/t-0 4
            c0      t-0 appends 3-6@1 for a producer
            q       t-0 acknowledged at 3-6 by c0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | C/t-0  0-1@0 2:reset@1 3-6@1  leader c0 in epoch 1

9. start t in m
10. until state B/t-0=MIRRORING
11. until leo B/t-0=3
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.5s  b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
            b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
      0.6s  b0      t-0 fetches from a0 at 0 (source leader epoch 0)
            b0      t-0 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  high watermark 0  leader b0 in epoch 0
  |      b1: empty
  | C/t-0  0-1@0 2:reset@1 3-6@1  leader c0 in epoch 1

12. fault isolate A
            a0      link to q … c-admin (11) is cut
            a1      link to q … c-admin (11) is cut
            b0      link to p … a-admin (6) is cut
            b1      link to p … a-admin (6) is cut
            c0      link to p … a-admin (6) is cut
            c1      link to p … a-admin (6) is cut
            a-log   link to q … c-admin (11) is cut
            a-c0    link to q … c-admin (11) is cut
            b-log   link to p … a-admin (6) is cut
            b-c0    link to p … a-admin (6) is cut
            c-log   link to p … a-admin (6) is cut
            c-c0    link to p … a-admin (6) is cut
            p       link to q … c-admin (11) is cut
            q       link to p … a-admin (6) is cut
            a-admin link to q … c-admin (11) is cut
            b-admin link to p … a-admin (6) is cut
            c-admin link to p … a-admin (6) is cut

13. stop t in m
14. until state B/t-0=STOPPED
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1
  | C/t-0  0-1@0 2:reset@1 3-6@1  leader c0 in epoch 1

15. delete m
            b-log   t leaves mirror m
            b-log   mirror m is deleted
            b0      t-0 is read-only
            b0      t-0 last mirrored position under mirror m removed
            b0      t-0 state under mirror m removed

16. create m from C
            b-log   mirror m from C is created or changed

17. start t in m
18. until state B/t-0=FAILED within 1m or-go-on
19. until quiet within 1m or-go-on
      0.7s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by c1: epoch -1
            b0      t-0 state FAILED stored by coordinator, PREPARING before: the source has no last mirrored position; not tried again

20. live
     60.7s  a0      link to q … c-admin (11) works
            a1      link to q … c-admin (11) works
            b0      link to p … a-admin (6) works
            b1      link to p … a-admin (6) works
            c0      link to p … a-admin (6) works
            c1      link to p … a-admin (6) works
            a-log   link to q … c-admin (11) works
            a-c0    link to q … c-admin (11) works
            b-log   link to p … a-admin (6) works
            b-c0    link to p … a-admin (6) works
            c-log   link to p … a-admin (6) works
            c-c0    link to p … a-admin (6) works
            p       link to q … c-admin (11) works
            q       link to p … a-admin (6) works
            a-admin link to q … c-admin (11) works
            b-admin link to p … a-admin (6) works
            c-admin link to p … a-admin (6) works

t-0: B is in charge
  failover A -> C by mirror k: mirrored up to 2, source end 2, position epoch 0
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment C <- A by mirror k: no position, so the log is copied anew
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 60.4s
  nothing is lost
