package format

import (
	"mirrorsim/model/id"
	"mirrorsim/sim/choice"
)

// Scenario is one parsed file. Everything is as written: names are strings, and what was left out is the zero value that
// stands for the default. Two scenarios are the same when they differ in line numbers only.
type Scenario struct {
	Name  string // of the scenario statement
	Story string // the comment lines above it, without their number signs

	Revision     string // of the protocol statement; empty: the caller's default
	RevisionAt   Pos
	Sets         []Set // decisions, in the order of the file
	Settings     []Set // constants, in the order of the file
	Clusters     []Cluster
	Topics       []Topic
	Clients      []Client
	Mirrors      []Mirror
	Steps        []Step
	Schedule     []choice.Deviation // the choose lines: the answers that are not calm
	ScheduleNote string             // the comments above the choose lines
	Expect       []Expect
	Wrong        []Wrong
	EndNote      string // the comments below the last statement
}

// Pos is where a statement stands in its file, and the comment above it or behind it, which printing keeps.
type Pos struct {
	Line int // from 1; 0 for a statement that was not parsed
	Note string
}

// Set is one decision with its option, or one setting with its value, as text.
type Set struct {
	Pos
	Key, Token string
}

// Step is one thing to do or to wait for, and when.
type Step struct {
	Pos
	When When
	Do   Act
}

// When says when a step begins. The zero value is: as soon as the step before it has completed.
type When struct {
	Kind WhenKind
	Time id.Duration // of At and After, at least 0
}

// WhenKind is how a When is meant.
type WhenKind uint8

// The kinds of When.
const (
	Then  WhenKind = iota // as soon as the step before it has completed
	At                    // at that time since the start of the run, whether or not the step before it has completed
	After                 // so long after the step before it has completed
)

// Act is what a step does. Each act has a file of its own.
type Act interface {
	// Keyword is the word that its line begins with.
	Keyword() string
	// AppendText appends its line (of a repeat: its lines) without the end of line.
	AppendText(dst []byte) []byte
	// Simpler are the acts that a shrinker may try in its place, simplest first; nil when there is none.
	Simpler() []Act
}

// Expect is one expectation. It is judged when the step before it has completed; those after the last step are judged at
// the end of the run.
type Expect struct {
	Pos
	After int  // the number of steps of Scenario.Steps before it; a repeat counts once
	Calm  bool // only on the calm schedule
	Do    Expectation
}

// Expectation is a fact that is expected of a run.
type Expectation interface {
	// AppendText appends what follows the word expect.
	AppendText(dst []byte) []byte
	// Check is nil when the fact is so, otherwise an error that says in one sentence what is so instead.
	Check(v View) error
}

// Wrong is a change under which the scenario must violate a property: decisions, another revision, or a defect of the code.
type Wrong struct {
	Pos
	Revision string // in place of the file's revision and decisions; empty: those stay
	Sets     []Set  // their Pos is unused, as is that of Mend
	Defect   string
	Property string
	Mend     []Set // with these in that revision the property holds again; only with a Revision
}
