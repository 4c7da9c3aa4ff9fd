// Package replica is ISR replication of one partition on one broker: the leader that answers fetches, raises the high
// watermark and asks the controller for ISR changes, and the follower that fetches, truncates where it diverges, and
// appends. Requests and answers enter, effects and completions leave. Read replica.go first, then leader.go, fetch.go,
// isr.go and follower.go; divergence.go is the rule that followers and mirror fetchers share, realign.go how a replica that
// was away is brought below an alignment's cut, marker.go the append of a transaction's end, state.go clones and encodes.
package replica
