// Package coordinator is the mirror coordinator: the leader of a partition of __mirror_state, which stores the actual
// mirror state and the last mirrored position of each mirrored partition that is placed there, and fences stale writers.
// Reads and writes enter, records of __mirror_state and answers leave. On election it loads by replaying the partition.
// Read coordinator.go first, then shard.go and sweep.go. states.go says what each state is for, edges.go which may follow which.
package coordinator
