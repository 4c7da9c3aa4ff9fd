// Package format is the text form of scenarios: one statement a line, for people and for programs alike. A file goes in
// and a Scenario comes out, checked but not resolved: names are still strings, because ids exist only once a world is
// wired. A Scenario goes in and its canonical text comes out; parsing that gives the same Scenario again. The package
// runs nothing. What a running world shows to waits and expectations is the View interface.
//
// Read scenario.go first, then parse.go. Each statement and act has a file of its own which begins with an example of its
// syntax. FORMAT.md, one directory up, is the page for users.
package format
