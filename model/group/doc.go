// Package group is the group coordinator of a broker: the leader of a partition of __consumer_offsets, which keeps the
// committed offsets of the groups that are placed there with their leader epochs, and as much of membership as fencing needs
// (sections 1 and 9 of the design). Requests and answers enter; records of __consumer_offsets and answers leave. Its state is
// durable by the log alone: it is loaded by replaying the partition on election, and what changes it is answered once that is
// below the high watermark. It is never mirrored: offsets come to another cluster by mirror-wide work, as foreign commits.
//
// A group has one member, the client that it is named after; a join replaces the member there was and raises the generation.
// A group without a member is empty, and takes foreign commits. A group's partition is metadata.Image.GroupsOf. Read
// shard.go first, then coordinator.go, member.go, commit.go and lower.go.
package group
