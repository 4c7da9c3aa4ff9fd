// Package format is the text form of scenarios: one statement a line, for people and for programs alike. A file goes in
// and a Scenario comes out, checked but not resolved: names are still strings, because ids exist only once a world is
// wired. A Scenario goes in and its canonical text comes out; parsing that gives the same Scenario again. The package
// runs nothing. What a running world shows to waits and expectations is the View interface.
//
// Read scenario.go first, then parse.go, line.go and step.go. A statement, act or condition stands in the file of its
// keyword, or of the words that belong together, such as start_stop_pause.go; an expectation that is nothing else in
// expect_*.go. Each type begins with an example of its syntax. names.go looks names up, reach.go topics that a start may
// create; input.go says what is wrong with a word of a command line. FORMAT.md, one directory up, is the page for users.
package format
