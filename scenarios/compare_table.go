package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
)

// table is a comparison as rows of cells, the first being the head.
func (r *DesignComparison) table() [][]string {
	if r.Kind == CompareStopOrders {
		return r.ordersTable()
	}
	head := []string{"property"}
	for _, c := range r.Columns {
		head = append(head, c.title())
	}
	rows := [][]string{head}
	for i := range r.Columns[0].Properties {
		row, any := []string{r.Columns[0].Properties[i].ID}, false
		for _, c := range r.Columns {
			x := &c.Properties[i]
			row = append(row, x.String())
			any = any || x.Holds+x.Violated+x.NotPromised+x.Unknown > 0
		}
		if any {
			rows = append(rows, row)
		}
	}
	for _, sum := range compareSums {
		row := []string{sum.name}
		for _, c := range r.Columns {
			row = append(row, sum.of(c))
		}
		rows = append(rows, row)
	}
	return rows
}

// compareSums are the rows below the properties.
var compareSums = []struct {
	name string
	of   func(c *CompareColumn) string
}{
	{"runs violated", func(c *CompareColumn) string { return fmt.Sprintf("%d of %d", c.Violated, c.Runs) }},
	{"stops finished", func(c *CompareColumn) string { return fmt.Sprint(c.Stops.Finished) }},
	{"stop: median, mean", func(c *CompareColumn) string { return c.Stops.String() }},
	{"failbacks finished", func(c *CompareColumn) string { return fmt.Sprint(c.Failbacks.Finished) }},
	{"failback: median, mean", func(c *CompareColumn) string { return c.Failbacks.String() }},
	{"copied again a run", func(c *CompareColumn) string { return c.perRun(uint64(c.CopiedAgain)) }},
	{"deliveries a run", func(c *CompareColumn) string { return c.perRun(c.Deliveries) }},
	{"highest leader epoch", (*CompareColumn).highestEpoch},
}

// highestEpoch is the highest leader epoch; without a run there is none.
func (c *CompareColumn) highestEpoch() string {
	if c.Runs == 0 {
		return "-"
	}
	return fmt.Sprint(c.LeaderEpoch)
}

// perRun is a mean with one decimal.
func (c *CompareColumn) perRun(n uint64) string {
	if c.Runs == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(n)/float64(c.Runs))
}

// String is the median and the mean in seconds.
func (t *CompareTime) String() string {
	if t.Finished == 0 {
		return "-"
	}
	return fmt.Sprintf("%s, %s s", inSeconds(t.MedianUs), inSeconds(t.MeanUs))
}

// inSeconds is a virtual time in seconds, to the millisecond.
func inSeconds(us int64) string { return fmt.Sprintf("%.3f", float64(us)/float64(id.Second)) }

// String is a cell: in how many runs the property holds, violated ones with the smallest seed, not promised ones, unknown ones.
func (x *CompareCell) String() string {
	if x.Holds+x.Violated+x.NotPromised+x.Unknown == 0 {
		return "-"
	}
	text := fmt.Sprint(x.Holds)
	if x.Violated > 0 {
		text += fmt.Sprintf(", %d violated #%d", x.Violated, *x.Seed)
	}
	if x.NotPromised > 0 {
		text += fmt.Sprintf(", %d not promised", x.NotPromised)
	}
	if x.Unknown > 0 {
		text += fmt.Sprintf(", %d unknown", x.Unknown)
	}
	return text
}

func (c *CompareColumn) title() string {
	if c.Base {
		return c.Name + " (base)"
	}
	return c.Name
}

// ordersTable has a row for each order: there are more of them than fit beside each other.
func (r *DesignComparison) ordersTable() [][]string {
	rows := [][]string{{"order", "violated", "smallest seed", "properties", "stop: median, mean"}}
	for _, c := range r.Columns {
		var fallen []string
		seed := "-"
		for _, x := range c.fallen() {
			fallen = append(fallen, fmt.Sprintf("%s %d", x.ID, x.Violated))
		}
		if first := c.first(); first != nil {
			seed = fmt.Sprint(*first.Seed)
		}
		rows = append(rows, []string{c.title(), fmt.Sprintf("%d of %d", c.Violated, c.Runs), seed, strings.Join(fallen, ", "),
			c.Stops.String()})
	}
	return rows
}

