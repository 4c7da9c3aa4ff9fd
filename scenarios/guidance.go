package scenarios

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"mirrorsim/checkers"
	"mirrorsim/faults"
)

// GuidanceOptions say how guided searches are compared with blind ones.
type GuidanceOptions struct {
	Designs []*Design
	Level   faults.Level
	Start   uint64 // the first seed of the first pair of searches
	Bases   int    // pairs of searches for each design, from 1
	Runs    int    // of a blind search; the guided one beside it ends when it has handled as many deliveries
	// Each is called after each pair, by one goroutine at a time; it may be nil.
	Each func()
}

// basesApart is how far the first seeds of two searches stand from each other: no search makes that many runs.
const basesApart = 1_000_000

// Guidance is what the searches came to, as JSON, schema mirrorsim.guidance/1.
type Guidance struct {
	Schema       string         `json:"schema"`        // mirrorsim.guidance/1
	Faults       string         `json:"faults"`        // the level of faults
	Start        uint64         `json:"seed_start"`    // the first seed of the first pair
	Bases        int            `json:"bases"`         // pairs of searches for each design, as many as were asked for
	Pairs        int            `json:"pairs"`         // of searches that were made, of all designs
	StoppedEarly bool           `json:"stopped_early"` // it was interrupted: there are fewer pairs
	Runs         int            `json:"runs"`          // of each blind search
	Rows         []*GuidanceRow `json:"rows"`          // by design and property
	Guided       SearchEffort   `json:"guided"`        // what the guided searches took
	Blind        SearchEffort   `json:"blind"`         // what the blind searches took
}

// SearchEffort is what the searches of one sort took in all.
type SearchEffort struct {
	Runs       int    `json:"runs"`       // in all
	Deliveries uint64 `json:"deliveries"` // in all
}

// GuidanceRow is one property under one design that a search of either sort saw violated.
type GuidanceRow struct {
	Design   string  `json:"design"`   // as flags
	Property string  `json:"property"` // that was violated
	Blind    []First `json:"blind"`    // the blind searches, one a pair
	Guided   []First `json:"guided"`   // the guided searches, one a pair
}

// First is the first run of a search that violated a property: how many runs and deliveries it had made by then. Of one that
// never did they are those of all of it.
type First struct {
	Found      bool   `json:"found"`      // it saw the property violated
	Runs       int    `json:"runs"`       // up to then; of one that never did, all
	Deliveries uint64 `json:"deliveries"` // up to then; of one that never did, all
}

