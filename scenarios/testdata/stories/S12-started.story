S12-started: --protocol first --set unknown-state=read-only

The same as S12, but B's topic has been started again as a mirror before its leadership moves to b1, and cluster A cannot be
reached, so that it stays in PREPARING.
The rule: b1 takes no client's write before it knows the state, nor when it does: PREPARING is a mirror's. A leader that takes
writes meanwhile acknowledges what the alignment is going to cut.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
            b-log   t desired: mirroring in mirror m
      0.2s  b2      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b2      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0

5. stop t in m
6. until state B/t-0=STOPPED
7. until quiet
            b-log   t desired: stopped in mirror m
            b2      t-0 state STOPPING stored by coordinator, MIRRORING before
            b0      t-0 fetcher removed at 3
            b2      t-0 last mirrored position stored: epoch 0
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 3@1 of its own
            b2      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b0 in epoch 1

8. fault cut A>B
            a0      link to b0 … b-log (5) is cut
            a1      link to b0 … b-log (5) is cut
            a-log   link to b0 … b-log (5) is cut
            a-c0    link to b0 … b-log (5) is cut

9. start t in m
10. until state B/t-0=PREPARING
      4.4s  b-log   t desired: mirroring in mirror m
            b0      t-0 is read-only
            b2      t-0 state PREPARING stored by coordinator, STOPPED before

11. fault delay b1>b2 by=3s
            b1      link to b2 takes 3s longer

12. elect B/t-0 to=b1
            b-log   t-0 elects b1: leader epoch 2
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0 3:reset@1  leader b1 in epoch 2

13. produce q B/t-0 1
            q       t-0 refused: READ_ONLY_TOPIC

14. fault heal b1>b2
            b1      link to b2 works
      7.4s  b1      t-0 reads its state: PREPARING
            b2      t-0 state PREPARING stored by coordinator, PREPARING before

15. after 5s produce q B/t-0 1
      9.4s  q       t-0 refused: READ_ONLY_TOPIC
     17.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
     18.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before
     28.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
     29.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before
     39.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
     40.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before
     50.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
     51.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before
     61.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
     62.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before
     72.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
     73.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before
     83.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
     84.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before
     94.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
     95.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before
    105.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
    106.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before
    116.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
    117.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before
    127.4s  b2      t-0 state FAILED stored by coordinator, PREPARING before: no broker of the source answers; attempt 1
    128.4s  b2      t-0 state PREPARING stored by coordinator, FAILED before

t-0: A is in charge
  failover A -> B by mirror m: mirrored up to 3, source end 3, position epoch 0, undone
  alignment B <- A by mirror m: no position, so the log is copied anew
  both sides were writable for 4.0s
  nothing is lost
