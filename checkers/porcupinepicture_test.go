package checkers

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// drawn is what the page hands to the browser.
type drawn struct {
	Partitions []struct {
		History []struct {
			ClientId, Start, End  int
			Description, Metadata string
		}
		PartialLinearizations [][]struct{ StateDescription string }
	}
	Annotations []struct {
		ClientId, Start int
		Description     string
	}
}

// pageOf writes the picture, and reads what is in it.
func pageOf(t *testing.T, p *Picture) (string, drawn) {
	t.Helper()
	var page bytes.Buffer
	if err := p.Write(&page); err != nil {
		t.Fatal(err)
	}
	data := regexp.MustCompile(`(?m)^ *const data = (.*)$`).FindSubmatch(page.Bytes())
	if data == nil {
		t.Fatal("the page has no data")
	}
	var d drawn
	if err := json.Unmarshal(data[1], &d); err != nil {
		t.Fatal(err)
	}
	return page.String(), d
}

// A violation has a picture that names the object, the nodes and the operations, and in which no box hides another.
func TestPictures(t *testing.T) {
	for _, c := range []struct{ corruption, object, operation, row, state, note string }{
		{"two records swapped in a read", "A/t-0", "read of r1 from offset ", "r1", "the log ends at ",
			"what it returned is not what was committed there"},
		{"an append doubled", "A/t-0", "append of p1 at offset ", "p1", "the log ends at ", ""},
		{"a stale read of the state", "mirror m of B/t-0", "read of PREPARING#1 by b", "b0",
			"PREPARING#1, run 1, written in leader epoch ", ""},
	} {
		t.Run(c.corruption, func(t *testing.T) {
			h := corruptedHistory(0, c.corruption)
			x := NewCrossCheck(topology)
			for i := range h.events {
				x.Observe(&h.events[i])
			}
			anomalies, _ := x.Finish(uint64(len(h.events)))
			if len(anomalies) == 0 || len(x.Pictures()) != len(anomalies) || x.Pictures()[0].Object != anomalies[0].Object {
				t.Fatalf("%d anomalies, %d pictures", len(anomalies), len(x.Pictures()))
			}
			page, d := pageOf(t, x.Pictures()[0])
			for _, want := range []string{"<title>" + c.object + "</title>", "<h1", c.object, "<p>no order of the "} {
				if !strings.Contains(page, want) {
					t.Errorf("the page has no %q", want)
				}
			}
			history := d.Partitions[0].History
			noRoom := func(i, j int) bool {
				a, b := history[i], history[j]
				return i != j && a.ClientId == b.ClientId && a.Start <= b.End && b.Start <= a.End
			}
			operation, note := false, c.note == ""
			for i, x := range history {
				operation = operation || strings.HasPrefix(x.Description, c.operation)
				note = note || strings.HasSuffix(x.Metadata, ": "+c.note)
				for j := range history {
					if noRoom(i, j) {
						t.Errorf("%s and %s stand in one place", x.Description, history[j].Description)
					}
				}
			}
			row := slices.ContainsFunc(d.Annotations, func(a struct {
				ClientId, Start int
				Description     string
			}) bool {
				return a.Description == c.row
			})
			state := false
			for _, list := range d.Partitions[0].PartialLinearizations {
				for _, s := range list {
					state = state || strings.HasPrefix(s.StateDescription, c.state)
				}
			}
			if !operation || !note || !row || !state {
				t.Errorf("operation %v, note %v, row %v, state %v in %+v", operation, note, row, state, d)
			}
		})
	}
}

// Operations of one node that were under way at once have a row each.
func TestPictureHasRowsForOperationsAtOnce(t *testing.T) {
	b := booted()
	first, second := b.data(p2, 1, -1, -1), b.data(p2, 1, -1, -1)
	one, two := b.call(p2, clusterA, first, acksAll), b.call(p2, clusterA, second, acksAll)
	first, second = b.append(a0, first, 0), b.append(a0, second, 0)
	b.replicate(clusterA)
	b.returned(p2, clusterA, one, second.Base, codeOK) // each is told the other's offset
	b.returned(p2, clusterA, two, first.Base+7, codeOK)
	c := NewCrossCheck(topology)
	for i := range b.events {
		c.Observe(&b.events[i])
	}
	if anomalies, _ := c.Finish(uint64(len(b.events))); len(anomalies) != 1 {
		t.Fatalf("%v", anomalies)
	}
	_, d := pageOf(t, c.Pictures()[0])
	var rows []string
	for _, a := range d.Annotations {
		rows = append(rows, a.Description)
	}
	if got := strings.Join(rows, ", "); !strings.Contains(got, "p2, p2 (2)") {
		t.Errorf("rows %s", got)
	}
}
