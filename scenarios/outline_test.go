package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

const storyDir = "testdata/stories"

// TestStories: what happens in each case, as mirrorsim scenarios show --story tells it, is what is written down, so that a change
// of behaviour is read as a diff. With -update the test writes the stories, and removes those of files that are gone.
func TestStories(t *testing.T) {
	alone(t)
	written, err := filepath.Glob(storyDir + "/*.story")
	if err != nil {
		t.Fatal(err)
	}
	gone := map[string]bool{}
	for _, path := range written {
		gone[path] = true
	}
	for _, f := range Catalogue() {
		path := filepath.Join(storyDir, f.Name+".story")
		delete(gone, path)
		t.Run(f.Name, func(t *testing.T) { golden(t, path, storyOf(t, string(f.Source), f.Path)) })
	}
	for path := range gone {
		if *update {
			err = os.Remove(path)
		}
		if !*update || err != nil {
			t.Errorf("%s is of no file of the catalogue (-update removes it) %v", path, err)
		}
	}
}

// golden compares a text with a file, or writes it.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("not what %s says; go test ./scenarios -run Stories -update writes it anew (-written +told):\n%s", path, d)
	}
}

// storyOf is the story of a scenario under its own design.
func storyOf(t *testing.T, source, path string) string {
	t.Helper()
	s, err := format.Parse(path, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := Tell(s.Name, s, d)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestStoryShowsAChange: another behaviour is another story, and a run that fails says so in it.
func TestStoryShowsAChange(t *testing.T) {
	f, err := Find("F4")
	if err != nil {
		t.Fatal(err)
	}
	as := storyOf(t, string(f.Source), f.Path)
	const sets = "set marker=none\nset lookup-missing=minus-one\n"
	wrong := storyOf(t, strings.Replace(string(f.Source), "scenario F4\n", "scenario F4\n"+sets, 1), f.Path)
	for _, want := range []string{"a0      t-0 cut from 5 to 3: diverged", "| A/t-0  0-2@0 3:reset@1 4@1  leader", "discarded: 2"} {
		if !strings.Contains(as, want) || strings.Contains(wrong, want) {
			t.Errorf("%q stands in the one: %v, in the other: %v", want, strings.Contains(as, want), strings.Contains(wrong, want))
		}
	}
	for _, want := range []string{"VIOLATED log-matching: ", "FAILED line "} {
		if strings.Contains(as, want) || !strings.Contains(wrong, want) {
			t.Errorf("%q stands in the one: %v, in the other: %v", want, strings.Contains(as, want), strings.Contains(wrong, want))
		}
	}
}

// TestOutlineRows: what is alike is told once, and what happens to one partition in its order.
func TestOutlineRows(t *testing.T) {
	names := &id.Names{Clusters: []string{"A"}, Nodes: []string{"a0", "a1", "p"}, Topics: map[id.Topic]string{1: "t"}}
	data := func(p uint16, base int64) event.Event {
		batch := record.NewData(1, 0, 0, []record.Record{{Key: 1}}).At(base, 0)
		return event.Event{Kind: event.Appended, Partition: id.Partition{Topic: 1, Index: p}, Cause: uint8(event.FromClient),
			Batch: batch}
	}
	copied := data(0, 0)
	copied.Cause = uint8(event.FromLeader)
	ack := func(base int64) event.Event {
		return event.Event{Kind: event.ProduceReturned, Node: 2, Peer: 1, Partition: id.Partition{Topic: 1}, Offset: base}
	}
	writable := func(p uint16, to uint8) event.Event {
		return event.Event{Kind: event.WritableChanged, Partition: id.Partition{Topic: 1, Index: p}, To: to}
	}
	link := func(peer id.Node, up uint8) event.Event {
		return event.Event{Kind: event.LinkSet, Node: 0, Peer: peer, To: up}
	}
	for _, c := range []struct {
		name   string
		events []event.Event
		want   []string
	}{
		{"offsets that follow", []event.Event{data(0, 0), ack(0), data(0, 1), ack(1), data(0, 2)},
			[]string{"a0 t-0 appends 0-2@0 for a producer", "p t-0 acknowledged at 0-1 by a1"}},
		{"offsets that do not", []event.Event{data(0, 0), data(0, 5)},
			[]string{"a0 t-0 appends 0@0 for a producer", "a0 t-0 appends 5@0 for a producer"}},
		{"base offsets", []event.Event{ack(0), ack(10)}, []string{"p t-0 acknowledged at 0-10 by a1"}},
		{"what followers copy", []event.Event{copied}, nil},
		{"several partitions", []event.Event{writable(0, 1), writable(1, 1), writable(2, 1)}, []string{"a0 t-0, t-1, t-2 is writable"}},
		{"many partitions", []event.Event{writable(10, 1), writable(1, 1), writable(2, 1), writable(3, 1)},
			[]string{"a0 t-1 … t-10 (4) is writable"}},
		{"the order of a partition", []event.Event{writable(0, 1), writable(1, 1), writable(0, 0), writable(0, 1)},
			[]string{"a0 t-0, t-1 is writable", "a0 t-0 is read-only", "a0 t-0 is writable"}},
		{"again", []event.Event{writable(0, 1), writable(0, 1)}, []string{"a0 t-0 is writable (2 times)"}},
		{"links", []event.Event{link(1, 0), link(2, 0), link(1, 1)}, []string{"a0 link to p, a1 is cut", "a0 link to a1 works"}},
		{"links that were well", []event.Event{link(1, 1)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &Outline{tell: &teller{names: names}, ill: map[[2]id.Node]bool{}, said: "0.0s"}
			for i := range c.events {
				if row, ok := o.row(&c.events[i]); ok {
					o.add(row)
				}
			}
			for i := range o.rows {
				o.write(&o.rows[i])
			}
			var got []string
			for line := range strings.Lines(o.b.String()) {
				got = append(got, strings.Join(strings.Fields(line), " "))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}
