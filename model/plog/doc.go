// Package plog is one replica's partition log as Kafka keeps it: batches, leader-epoch cache, producer state, open and
// aborted transactions, high watermark and last stable offset, with truncation, retention and recovery (section 4 of
// the design). Batches enter through AppendLeader (a leader's own appends) and AppendAsIs (followed and mirrored
// ones); what leaves are views for fetches (Read), answers to endOffsetFor, and the events of every act, read back
// after it.
//
// The batches and the leader-epoch checkpoint live on the files that the world lends (disk.Partition); everything else
// is rebuilt from them by Open. Who may append, when the high watermark moves and what a truncation is for is decided
// elsewhere: the log knows no leader, no replica set and no mirror.
//
// Read log.go first, then epochs.go, producers.go, transactions.go, watermark.go, truncate.go and compact.go; recover.go and
// snapshot.go are what a start makes of the files, report.go what it tells of the log.
package plog