// fallen are the properties that some run violates.
func (c *CompareColumn) fallen() (list []*CompareCell) {
	for i := range c.Properties {
		if x := &c.Properties[i]; x.Violated > 0 {
			list = append(list, x)
		}
	}
	return list
}

// first is the property that the smallest seed violates, nil if none does.
func (c *CompareColumn) first() *CompareCell {
	list := c.fallen()
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, func(a, b *CompareCell) int { return cmp.Compare(*a.Seed, *b.Seed) })
}

// compareLegend says what the cells of the table are.
const compareLegend = "A cell: runs in which the property holds, then those that violate it and the smallest seed, then those in\n" +
	"which it is not promised; the rest had no occasion, or, of cross-check, was not judged: that looks at some runs only, and\n" +
	"at all that fail. A stop takes from the request until all partitions are STOPPED\n" +
	"and writable, a failback until all have lag 0: virtual time, of those that were finished.\n"

// head says what was compared and how much of it was run.
func (r *DesignComparison) head() string {
	text := fmt.Sprintf("compare: %d %s, seeds %d to %d, faults %s", len(r.Columns), compareNouns[r.Kind], r.SeedStart,
		r.SeedStart+uint64(r.Count)-1, r.Faults)
	for i, c := range r.Columns {
		switch {
		case c.Base:
			text += ", base " + c.design.Flags()
		case i == 0 && r.Kind == CompareProtocols && len(c.design.Sets) > 0:
			text += ", each with" + strings.TrimPrefix(c.design.Flags(), "--protocol "+c.design.Revision)
		}
	}
	if r.StoppedEarly {
		text += "; STOPPED before all runs were made"
	}
	return text
}

// compareNouns are what the columns of each kind are called.
var compareNouns = map[string]string{CompareProtocols: "revisions", CompareDecision: "options of one decision",
	CompareStopOrders: "orders of the steps of a stop"}

// Text is the comparison for a terminal.
func (r *DesignComparison) Text() string {
	var b strings.Builder
	b.WriteString(r.head() + "\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range r.table() {
		fmt.Fprintf(w, "  %s\n", strings.Join(row, "\t"))
	}
	w.Flush()
	b.WriteString("\n" + r.legend())
	for _, c := range r.Columns {
		for _, x := range c.shown(r.Kind) {
			fmt.Fprintf(&b, "\n%s violates %s in %s, first in that of seed %d:\n", c.Name, x.ID, checkers.Several(x.Violated, "run", "runs"), *x.Seed)
			writeFolded(&b, "  ", x.Sentence)
			fmt.Fprintf(&b, "  %s\n", x.Reproduce)
		}
	}
	fmt.Fprintf(&b, "\n%s; %.1f s\n", r.Verdict, r.WallSeconds)
	return b.String()
}

func (r *DesignComparison) legend() string {
	if r.Kind == CompareStopOrders {
		return "Behind a property stands in how many runs it is violated.\n"
	}
	return compareLegend
}

// shown are the properties whose first violation is told: of an order only that of the smallest seed.
func (c *CompareColumn) shown(kind string) []*CompareCell {
	if first := c.first(); kind == CompareStopOrders && first != nil {
		return []*CompareCell{first}
	}
	return c.fallen()
}

// Markdown is the comparison as a page has it.
func (r *DesignComparison) Markdown() string {
	var b strings.Builder
	b.WriteString(r.head() + "\n\n")
	for i, row := range r.table() {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	b.WriteString("\n" + r.legend() + "\n")
	for _, c := range r.Columns {
		for _, x := range c.shown(r.Kind) {
			fmt.Fprintf(&b, "- %s violates `%s` in %s, first in that of seed %d: %s  \n  `%s`\n", c.Name, x.ID, checkers.Several(x.Violated, "run", "runs"),
				*x.Seed, x.Sentence, x.Reproduce)
		}
	}
	return b.String()
}
