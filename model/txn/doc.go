// Package txn is the transactions part of a broker: the transaction coordinator, which is the leader of a partition of
// __transaction_state and gives producer ids and epochs, adds partitions, ends or times out transactions by markers; and
// the verifier, by which a partition's leader asks that coordinator before it takes the first batch of a transaction
// (KIP-98, KIP-890 and section 1 of the design). Requests and answers enter; records of __transaction_state, markers and
// answers leave. Coordinator state is durable by the log alone: it is loaded by replaying the partition on election, and
// every answer waits until what it says is below the high watermark. It is never mirrored.
//
// A transactional id is the client that uses it; its partition is metadata.TransactionPartition. The coordinator epoch is
// the leader epoch of that partition. Read shard.go first, then coordinator.go, end.go and verifier.go.
package txn
