package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"mirrorsim/faults"
	"mirrorsim/scenarios/format"
)

// historyLine is a line of a history whose fields are changed at will.
type historyLine map[string]any

// historyBases are histories of runs that have an event of nearly every kind between them.
func historyBases(t testing.TB) (bases [][]historyLine) {
	t.Helper()
	add := func(s *format.Scenario, o Options) {
		d, err := Choose(s, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Protocol = d.Config
		_, text, _ := runWithHistory(t, s, o)
		var lines []historyLine
		for line := range bytes.Lines(text) {
			var x historyLine
			in := json.NewDecoder(bytes.NewReader(line))
			in.UseNumber()
			if err := in.Decode(&x); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, x)
		}
		bases = append(bases, lines)
	}
	for _, name := range []string{"F4", "T4", "S7", "E2-group", "C1"} {
		f, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.Scenario()
		if err != nil {
			t.Fatal(err)
		}
		add(s, Options{})
	}
	for seed := uint64(1); len(bases) < 7; seed++ {
		if s := Generate(seed, faults.Swarm); len(s.Steps) < 25 {
			add(s, Options{}.WithLevel(seed, faults.Swarm))
		}
	}
	return bases
}

// editSize is how many bytes an edit of a history takes.
const editSize = 6

// extremes are numbers that a wrong converter may write.
var extremes = []json.Number{"0", "-1", "1", "2", "65535", "4096", "2147483647", "4294967295", "9007199254740992", "9007199254740991"}

// edited is a history after some edits: lines that are dropped, repeated or out of order, and values that belong elsewhere. Times
// and the number of events are put right, so that the edits come to the checkers.
func edited(base []historyLine, edits []byte) []byte {
	lines := slices.Clone(base)
	for ; len(edits) >= editSize && len(lines) > 8; edits = edits[editSize:] {
		at, other := lineOfKind(lines, edits[1], edits[2]), lineOfKind(lines, edits[3], edits[4])
		switch edits[0] % 8 {
		case 0:
			lines = slices.Delete(lines, at, at+1)
		case 1:
			lines = slices.Insert(lines, at, lines[other])
		case 2:
			lines[at], lines[other] = lines[other], lines[at]
		case 3:
			lines = slices.Delete(lines, min(at, other), max(at, other))
		case 4, 5:
			lines[at] = borrow(lines[at], lines, other, edits[5])
		case 6:
			lines[at] = lacking(lines[at], edits[5])
		default:
			lines[at] = exaggerate(lines[at], edits[4], edits[5])
		}
	}
	return historyText(lines)
}

// lineOfKind is a line of one of the kinds that there are: most lines are of very few kinds.
func lineOfKind(lines []historyLine, kind, nth byte) int {
	byKind := map[string][]int{}
	for i, line := range lines[1:] {
		k, _ := line["kind"].(string)
		byKind[k] = append(byKind[k], i+1)
	}
	kinds := slices.Sorted(maps.Keys(byKind))
	of := byKind[kinds[int(kind)%len(kinds)]]
	return of[int(nth)%len(of)]
}

// borrow gives one of a line's fields the value that the next line has that has such a field.
func borrow(line historyLine, lines []historyLine, from int, which byte) historyLine {
	names := slices.Sorted(maps.Keys(line))
	name := names[int(which)%len(names)]
	if name == "kind" || name == "us" {
		return line
	}
	for i := range lines[1:] {
		if v, ok := lines[1+(from+i)%(len(lines)-1)][name]; ok {
			return with(line, name, v)
		}
	}
	return line
}

// lacking leaves a field of a line out, or the records of its batch.
func lacking(line historyLine, which byte) historyLine {
	names := slices.Sorted(maps.Keys(line))
	name := names[int(which)%len(names)]
	if v, ok := line[name].(map[string]any); ok && which%2 == 0 {
		v = with(with(v, "deltas", []any{}), "records", []any{})
		delete(v, "states")
		return with(line, name, v)
	}
	line = maps.Clone(line)
	delete(line, name)
	return line
}

// exaggerate gives one of the numbers of a line, or of its batch, an extreme value, turns a truth value, and empties a list.
func exaggerate(line historyLine, which, to byte) historyLine {
	names := slices.Sorted(maps.Keys(line))
	name := names[int(which)%len(names)]
	switch v := line[name].(type) {
	case bool:
		return with(line, name, !v)
	case json.Number:
		if name != "us" {
			return with(line, name, extremes[int(to)%len(extremes)])
		}
	case []any:
		return with(line, name, []any{})
	case map[string]any:
		return with(line, name, map[string]any(exaggerate(v, to, to>>4)))
	}
	return line
}

func with(line historyLine, name string, v any) historyLine {
	line = maps.Clone(line)
	line[name] = v
	return line
}

func historyText(lines []historyLine) []byte {
	var out bytes.Buffer
	us, events := json.Number("0"), -1
	for i, line := range lines {
		if v, ok := line["us"].(json.Number); ok {
			a, _ := us.Int64()
			if b, _ := v.Int64(); b > a {
				us = v
			}
			line = with(line, "us", us)
		}
		switch line["kind"] {
		case "end":
			if i < len(lines)-1 {
				continue
			}
			line = with(line, "events", events)
		case "second-phase-over":
			events--
		}
		events++
		text, err := json.Marshal(line)
		if err != nil {
			panic(err)
		}
		out.Write(append(text, '\n'))
	}
	return out.Bytes()
}

// checkEdited: an edited history is refused with its line, or judged; nothing panics.
func checkEdited(t *testing.T, base []historyLine, edits []byte) (judged bool) {
	text := edited(base, edits)
	r, err := CheckHistory(t.Context(), "edited", bytes.NewReader(text), true)
	var syntax *format.SyntaxError
	if err != nil {
		if !errors.As(err, &syntax) || syntax.Line < 2 {
			t.Errorf("edits %x: %v", edits, err)
		}
		return false
	}
	r.Report("edited")
	for _, x := range r.Ledger.LossReports() {
		x.AppendText(nil, r.Names)
	}
	return true
}

// TestHistoriesThatContradictThemselves: whatever a converter makes of a log, it is refused or judged.
func TestHistoriesThatContradictThemselves(t *testing.T) {
	alone(t)
	bases, random, judged := historyBases(t), rand.New(rand.NewPCG(1, 2)), 0
	const rounds = 200
	for range rounds {
		edits := make([]byte, editSize*(1+random.IntN(6)))
		for i := range edits {
			edits[i] = byte(random.Uint32())
		}
		if checkEdited(t, bases[random.IntN(len(bases))], edits) {
			judged++
		}
	}
	if judged < rounds/4 {
		t.Errorf("only %d of %d were judged", judged, rounds)
	}
}

// FuzzHistoryCheck is the same, with edits that fuzzing looks for.
func FuzzHistoryCheck(f *testing.F) {
	bases := historyBases(f)
	for op := range byte(8) {
		f.Add(op, []byte{op, 0, 90, 1, 40, 7})
	}
	f.Fuzz(func(t *testing.T, base byte, edits []byte) {
		checkEdited(t, bases[int(base)%len(bases)], edits[:min(len(edits), 16*editSize)])
	})
}
