// Package metadata is the image of a cluster that a broker or controller builds by replaying the metadata log, each node
// at its own pace, and the placement of mirror state in __mirror_state. Records enter, in the order of the log; lookups
// leave. Read image.go first, then placement.go and patterns.go.
package metadata
