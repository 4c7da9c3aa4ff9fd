// Package controller is the control plane of one cluster: the metadata log, a node of its own that stands for the
// replicated quorum log, and the controllers, of which the log makes one active at a time. Requests of brokers enter,
// records of the metadata log leave. Its quorum is not simulated message by message (section 1 of the design). Read
// log.go first, then controller.go, elections.go and partitions.go; the requests of section 2 are in mirrors.go,
// mirrortopics.go, starts.go, patterns.go, topics.go and newtopics.go, those of configs and ACLs in configs.go and acls.go.
package controller
