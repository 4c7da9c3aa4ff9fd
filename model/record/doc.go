// Package record holds what logs are made of: record batches (with Kafka's record-batch v2 bytes), the control batches
// of transactions and of the producer reset, the records of __mirror_state, and the records of the metadata log. All of
// them are immutable once built and are shared by replicas, messages and forks. Read batch.go first.
package record
