S13: --protocol first --set lookup-missing=minus-one

Cluster B mirrored 3 records of cluster A and was promoted. The operator tidies up and deletes the mirror, and with it what B
has stored of it. B takes a record, and then A becomes a mirror of B.
The rule: B has no position for A any more, and says so. A gives up its log and copies all of B's, and the report says that
it was a full copy and no failback as usual: 3 records that both had have crossed the link again.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in B/m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0

5. stop t in B/m
6. until state B/t-0=STOPPED
7. until quiet
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

8. delete B/m
            b-log   t leaves mirror m
            b-log   mirror m is deleted
            b0      t-0 is read-only
            b0      t-0 last mirrored position under mirror m removed
            b0      t-0 state under mirror m removed

9. produce q B/t-0 1
            b0      t-0 appends 4@1 for a producer
            q       t-0 acknowledged at 4 by b0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

10. start t in A/m
11. until state A/t-0=MIRRORING
12. until lag A/t-0=0
13. until quiet
            a-log   t desired: mirroring in mirror m
            a0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.5s  a0      t-0 last mirrored position by b1: epoch -1
            a0      t-0 cut from 3 to 0: aligned to the last mirrored position
            a1      t-0 cut from 3 to 0: longer than the leader's
            a0      t-0 fetches from b0 at 0 (source leader epoch 1)
            a0      t-0 fetcher removed at 0
            a0      t-0 replicas have followed, log end 0
            a0      t-0 state MIRRORING stored by coordinator, PREPARING before
      0.6s  a0      t-0 fetches from b0 at 0 (source leader epoch 1)
            a0      t-0 appends 0-2@0 from the source
            a0      t-0 state EPOCH_FENCING stored by coordinator, MIRRORING before
            a0      t-0 fetcher removed at 3 (2 times)
      0.7s  a-log   t-0 leader epoch bumped to 1
            a0      t-0 state MIRRORING stored by coordinator, EPOCH_FENCING before
            a0      t-0 fetches from b0 at 3 (source leader epoch 1)
            a0      t-0 appends reset 3@1 from the source
            a0      t-0 appends 4@1 from the source
  | A/t-0  0-2@0 3:reset@1 4@1  leader a0 in epoch 1
  | B/t-0  0-2@0 3:reset@1 4@1  leader b0 in epoch 1

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0
  alignment B <- A by mirror m: no position, so the log is copied anew
  alignment A <- B by mirror m: no position, so the log is copied anew
  both sides were writable for 0.0s
  copied again: 3 cut, and the new source or the cluster in charge has it
    A 0@0 record 9/1, acknowledged
    A 1@0 record 9/2, acknowledged
    A 2@0 record 9/3, acknowledged
