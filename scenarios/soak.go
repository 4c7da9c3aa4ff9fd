package scenarios

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/scenarios/format"
)

// soakBlock is how many seeds are swept at a time: what an interrupted soak loses at most.
const soakBlock = 1000

// soakHead is the first line of a soak's file, schema mirrorsim.soak/1: what every block behind it was swept with. Each further
// line is the mirrorsim.sweep/1 of one block, in the order of the seeds.
type soakHead struct {
	Schema    string           `json:"schema"`     // mirrorsim.soak/1
	Version   string           `json:"version"`    // of the program
	Program   string           `json:"program"`    // SHA-256 of the executable
	Faults    string           `json:"faults"`     // the level of faults
	SeedStart uint64           `json:"seed_start"` // the first seed
	Block     int              `json:"block"`      // seeds in a block
	Protocols []ReportProtocol `json:"protocols"`  // dealt over the seeds
}

// Soak is Sweep in blocks of 1,000 seeds, each noted in the file when it is done. With a file of an earlier one that was
// interrupted it goes on behind the last block noted; with one of another sweep, or of a program built of other sources, the error
// is a *format.SyntaxError and nothing is run. The report is of all blocks, the earlier ones included.
func Soak(ctx context.Context, o SweepOptions, file string) (*SweepReport, error) {
	if o.block == 0 {
		o.block = soakBlock
	}
	head, err := o.soakHead()
	if err != nil {
		return nil, err
	}
	blocks, err := readSoak(file, head)
	if err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		if err := appendLine(file, os.O_TRUNC, head); err != nil {
			return nil, err
		}
	}
	if err := o.fitBlocks(file, blocks); err != nil {
		return nil, err
	}
	total := newSweepReport(&o)
	for i := 0; i*o.block < o.Count; i++ {
		if i < len(blocks) {
			total.merge(blocks[i])
			continue
		}
		block := o
		block.Start, block.Count = o.Start+uint64(i*o.block), min(o.block, o.Count-i*o.block)
		r, err := Sweep(ctx, block)
		if err != nil {
			return nil, err
		}
		total.merge(r)
		if r.StoppedEarly {
			break // its seeds are swept again
		}
		if err := appendLine(file, 0, r); err != nil {
			return nil, err
		}
	}
	total.conclude(ctx.Err() != nil)
	return total, nil
}

// fitBlocks wants the blocks of a file to be those of this sweep: with another number of seeds the last one is another.
func (o *SweepOptions) fitBlocks(file string, blocks []*SweepReport) error {
	for i, b := range blocks {
		start, count := o.Start+uint64(i*o.block), min(o.block, o.Count-i*o.block)
		if b.SeedStart != start || b.Count != count || b.Runs != count || len(b.Properties) != len(checkers.Properties()) {
			return &format.SyntaxError{File: file, Line: i + 2, Word: fmt.Sprintf("seeds %d to %d", b.SeedStart, b.SeedStart+uint64(b.Count)-1),
				Message: "not a block of this sweep: it has another number of seeds, or the file was changed",
				Want:    []string{fmt.Sprintf("seeds %d to %d", start, int64(start)+int64(count)-1), "another file"}}
		}
	}
	return nil
}

// soakHead names the program by its hash: one that was built of other sources would judge otherwise.
func (o *SweepOptions) soakHead() (*soakHead, error) {
	head := &soakHead{Schema: "mirrorsim.soak/1", Version: Version, Faults: o.Level.String(), SeedStart: o.Start, Block: o.block}
	for _, d := range o.Designs {
		head.Protocols = append(head.Protocols, d.report())
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	head.Program = fmt.Sprintf("%x", sha256.Sum256(program))
	return head, nil
}

// readSoak is the blocks that the file notes; none if it does not exist. A last line that was cut off is left out.
func readSoak(file string, head *soakHead) ([]*SweepReport, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(raw) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if n := bytes.LastIndexByte(raw, '\n'); n+1 < len(raw) {
		raw = raw[:n+1]
		if err := os.Truncate(file, int64(n+1)); err != nil {
			return nil, err
		}
	}
	var blocks []*SweepReport
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<26)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			if err := head.fits(file, lines.Bytes()); err != nil {
				return nil, err
			}
			continue
		}
		r := &SweepReport{}
		if err := json.Unmarshal(lines.Bytes(), r); err != nil || r.Schema != "mirrorsim.sweep/1" {
			return nil, &format.SyntaxError{File: file, Line: n, Message: "not the report of a block of seeds",
				Want: []string{"a file that sweep --resume has written, or none"}}
		}
		blocks = append(blocks, r)
	}
	return blocks, lines.Err()
}

