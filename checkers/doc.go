// Package checkers judges a run by its history alone. The events of a run go in; verdicts, the loss report and the
// answers to waits and expectations come out. It sees events, batches and ids, never a node.
//
// One fold of the history, the Ledger, holds what is so: a shadow of every replica's log, leaders and ISRs, mirror
// states and positions, client operations. The checkers read the ledger and the event that it has just folded in, and
// tell a Reporter on which occasions a property could have failed and where it did. Everything is incremental, and
// memory is bounded by the records that are not yet below every log start.
//
// Read ledger.go first, then what it holds: shadow.go and compaction.go (logs), cluster.go, mirror.go, client.go,
// transactions.go, commits.go and groupreads.go, configs.go and acls.go; query.go, described.go, quiet.go and
// coarse.go answer from it.
// Then suite.go, property.go and reporter.go. After that each checker is a file named after the family of facts that it
// reads, such as exactcut.go; liveness.go and faultisolation.go judge the second phase of a run. report.go makes the loss
// report, with reportlosses.go and reporttransactions.go, and reporttext.go its text. clone.go forks it all. porcupine.go
// and the files behind it are apart from all of this: a second opinion on linearizability, made from the same events by a
// library; porcupinepicture.go draws what it does not find an order for. PROOF.md says how each property was seen to fail.
package checkers
