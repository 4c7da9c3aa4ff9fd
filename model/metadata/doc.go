// Package metadata is the image of a cluster that a broker or controller builds by replaying the metadata log, each node
// at its own pace, and the placement of mirror states, transactional ids and groups in the partitions of their internal
// topics. Records enter, in the order of the log; lookups leave. Read image.go first, then deleted.go,
// placement.go, patterns.go, configs.go and acls.go.
package metadata
