package checkers

import (
	"bytes"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"

	"mirrorsim/model/id"
)

// Picture is a window for whose operations no order was found, as a page for a browser: a row for each node, a box for each
// operation from its call to its return, and how far each attempt to put them into an order came.
type Picture struct {
	Object   string // as that of its Anomaly
	sentence string
	model    porcupine.Model
	info     porcupine.LinearizationInfo
}

// Write writes the page, which is HTML and needs no other file.
func (p *Picture) Write(out io.Writer) error {
	var page bytes.Buffer
	if err := porcupine.Visualize(p.model, p.info, &page); err != nil {
		return err
	}
	title := "<title>" + html.EscapeString(p.Object) + "</title>"
	text := bytes.Replace(page.Bytes(), []byte("<title>Porcupine</title>"), []byte(title), 1)
	text = bytes.Replace(text, []byte("<body>\n"), []byte("<body>\n"+p.head()), 1)
	_, err := out.Write(text)
	return err
}

// head is what a person reads first.
func (p *Picture) head() string {
	return `    <div style="font-family: sans-serif; max-width: 60em; padding: 30px 10px 0">
      <h1 style="font-size: 1.2em">` + html.EscapeString(p.Object) + `</h1>
      <p>` + html.EscapeString(p.sentence) + `.</p>
      <p>A box is an operation, from its call to its return. A line through the boxes is an order in which they may have
      taken effect; where it is red, the operation cannot follow in that order with what it returned. Point at a box for
      the state before it and after it. Times are in half events of the history: 2n is the event n.</p>
    </div>
`
}

// rows are the operations with a row each for their ClientId: those of one node side by side, and as many rows for a node as it
// had operations under way at once, for boxes on one row must not overlap. names are the names of the rows.
func (c *CrossCheck) rows(ops []porcupine.Operation) (drawn []porcupine.Operation, names []string) {
	type lane struct{ node, n int }
	var order []lane
	busy := map[lane]int64{} // until when
	of := make([]lane, len(ops))
	sorted := make([]int, len(ops))
	for i := range ops {
		sorted[i] = i
	}
	slices.SortStableFunc(sorted, func(a, b int) int { return int(ops[a].Call - ops[b].Call) })
	for _, i := range sorted {
		l := lane{node: ops[i].ClientId}
		for end, used := busy[l]; used && end >= ops[i].Call; end, used = busy[l] {
			l.n++
		}
		if _, used := busy[l]; !used {
			order = append(order, l)
		}
		busy[l], of[i] = ops[i].Return, l
	}
	slices.SortFunc(order, func(a, b lane) int { return (a.node-b.node)<<16 + a.n - b.n })
	for _, l := range order {
		name := "the log"
		if id.Node(l.node) != id.None {
			name = c.topology.Names.Node(id.Node(l.node))
		}
		if l.n > 0 {
			name += " (" + num(int64(l.n+1)) + ")"
		}
		names = append(names, name)
	}
	drawn = slices.Clone(ops)
	for i := range drawn {
		drawn[i].ClientId = slices.Index(order, of[i])
	}
	return drawn, names
}

// picture looks at the operations once more and keeps what the search found.
func picture[S specified](c *CrossCheck, object string, init S, ops []porcupine.Operation) *Picture {
	drawn, names := c.rows(ops)
	p := &Picture{Object: object, model: specification(init)}
	p.model.DescribeOperation = func(input, _ any) string { return strings.TrimPrefix(input.(act[S]).String(), "the ") }
	p.model.DescribeState = func(state any) string { return html.EscapeString(state.(S).describe(c.topology.Names)) }
	p.model.DescribeOperationMetadata = func(x any) string { return x.(string) }
	for i := range drawn {
		drawn[i].Metadata = html.EscapeString(spoken(drawn[i]))
		if d, ok := drawn[i].Input.(interface{ doubt() string }); ok && d.doubt() != "" {
			drawn[i].Metadata = html.EscapeString(spoken(drawn[i]) + ": " + d.doubt())
		}
	}
	_, p.info = porcupine.CheckOperationsVerbose(p.model, drawn, 0)
	first := ops[0].Call
	for i := range ops {
		first = min(first, ops[i].Call)
	}
	var rows []porcupine.Annotation
	for i, name := range names {
		rows = append(rows, porcupine.Annotation{ClientId: i, Start: first - 1, Description: name, Details: "the operations of " + name,
			BackgroundColor: "#ffffff"})
	}
	p.info.AddAnnotations(rows)
	p.sentence = complain(object, ops, p.info)
	return p
}
