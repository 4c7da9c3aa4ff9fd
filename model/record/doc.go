// Package record holds what logs are made of: record batches (with Kafka's record-batch v2 bytes), the control batches
// of transactions and of the producer reset, the records of __mirror_state, __transaction_state and __consumer_offsets, and
// the records of the metadata log. All of them are immutable once built and are shared by replicas, messages and forks.
//
// Read batch.go first, then encode.go, decode.go and crc.go for its bytes, and compact.go for what the cleaner leaves of it;
// mirrorstate.go with reason.go, transaction.go and group.go for the internal topics; metadata.go, config.go and acl.go for
// the metadata log.
package record