// MeasureGuidance makes pairs of searches, blind and guided, from the same seeds on, and notes when each saw each property violated
// first. Searches go on side by side, one a core, which makes no difference to what comes out. When the context is done, the answer
// is the pairs that were made by then. The error is that of Guide.
func MeasureGuidance(ctx context.Context, o GuidanceOptions) (*Guidance, error) {
	c := &Guidance{Schema: "mirrorsim.guidance/1", Faults: o.Level.String(), Start: o.Start, Bases: o.Bases, Runs: o.Runs,
		Rows: []*GuidanceRow{}}
	blind := make([]map[string]First, len(o.Designs)*o.Bases)
	guided := make([]map[string]First, len(blind))
	var mutex sync.Mutex
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range blind {
		group.Go(func() (err error) {
			g := GuideOptions{Start: o.Start + uint64(i%o.Bases)*basesApart, Count: o.Runs, Level: o.Level,
				Design: o.Designs[i/o.Bases], Blind: true}
			if blind[i], err = search(inner, g); err != nil {
				return err
			}
			g.Blind, g.Count, g.Deliveries = false, basesApart, blind[i][whole].Deliveries
			if guided[i], err = search(inner, g); err != nil {
				return err
			}
			mutex.Lock()
			defer mutex.Unlock()
			if o.Each != nil {
				o.Each()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		return nil, err
	}
	for i, d := range o.Designs {
		from, to := i*o.Bases, (i+1)*o.Bases
		c.pairs(d, blind[from:to], guided[from:to])
	}
	c.StoppedEarly = c.Pairs < len(blind)
	return c, nil
}

// pairs adds the pairs of one design, but for those that were interrupted.
func (c *Guidance) pairs(d *Design, blind, guided []map[string]First) {
	var b, g []map[string]First
	for i := range guided {
		if guided[i] == nil {
			continue
		}
		b, g = append(b, blind[i]), append(g, guided[i])
		c.Blind.add(blind[i][whole])
		c.Guided.add(guided[i][whole])
	}
	c.Pairs += len(g)
	c.rows(d, b, g)
}

func (e *SearchEffort) add(x First) {
	e.Runs, e.Deliveries = e.Runs+x.Runs, e.Deliveries+x.Deliveries
}

// whole stands for a search as a whole among the properties that it has seen violated.
const whole = ""

// search makes one search and notes the first run of each property.
func search(ctx context.Context, o GuideOptions) (map[string]First, error) {
	first := map[string]First{}
	o.unchecked = true
	o.Each = func(x *GuidedRun) {
		for _, p := range x.Problems {
			if !first[p.Property].Found {
				first[p.Property] = First{true, x.Number, x.Total}
			}
		}
	}
	r, err := Guide(ctx, o)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	first[whole] = First{false, r.Runs, r.Deliveries}
	return first, nil
}

// rows adds what the searches of one design saw, in the order of the properties.
func (c *Guidance) rows(d *Design, blind, guided []map[string]First) {
	of := func(list []map[string]First, property string) (out []First, found bool) {
		for _, m := range list {
			x, ok := m[property]
			if !ok {
				x = m[whole]
			}
			out, found = append(out, x), found || ok
		}
		return out, found
	}
	for _, p := range checkers.Properties() {
		b, seen := of(blind, p.ID)
		x, too := of(guided, p.ID)
		if seen || too {
			c.Rows = append(c.Rows, &GuidanceRow{d.Flags(), p.ID, b, x})
		}
	}
}

// medianFirst is the median by deliveries; one that was never found lies behind all that were.
func medianFirst(list []First) First {
	return median(slices.SortedFunc(slices.Values(list), func(a, b First) int {
		if a.Found != b.Found {
			return map[bool]int{true: -1, false: 1}[a.Found]
		}
		return cmp.Compare(a.Deliveries, b.Deliveries)
	}))
}

func found(list []First) (n int) {
	for _, x := range list {
		if x.Found {
			n++
		}
	}
	return n
}

// easy is up to how many runs of a blind search a violation takes that needs no guidance: at the median.
const easy = 4

// Tally is how many rows guidance found sooner, later, and at the same place or in neither search, by the median of
// deliveries; easy rows are left out.
func (c *Guidance) Tally() (sooner, later, same int) {
	for _, r := range c.Rows {
		b, g := medianFirst(r.Blind), medianFirst(r.Guided)
		switch {
		case b.Found && b.Runs <= easy:
		case !b.Found && !g.Found, b.Found == g.Found && b.Deliveries == g.Deliveries:
			same++
		case g.Found && (!b.Found || g.Deliveries < b.Deliveries):
			sooner++
		default:
			later++
		}
	}
	return sooner, later, same
}

// WriteMarkdown writes the table of GUIDANCE.md.
func (c *Guidance) WriteMarkdown(w io.Writer) {
	fmt.Fprintln(w, "| design | property | found by, blind | runs | Mdeliveries | found by, guided | runs | Mdeliveries |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
	for _, r := range c.Rows {
		design := strings.ReplaceAll(strings.TrimPrefix(r.Design, "--protocol "), " --set ", " ")
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", design, r.Property, cells(r.Blind), cells(r.Guided))
	}
}

// cells are how many searches found it, and the median of runs and of millions of deliveries up to the first time.
func cells(list []First) string {
	m, above := medianFirst(list), ""
	if !m.Found {
		above = "> "
	}
	return fmt.Sprintf("%d of %d | %s%d | %s%.2f", found(list), len(list), above, m.Runs, above, float64(m.Deliveries)/1e6)
}
