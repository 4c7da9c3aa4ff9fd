// Package format is the text form of scenarios: one statement a line, for people and for programs alike. A file goes in and
// a Scenario comes out, checked but not resolved: names are still strings, because ids exist only once a world is wired. A
// Scenario goes in and its canonical text comes out; parsing that gives the same Scenario again. The package runs nothing.
// What a running world shows to waits and expectations is the View interface of view.go.
//
// Read scenario.go first, then parse.go, line.go (the words of a line) and step.go; print.go is the way back. syntax.go is
// what is wrong with a file, mend.go how the lines below that are read all the same, input.go what is wrong with a word of a
// command line. names.go looks names up, tp.go partitions, reach.go topics that a start may create, property.go the ids of
// properties.
//
// Each type stands in the file of its keyword, or of the words that belong together, and begins with an example of its
// syntax. Statements are cluster.go, topic.go, client.go, mirror.go, set.go, choose.go, wrong.go, repeat.go, until.go and
// live.go. Acts are produce.go, consume.go, transaction.go, move.go and leave.go (clients), start_stop_pause.go,
// create_delete_mirror.go, describe.go, create_topics.go, topics.go, config.go, acl.go, reset_offset.go,
// retention_compact.go and elect.go (what admins and brokers do) and fault.go. Conditions that are waited for or expected
// are state.go, lag.go, isr.go, read.go, passes.go and quiet.go; runs.go is a log as people write it. expect.go and
// expect_*.go are expectations that are nothing else, or a condition too.
package format
