package scenarios

import (
	"fmt"
	"strings"

	"mirrorsim/model/coordinator"
	"mirrorsim/model/record"
)

// StateMachine is the state machine of a mirrored partition as JSON, schema mirrorsim.states/1. It is printed from the
// table by which coordinators check edges.
type StateMachine struct {
	Schema string        `json:"schema"` // mirrorsim.states/1
	States []StateReport `json:"states"` // all of them
}

// StateReport is one state: what the partition's leader does in it, what comes then, and how the partition gets there.
type StateReport struct {
	State  string       `json:"state"`  // its name
	Action string       `json:"action"` // what the partition's leader does in it
	Then   string       `json:"then"`   // what comes next
	Source string       `json:"source"` // of the rule
	From   []EdgeReport `json:"from"`   // self-edges, which are always legal, are left out
}

// EdgeReport is one legal edge.
type EdgeReport struct {
	State    string `json:"state"`              // from which it leads
	When     string `json:"when"`               // it is taken
	Decision string `json:"decision,omitempty"` // on which it depends, such as "D46 unknown-stop=stopping"
}

// States is the state machine.
func States() *StateMachine {
	m := &StateMachine{Schema: "mirrorsim.states/1"}
	for _, r := range coordinator.Machine() {
		s := StateReport{State: r.State.String(), Action: r.Action, Then: r.Then, Source: r.Source, From: []EdgeReport{}}
		for _, e := range r.From {
			s.From = append(s.From, EdgeReport{e.State.String(), e.When, e.Mark})
		}
		m.States = append(m.States, s)
	}
	return m
}

// String is the table for a terminal: a block a state.
func (m *StateMachine) String() string {
	var b strings.Builder
	b.WriteString("The states of a mirrored partition. Its leader does what stands at action; a state may be stored over those at\n" +
		"from, and over itself, which runs its action again.\n")
	for _, s := range m.States {
		fmt.Fprintf(&b, "\n%s (%s)\n", s.State, s.Source)
		writeFolded(&b, "  action ", s.Action)
		writeFolded(&b, "  then   ", s.Then)
		for i, e := range s.From {
			writeFolded(&b, fmt.Sprintf("  %-6s %-13s ", [...]string{"from", ""}[min(i, 1)], e.State), e.text())
		}
	}
	return b.String()
}

// Folded is a text behind a prefix, in lines of at most 118 characters.
func Folded(prefix, text string) string {
	var b strings.Builder
	writeFolded(&b, prefix, text)
	return b.String()
}

// writeFolded writes text behind a prefix, in lines of at most 118 characters.
func writeFolded(b *strings.Builder, prefix, text string) {
	for line := range strings.SplitSeq(fold(text, 118-len(prefix)), "\n") {
		b.WriteString(prefix + line + "\n")
		prefix = strings.Repeat(" ", len(prefix))
	}
}

func (e EdgeReport) text() string {
	if e.Decision == "" {
		return e.When
	}
	return e.When + " (" + e.Decision + ")"
}

// Markdown is the table of PROTOCOL.md. Edges from several states for one reason stand together.
func (m *StateMachine) Markdown() string {
	var b strings.Builder
	b.WriteString("| state | the leader's action | then | is stored over | source |\n|---|---|---|---|---|\n")
	for _, s := range m.States {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", s.State, s.Action, s.Then, over(s.From), s.Source)
	}
	return b.String()
}

// over lists edges, those for one reason together.
func over(edges []EdgeReport) string {
	var parts []string
	for i := 0; i < len(edges); {
		names := edges[i].State
		n := i + 1
		for ; n < len(edges) && edges[n].text() == edges[i].text(); n++ {
			names += ", " + edges[n].State
		}
		parts = append(parts, names+": "+edges[i].text())
		i = n
	}
	return strings.Join(parts, "<br>")
}

// Mermaid is the state diagram in Mermaid's language. UNKNOWN is its beginning, because nothing is stored then; an edge
// that depends on a decision names it. Self-edges are left out.
func (m *StateMachine) Mermaid() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	for _, s := range m.States {
		for _, e := range s.From {
			from, decision := e.State, ""
			if from == record.Unknown.String() {
				from = "[*]"
			}
			if e.Decision != "" {
				decision = ": " + e.Decision
			}
			fmt.Fprintf(&b, "    %s --> %s%s\n", from, s.State, decision)
		}
	}
	return b.String()
}
