C2: --protocol first

Cluster A grants access to orders and to a group, and takes one of the grants back while B mirrors. B has grants of its own.
The rule: the ACLs that the mirror's list includes are made equal to the source's, what is removed there is removed here;
those on mirrors are never touched, nor what the list does not include. A second pass without a change writes nothing.
While the topic is paused its ACLs are left alone.

1. acl add topic:orders alice read on A
      0.1s  a-log   ACL topic:orders alice read is added
  | A/users-0, orders-0  empty  leader a0 in epoch 0
  | B/users-0, orders-0  empty  leader b0 in epoch 0

2. acl add topic:orders bob write deny on A
            a-log   ACL topic:orders bob write deny is added

3. acl add topic:users alice read on A
            a-log   ACL topic:users alice read is added

4. acl add mirror:m alice alter on A
            a-log   ACL mirror:m alice alter is added

5. acl add topic:orders carol all on B
            b-log   ACL topic:orders carol all is added

6. acl add mirror:m carol alter on B
            b-log   ACL mirror:m carol alter is added

7. start orders users in m
8. until acl topic:orders alice read on B within 10s
9. until no-acl topic:orders carol all on B within 10s
      0.2s  b-log   users, orders desired: mirroring in mirror m
            b0      orders-0 state PREPARING stored by coordinator, UNKNOWN before
            b1      users-0 state PREPARING stored by coordinator, UNKNOWN before
            b0      users-0, orders-0 last mirrored position by a1: epoch -1
            b0      users-0, orders-0 fetches from a0 at 0 (source leader epoch 0)
      0.3s  b0      users-0, orders-0 fetcher removed at 0
            b0      users-0, orders-0 replicas have followed, log end 0
            b0      orders-0 state MIRRORING stored by coordinator, PREPARING before
            b1      users-0 state MIRRORING stored by coordinator, PREPARING before
            b0      users-0, orders-0 fetches from a0 at 0 (source leader epoch 0)
      5.1s  b0      mirror m is synchronised with a1, requests to the controller: 2
            b-log   ACL topic:orders alice read is added by mirror m
            b-log   ACL topic:orders bob write deny is added by mirror m
            b-log   ACL topic:orders carol all is removed by mirror m

10. acl remove topic:orders alice read on A
11. until no-acl topic:orders alice read on B within 10s
12. until passes m=4
            a-log   ACL topic:orders alice read is removed
     10.1s  b0      mirror m is synchronised with a0, requests to the controller: 1
            b-log   ACL topic:orders alice read is removed by mirror m

13. pause orders in m
14. until state B/orders-0=PAUSED
     20.1s  b-log   orders desired: paused in mirror m
            b0      orders-0 state PAUSING stored by coordinator, MIRRORING before
            b0      orders-0 fetcher removed at 0
            b0      orders-0 state PAUSED stored by coordinator, PAUSING before

15. acl remove topic:orders bob write deny on A
            a-log   ACL topic:orders bob write deny is removed

16. after 20s produce p A/orders-0 1
     40.1s  a0      orders-0 appends 0@0 for a producer
            p       orders-0 acknowledged at 0 by a0
  | A/orders-0  0@0  leader a0 in epoch 0
  | B/orders-0  empty  leader b0 in epoch 0

17. resume orders in m
18. until no-acl topic:orders bob write deny on B within 10s
            b-log   orders desired: mirroring in mirror m
            b0      orders-0 state MIRRORING stored by coordinator, PAUSED before
     40.2s  b0      orders-0 fetches from a0 at 0 (source leader epoch 0)
            b0      orders-0 appends 0@0 from the source
     45.1s  b0      mirror m is synchronised with a1, requests to the controller: 1
            b-log   ACL topic:orders bob write deny is removed by mirror m
  | A/orders-0  0@0  leader a0 in epoch 0
  | B/orders-0  0@0  leader b0 in epoch 0

