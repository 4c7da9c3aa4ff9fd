S8: --protocol first

Cluster B mirrors two partitions of cluster A when the link between them goes down and up three times, each time for less
than a second: sooner than the source counts as unreachable.
The rule: nobody makes a failure of it. Both partitions stay MIRRORING with no failed attempt, and what they have copied after
it stands once, at its offset.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0
  | A/t-1  empty  leader a1 in epoch 0
  | B/t-1  empty  leader b1 in epoch 0

2. produce p A/t-1 3
            a1      t-1 appends 0-2@0 for a producer
            p       t-1 acknowledged at 0-2 by a1
  | A/t-1  0-2@0  leader a1 in epoch 0
  | B/t-1  empty  leader b1 in epoch 0

3. start t in m
4. until lag B/t-0=0
5. until lag B/t-1=0
      0.2s  b-log   t desired: mirroring in mirror m
            b0      t-0, t-1 state PREPARING stored by coordinator, UNKNOWN before
            b0      t-0 last mirrored position by a1: epoch -1
            b1      t-1 last mirrored position by a1: epoch -1
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
            b1      t-1 fetches from a1 at 0 (source leader epoch 0)
      0.3s  b0      t-0 fetcher removed at 0
            b0      t-0 replicas have followed, log end 0
            b0      t-0 state MIRRORING stored by coordinator, PREPARING before
            b1      t-1 fetcher removed at 0
            b1      t-1 replicas have followed, log end 0
            b0      t-1 state MIRRORING stored by coordinator, PREPARING before
            b0      t-0 fetches from a0 at 0 (source leader epoch 0)
            b1      t-1 fetches from a1 at 0 (source leader epoch 0)
      0.4s  b0      t-0 appends 0-2@0 from the source
            b1      t-1 appends 0-2@0 from the source
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0-2@0  leader b0 in epoch 0
  | A/t-1  0-2@0  leader a1 in epoch 0
  | B/t-1  0-2@0  leader b1 in epoch 0

6. fault cut A>B for 200ms
6. after 100ms produce p A/t-0 1
6. produce p A/t-1 1
6. after 300ms fault heal A>B
7. until leo B/t-0=6
8. until leo B/t-1=6
9. until quiet
            a0      link to b0 … b-log (4) is cut
            a1      link to b0 … b-log (4) is cut
            a-log   link to b0 … b-log (4) is cut
            a-c0    link to b0 … b-log (4) is cut
      0.5s  a0      t-0 appends 3-5@0 for a producer
            p       t-0 acknowledged at 3-5 by a0
            a1      t-1 appends 3-5@0 for a producer
            p       t-1 acknowledged at 3-5 by a1
      0.6s  a0      link to b0 … b-log (4) works
            a1      link to b0 … b-log (4) works
            a-log   link to b0 … b-log (4) works
            a-c0    link to b0 … b-log (4) works
      0.8s  a0      link to b0 … b-log (4) is cut
            a1      link to b0 … b-log (4) is cut
            a-log   link to b0 … b-log (4) is cut
            a-c0    link to b0 … b-log (4) is cut
      1.0s  a0      link to b0 … b-log (4) works
            a1      link to b0 … b-log (4) works
            a-log   link to b0 … b-log (4) works
            a-c0    link to b0 … b-log (4) works
      1.2s  a0      link to b0 … b-log (4) is cut
            a1      link to b0 … b-log (4) is cut
            a-log   link to b0 … b-log (4) is cut
            a-c0    link to b0 … b-log (4) is cut
      1.4s  a0      link to b0 … b-log (4) works
            a1      link to b0 … b-log (4) works
            a-log   link to b0 … b-log (4) works
            a-c0    link to b0 … b-log (4) works
      2.4s  b0      t-0 fetches from a0 at 3 (source leader epoch 0)
            b1      t-1 fetches from a1 at 3 (source leader epoch 0)
            b0      t-0 appends 3-5@0 from the source
            b1      t-1 appends 3-5@0 from the source
  | A/t-0  0-5@0  leader a0 in epoch 0
  | B/t-0  0-5@0  leader b0 in epoch 0
  | A/t-1  0-5@0  leader a1 in epoch 0
  | B/t-1  0-5@0  leader b1 in epoch 0

