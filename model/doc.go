// Package model is the cluster mirroring protocol of Kafka's KIP-1279, and nothing else: no clock, no randomness, no
// goroutine, no I/O. Every node is a deterministic state machine that takes one message or timer and answers effects.
//
// A reader who wants to learn the protocol reads the packages in this order:
//
//   - id, record, wire: the words, the batches and the messages;
//   - setting, assert: the constants of Kafka that a run may set, and what must be true under all of them;
//   - protocol: every decision point of the design, and the revisions as sets of choices;
//   - node, point, disk, event: the contract between a node and whoever runs it;
//   - plog: one replica's log with its leader-epoch cache, producer state, high watermark and last stable offset;
//   - metadata, controller: the metadata log, the image that brokers build from it, elections and mirror requests;
//   - replica: ISR replication, leader and follower;
//   - coordinator: the __mirror_state topic;
//   - txn: the __transaction_state topic, and the verification of transactions;
//   - group: the __consumer_offsets topic;
//   - mirror: the partition state machine, alignment, the fetcher, the stop sequence, and mirror-wide work: topics, configs,
//     ACLs and groups;
//   - broker, client: all of that wired into one broker, and the clients that use it.
//
// PROTOCOL.md beside this file says the rules in prose; WALKTHROUGH.md follows one failover and failback message by
// message.
package model
