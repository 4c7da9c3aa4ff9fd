// Package mirror is the mirror metadata manager of a broker: the state machine of each mirrored partition that the broker
// leads, alignment with the source, the mirror fetcher, and the stop sequence. Changes of leadership and of the desired
// state, answers of coordinators, source brokers and the controller, and the progress of replicas enter; requests, log
// actions and points leave. Read manager.go first, then rules.go, read.go, store.go, align.go, fetcher.go, stop.go, fence.go
// and fail.go. What a broker does for others is in gather.go: lookup.go answers position lookups, check.go reads for the
// controller what its validations need, describe.go describes a partition. wide.go begins the
// work that one broker does for a whole mirror; topicsync.go and aclsync.go are the pass over its topics and ACLs.
package mirror
