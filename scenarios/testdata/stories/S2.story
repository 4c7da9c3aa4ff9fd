S2: --protocol first

Cluster B mirrors 6 records of cluster A when the leadership of its partition moves from b0 to b1. The new leader must
first ask what state the partition is in, and the mirror coordinator, on b2, takes 3 seconds longer to answer. In the
meantime A takes another record.
The rule: a leader that does not know the state yet does nothing. It does not take "no answer" for "no state", which
would align the log anew and cut it; the log stays at 6 until the answer says MIRRORING and the fetch goes on there.

1. produce p A/t-0 6
      0.1s  a0      t-0 appends 0-5@0 for a producer
            p       t-0 acknowledged at 0-5 by a0
  | A/t-0  0-5@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. start t in m
3. until state B/t-0=MIRRORING
4. until lag B/t-0=0
      0.2s  b-log   t desired: mirroring in mirror m
            b2      t-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b2      t-0 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-5@0 from the source
  | A/t-0  0-5@0  leader a0 in epoch 0
  | B/t-0  0-5@0  leader b0 in epoch 0

5. fault delay b2>b1 by=3s
            b2      link to b1 takes 3s longer

6. elect B/t-0 to=b1
            b-log   t-0 elects b1: leader epoch 1
            b0      t-0 fetcher removed at 6
  | A/t-0  0-5@0  leader a0 in epoch 0
  | B/t-0  0-5@0  leader b1 in epoch 1

7. produce p A/t-0 1
            a0      t-0 appends 6@0 for a producer
            p       t-0 acknowledged at 6 by a0
  | A/t-0  0-6@0  leader a0 in epoch 0
  | B/t-0  0-5@0  leader b1 in epoch 1

8. fault heal b2>b1
9. until lag B/t-0=0
10. until quiet
            b2      link to b1 works
      3.4s  b1      t-0 reads its state: MIRRORING
            b2      t-0 state MIRRORING stored by coordinator, MIRRORING before
            b1      t-0 fetches from a0 at 6 (source leader epoch 0)
            b1      t-0 appends 6@0 from the source
  | A/t-0  0-6@0  leader a0 in epoch 0
  | B/t-0  0-6@0  leader b1 in epoch 1

