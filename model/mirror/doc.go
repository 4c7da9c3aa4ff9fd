// Package mirror is the mirror metadata manager of a broker: the state machine of each mirrored partition that the broker
// leads, alignment with the source, the mirror fetcher, and the stop sequence. Changes of leadership and of the desired
// state, answers of coordinators, source brokers and the controller, and the progress of replicas enter; requests, log
// actions and points leave. Read manager.go first, then rules.go, read.go, store.go, next.go, align.go, fetcher.go, stop.go,
// fence.go and fail.go; state.go clones and encodes it all. lower.go is what a leader that has cut its log asks of the
// group coordinators.
//
// What a broker does for others is in gather.go: lookup.go answers position lookups, check.go reads for the controller what
// its validations need, describe.go describes a partition. wide.go begins the work that one broker does for a whole mirror:
// topicsync.go and aclsync.go are the pass over its topics, configs and ACLs, groupsync.go that over its groups, for which
// bound.go bounds the offsets at the partition's leader.
package mirror
