S6: --protocol first --set stop-from=any

A topic is started on cluster B, and right then the link from cluster A is cut for good: B is in PREPARING and asks a source
that does not answer. The operator stops it.
The rule: the stop needs nothing of the source. It wins in bounded time, B is writable, and its reset is the first batch of
its log.

1. produce p A/t-0 3
      0.1s  a0      t-0 appends 0-2@0 for a producer
            p       t-0 acknowledged at 0-2 by a0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  empty  leader b0 in epoch 0

2. fault cut A>B at-point state.stored

3. start t in m
4. until state B/t-0=PREPARING
            b-log   t desired: mirroring in mirror m
            b0      t-0 state PREPARING stored by coordinator, UNKNOWN before
      0.2s  a0      link to b0 … b-log (4) is cut
            a1      link to b0 … b-log (4) is cut
            a-log   link to b0 … b-log (4) is cut
            a-c0    link to b0 … b-log (4) is cut

5. stop t in m
6. until state B/t-0=STOPPED within 30s
            b-log   t desired: stopped in mirror m
            b0      t-0 state STOPPING stored by coordinator, PREPARING before
            b-log   t-0 leader epoch bumped to 1
            b0      t-0 appends reset 0@1 of its own
            b0      t-0 state STOPPED stored by coordinator, STOPPING before
            b0      t-0 is writable
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0:reset@1  leader b0 in epoch 1

7. produce q B/t-0 1
8. until quiet
            b0      t-0 appends 1@1 for a producer
            q       t-0 acknowledged at 1 by b0
  | A/t-0  0-2@0  leader a0 in epoch 0
  | B/t-0  0:reset@1 1@1  leader b0 in epoch 1

9. live within 5m
            a0      link to b0 … b-log (4) works
            a1      link to b0 … b-log (4) works
            a-log   link to b0 … b-log (4) works
            a-c0    link to b0 … b-log (4) works

t-0: B is in charge
  failover A -> B by mirror m: mirrored up to 0, source end 3, position epoch -1
  both sides were writable for 0.0s
  lost: 3 not mirrored when the failover's stop began
    A 0@0 record 9/1, acknowledged
    A 1@0 record 9/2, acknowledged
    A 2@0 record 9/3, acknowledged