// fits wants the head of a file to be that of this sweep.
func (h *soakHead) fits(file string, line []byte) error {
	got := &soakHead{}
	if err := json.Unmarshal(line, got); err != nil || got.Schema != h.Schema {
		return &format.SyntaxError{File: file, Line: 1, Message: "not the file of a sweep that can be resumed",
			Want: []string{"a file that sweep --resume has written, or none"}}
	}
	for _, x := range []struct{ what, got, want string }{
		{"version of the program", got.Version, h.Version},
		{"level of faults", got.Faults, h.Faults},
		{"first seed", fmt.Sprint(got.SeedStart), fmt.Sprint(h.SeedStart)},
		{"size of a block", fmt.Sprint(got.Block), fmt.Sprint(h.Block)},
		{"design", designText(got.Protocols), designText(h.Protocols)},
		{"program", got.Program, h.Program},
	} {
		if x.got != x.want {
			return &format.SyntaxError{File: file, Line: 1, Word: x.got, Message: "this file is of another sweep: its " + x.what + " is another",
				Want: []string{x.want, "another file"}}
		}
	}
	return nil
}

// designText are designs in words.
func designText(list []ReportProtocol) string {
	var words []string
	for _, p := range list {
		text := p.Revision
		for _, name := range slices.Sorted(maps.Keys(p.Set)) {
			text += " " + name + "=" + p.Set[name]
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

// appendLine appends a value as a line of JSON, whole or not at all.
func appendLine(file string, flag int, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND|flag, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}

// merge adds what another sweep came to, of the same design and level.
func (r *SweepReport) merge(o *SweepReport) {
	r.Runs, r.Holds, r.Violated, r.Unknown = r.Runs+o.Runs, r.Holds+o.Holds, r.Violated+o.Violated, r.Unknown+o.Unknown
	r.NotPromised += o.NotPromised
	r.Compared, r.Deliveries, r.Events = r.Compared+o.Compared, r.Deliveries+o.Deliveries, r.Events+o.Events
	r.WallSeconds += o.WallSeconds
	for i := range r.Properties {
		p, q := &r.Properties[i], &o.Properties[i]
		p.Occasions, p.Violations, p.NotPromised = p.Occasions+q.Occasions, p.Violations+q.Violations, p.NotPromised+q.NotPromised
		p.unknown = p.unknown || q.Verdict == word(checkers.Unknown)
	}
	for i := range r.Coverage {
		r.Coverage[i].Runs += o.Coverage[i].Runs
	}
	for i := range r.Arms {
		r.Arms[i].Runs, r.Arms[i].Violated = r.Arms[i].Runs+o.Arms[i].Runs, r.Arms[i].Violated+o.Arms[i].Violated
	}
	if r.Reach == nil {
		r.Reach = o.Reach
	} else {
		for i := range r.Reach {
			r.Reach[i].merge(&o.Reach[i])
		}
	}
	if r.Canary == nil || r.Canary.Seed != nil && o.Canary != nil && o.Canary.Seed == nil {
		r.Canary = o.Canary // one that was missed counts
	}
	for _, f := range o.Failures {
		r.mergeFailure(f)
	}
}

func (r *SweepReport) mergeFailure(f *SweepFailure) {
	i := slices.IndexFunc(r.Failures, func(g *SweepFailure) bool {
		return g.Property == f.Property && g.Group == f.Group && protocolOf(g.Reproduce) == protocolOf(f.Reproduce)
	})
	if i < 0 {
		c := *f
		r.Failures = append(r.Failures, &c)
		return
	}
	g := r.Failures[i]
	g.Runs += f.Runs
	g.Examples = append(g.Examples, f.Examples...)[:min(keptExamples, len(g.Examples)+len(f.Examples))]
	for arm, n := range f.Arms {
		g.Arms[arm] += n
	}
}

// protocolOf is the design in a command.
func protocolOf(command string) string {
	_, design, _ := strings.Cut(command, " --protocol ")
	return design
}

// order are the names of all things of the sort, as a report lists them.
func (s *SweepReach) order() (names []string) {
	x := newReached()
	for _, y := range x.report(nil, false) {
		if y.ID == s.ID {
			names = y.Never
		}
	}
	return names
}

func (s *SweepReach) merge(o *SweepReach) {
	hits := slices.Clone(s.Hits)
	for _, h := range o.Hits {
		i := slices.IndexFunc(hits, func(g ReachCount) bool { return g.Name == h.Name })
		if i < 0 {
			hits = append(hits, h)
			continue
		}
		hits[i].Count += h.Count
	}
	order := s.order()
	slices.SortStableFunc(hits, func(a, b ReachCount) int { return slices.Index(order, a.Name) - slices.Index(order, b.Name) })
	s.Hits = hits
	s.Never = slices.DeleteFunc(slices.Clone(s.Never), func(name string) bool {
		return slices.ContainsFunc(hits, func(h ReachCount) bool { return h.Name == name && h.Count > 0 })
	})
}
