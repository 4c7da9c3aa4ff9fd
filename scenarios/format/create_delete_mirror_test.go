package format

import (
	"strings"
	"testing"
)

// A mirror may be created from another cluster than its line names; the cluster of the line is left out.
func TestCreateFromAnother(t *testing.T) {
	text := strings.Replace(head, "topic t", "cluster C brokers=1\ntopic w on C partitions=1 replicas=1\ntopic t", 1)
	s, err := Parse("x.scn", []byte(text+"create n from C\nstart w in n\ncreate n from A\ncreate n\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, step := range s.Steps[1:] {
		got = append(got, step.String())
	}
	if want := "create n from C, start w in n, create n, create n"; strings.Join(got, ", ") != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if simpler := s.Steps[1].Do.Simpler(); len(simpler) != 1 || string(simpler[0].AppendText(nil)) != "create n" {
		t.Errorf("simpler is %v", simpler)
	}
	refused(t, text+"start w in n\n", `x.scn:16: "w": neither end of the mirror has this topic; accepted: t`)
}
