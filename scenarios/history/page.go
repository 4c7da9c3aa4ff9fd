package history

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/model/event"
)

// pageParts are the parts of the page's table, each with the kind that it begins with.
var pageParts = []struct {
	title string
	first event.Kind
}{
	{"The world", event.Started},
	{"The metadata log of a cluster", event.TopicCreated},
	{"One replica's log", event.Recovered},
	{"The mirror state machine and its coordinator", event.StateReadCalled},
	{"Coordinators of transactions and groups", event.TransactionStored},
	{"Clients and admins", event.ProducerIdReceived},
}

// shared are the fields that many kinds have, which the page explains once.
var shared = []field{ofPartition, ofTopic, ofMirror, byMirror, ofEpoch, ofOp, onCluster, ofCode, ofState, ofRun, ofHome,
	ofProducer, ofIdentity, lmeEpoch, lmeOffset, logEnd, ofDelay}

// Tables is a table of the fields that many kinds have, and one of all kinds of events with their fields, in Markdown, part by
// part.
func Tables() string {
	var b strings.Builder
	b.WriteString("### Fields that many kinds have\n\n| field | value | meaning |\n|---|---|---|\n")
	for i := range shared {
		f := &shared[i]
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.title(), f.form.short(), f.means)
	}
	b.WriteByte('\n')
	for i, part := range pageParts {
		end := event.Kind(event.Kinds)
		if i+1 < len(pageParts) {
			end = pageParts[i+1].first
		}
		fmt.Fprintf(&b, "### %s\n\n| kind | from | fields |\n|---|---|---|\n", part.title)
		for k := part.first; k < end; k++ {
			r := &rows[k]
			var fields []string
			for n := range r.fields {
				fields = append(fields, r.fields[n].page())
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k, r.source(), strings.Join(fields, "<br>"))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// page is the field as the row of a kind has it.
func (f *field) page() string {
	explained := func(x field) bool {
		return x.name == f.name && x.form.accepts == f.form.accepts && x.optional == f.optional
	}
	if slices.ContainsFunc(shared, explained) {
		return f.title()
	}
	s := f.title() + " " + f.form.short()
	if f.means != "" {
		s += ": " + f.means
	}
	return s
}

// title is the field's name, in parentheses if it may be left out.
func (f *field) title() string {
	if f.optional {
		return "(`" + f.name + "`)"
	}
	return "`" + f.name + "`"
}

// short is what a form accepts in few words.
func (f *form) short() string {
	switch {
	case strings.HasPrefix(f.accepts, "a whole number from 0"):
		return "number"
	case strings.HasPrefix(f.accepts, "a whole number from -1"):
		return "number or -1"
	}
	return f.accepts
}

// source is where such events come from.
func (r *row) source() string {
	if len(r.from) == roles {
		return "any"
	}
	return strings.Join(r.roles(), ", ")
}
