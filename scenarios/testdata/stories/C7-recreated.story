C7-recreated: --protocol first --set source-deleted=fail --set stop-from=any --set start-topic=create --set repeat-request=error

Cluster B mirrors topic t of cluster A. At A the topic is deleted, and another one of that name comes in its place: A's own mirror
of cluster C creates it, under the id that it has at C.
The rule: a topic is its id, not its name. B never mixes the two: its log stays as it is, it is FAILED with the reason that its
source's topic is deleted, and a start, which finds the new id under the old name, is refused.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | C/t-0  empty  leader c0 in epoch 0

2. produce q C/t-0 7
            c0      t-0 appends 0-6@0 for a producer
            q       t-0 acknowledged at 0-6 by c0
  | C/t-0  0-6@0  leader c0 in epoch 0

3. start t in m
4. until state B/t-0=MIRRORING
5. until leo B/t-0=3
6. until quiet
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0

7. delete-topics t on A
            a-log   t is deleted
            a0      t-0 replica removed with its log
            a1      t-0 replica removed with its log
  | B/t-0  0-2@0  leader b0 in epoch 0

8. start t in k
9. until state B/t-0=FAILED
            a-log   t is created, partitions: 1
            a-log   t desired: mirroring in mirror k
            a0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.5s  a0      t-0 last mirrored position by c1: epoch -1
            a0      t-0 fetches from c0 at 0 (source leader epoch 0)
            a0      t-0 fetcher removed at 0
            a0      t-0 replicas have followed, log end 0
            a0      t-0 state MIRRORING stored by coordinator, PREPARING before
      0.6s  a0      t-0 fetches from c0 at 0 (source leader epoch 0)
            a0      t-0 appends 0-6@0 from the source
      0.8s  b0      t-0 fetcher removed at 3
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: the source has deleted the topic; not tried again
  | A/t-0  0-6@0  leader a0 in epoch 0
  | C/t-0  0-6@0  leader c0 in epoch 0

10. produce q C/t-0 3
            c0      t-0 appends 7-9@0 for a producer
            q       t-0 acknowledged at 7-9 by c0
  | A/t-0  0-6@0  leader a0 in epoch 0
  | C/t-0  0-9@0  leader c0 in epoch 0

11. recover t in m
12. until attempts B/t-0=-1
            b-log   t desired: mirroring in mirror m, recoveries: 1
            b0      t-0 state MIRRORING stored by coordinator, FAILED before
            a0      t-0 appends 7-9@0 from the source
      1.0s  b0      t-0 fetcher removed at 3
            b0      t-0 state FAILED stored by coordinator, MIRRORING before: the source has deleted the topic; not tried again
  | A/t-0  0-9@0  leader a0 in epoch 0
  | C/t-0  0-9@0  leader c0 in epoch 0

13. describe B/t-0 in m
            b-admin t-0 described: desired mirroring, MIRRORING, lag unknown, last mirrored epoch -1

14. stop t in m
15. until state B/t-0=STOPPED
            b-log   t desired: stopped in mirror m, recoveries: 1
            b0      t-0 state STOPPING stored by coordinator, FAILED before
            b0      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

16. start t in m
            b-admin t answered: INCONSISTENT_TOPIC_ID

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end unknown, position epoch 0, the source had deleted the topic
  alignment B <- A by mirror m: no position, so the log is copied anew
  nothing is lost
