// Package checkers judges a run by its history alone. The events of a run go in; verdicts, the loss report and the
// answers to waits and expectations come out. It sees events, batches and ids, never a node.
//
// One fold of the history, the Ledger, holds what is so: a shadow of every replica's log, leaders and ISRs, mirror
// states and positions, client operations. The checkers read the ledger and the event that it has just folded in, and
// tell a Reporter on which occasions a property could have failed and where it did. Everything is incremental, and
// memory is bounded by the records that are not yet below every log start.
//
// Read ledger.go first, then shadow.go, suite.go and property.go; after that each checker is a file named after the
// family of facts that it reads, and report.go makes the loss report. porcupine.go is apart from all of this: a second
// opinion on linearizability, made from the same events by a library.
package checkers
