package format

import "testing"

const grouped = `scenario x
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A
client g group on B
client p producer on A
`

func TestCommittedIs(t *testing.T) {
	for _, c := range []struct{ expect, want string }{
		{"B/t-0=7", ""},
		{"B/t-0=7@1", ""},
		{"B/t-0=8", "g has committed 7@1 of B/t-0"},
		{"B/t-0=7@0", "g has committed 7@1 of B/t-0"},
		{"B/t-0=none", "g has committed 7@1 of B/t-0"},
		{"A/t-0=none", ""},
		{"A/t-0=7", "g has committed nothing of A/t-0"},
	} {
		s := parse(t, grouped+"consume g B/t-0\nexpect committed g "+c.expect)
		got := ""
		if err := s.Expect[0].Do.Check(newFakeView()); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.expect, got, c.want)
		}
	}
}

func TestGroupReadIs(t *testing.T) {
	for expect, want := range map[string]string{"read-again g B/t-0=3": "", "passed-over g B/t-0=2": "",
		"read-again g B/t-0=2": "g has read 3 records of B/t-0 again", "passed-over g B/t-0=0": "g has passed over 2 records of B/t-0"} {
		s := parse(t, grouped+"consume g B/t-0\nexpect "+expect)
		got := ""
		if err := s.Expect[0].Do.Check(newFakeView()); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", expect, got, want)
		}
	}
}

func TestGroupErrors(t *testing.T) {
	refused(t, grouped+"leave p", `x.scn:8: "p": a producer client cannot leave; accepted: g`)
	refused(t, grouped+"reset-offset g B/t-0", `x.scn:8: the line ends too early; accepted: an option`)
	refused(t, grouped+"expect committed g B/t-0=7@x", `x.scn:8: "B/t-0=7@x": not a number that is accepted here; accepted: a whole number of -1 to 2147483647`)
}
