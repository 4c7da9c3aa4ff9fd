package scenarios

import (
	"strings"
	"testing"

	"mirrorsim/scenarios/format"
)

// wrongChoice is the steps of a file up to a line, others after it, and what is so then, under other choices than the file's.
type wrongChoice struct {
	file, name, revision string
	sets                 []string
	until                string // the first line that is left out; "" for none
	more                 string
}

var wrongChoices = []wrongChoice{
	{"E3", "ignored: the lag is below 0", "", []string{"divergence=ignore", "lag-sign=signed"}, "until leo B/t-0=25", `
after 1m describe B/t-0 in m
expect log B/t-0@b0=0-29@0
expect log B/t-0@b1=0-29@0
expect state B/t-0=MIRRORING
expect lag B/t-0=unknown
expect described B/t-0 lag=-5
`},
	{"E3", "ignored, and shown as 0 what is below it", "", []string{"divergence=ignore", "lag-sign=floored"}, "until leo B/t-0=25", `
after 1m describe B/t-0 in m
expect described B/t-0 lag=0
`},
	{"E5", "refused by followers: one copy", "", []string{"epoch-floor=unconstrained-refusing"}, "live", `
until isr B/t-0=1
expect epoch B/t-0=1
expect log B/t-0@b1=0-2@7
expect log B/t-0@b0=empty
expect hw B/t-0@b1=3
`},
	{"E5-two", "refused by followers: the high watermark stands still", "", []string{"epoch-floor=unconstrained-refusing"}, "live", `
until isr B/t-0=1
expect log B/t-0@b1=0-2@7
expect hw B/t-0@b1=0
expect lag B/t-0=3
`},
	{"F2", "same name: all 16 offsets are copied again", "", []string{"lookup-over=same-name", "lookup-missing=minus-one"}, "", `
expect log A/t-0@a0=0-9@0 10:reset@1 11-15@1
expect log A/t-0@a1=0-9@0 10:reset@1 11-15@1
expect copied-again A/t-0=10
expect discarded A/t-0=0
expect lost A/t-0=0
`},
	{"F3", "told an offset: no cut", "", []string{"marker=offset"}, "", `
expect position B/t-0=5
expect log A/t-0@a0=0-2@0 3-4@1 5:reset@1
expect log B/t-0@b0=0-4@0 5:reset@1
expect discarded A/t-0=0
`},
	{"F4", "told nothing: no cut", "", []string{"marker=none", "lookup-missing=minus-one"}, "", `
expect log A/t-0@a0=0-2@0 3-4@1
expect log B/t-0@b0=0-2@0 3:reset@1 4@1
expect leo A/t-0=5
expect leo B/t-0=5
expect discarded A/t-0=0
`},
	{"F7", "unchecked: both sides are cut to nothing", "start-stop", []string{"reverse-check=unchecked"}, "until state A/t-0=FAILED", `
until leo A/t-0=0
until leo B/t-0=0
expect log A/t-0=empty
expect log B/t-0=empty
`},
	{"F8", "map-negative: two producers under one id", "", []string{"producer-ids=map-negative"}, "until leo C/t-0=5", `
until leo C/t-0=4
until quiet
expect log B/t-0=0-1@0 2-3@1
expect log C/t-0=0-1@0 2-3@1
`},
	{"S4-cut", "not awaited: no position", "", []string{"marker-write=fire-and-forget", "lookup-missing=minus-one"}, "", `
expect position B/t-0=-1
expect log A/t-0@a1=0-2@0 3:reset@1 4@1
expect copied-again A/t-0=3
expect discarded A/t-0=2
`},
	{"T1", "the older revision: all 3 are cut, and the failback cuts A to nothing", "add-remove", nil, "consume r", `
expect log B/t-0@b0=0:reset@1
expect log B/t-0@b1=0:reset@1
expect lso B/t-0=1
expect position B/t-0=-1
expect aborted B/t-0=0
expect cut-by-stop B/t-0=3
start t in back
until state A/t-0=MIRRORING
until lag A/t-0=0
until quiet
expect log A/t-0@a0=0:reset@1
expect log A/t-0@a1=0:reset@1
`},
	{"T2", "cut to the last stable offset: 8 are lost", "", []string{"open-transactions=truncate-to-lso"}, "", `
expect log B/t-0@b0=0-1@0 2:reset@1
expect log B/t-0@b1=0-1@0 2:reset@1
expect leo B/t-0=3
expect cut-by-stop B/t-0=8
`},
	{"T4", "kept: acknowledged and not stored", "", []string{"producer-ids=keep"}, "", `
expect error 8=NONE
expect log B/t-0=[0-1]@0 [2-3]@0
expect leo B/t-0=4
`},
	{"T7", "not done again: the reset does not wait for the marker", "", []string{"abort-failure=ignore"}, "until state B/t-0=STOPPED", `
expect log B/t-0@b0=0-1@0 2:abort@1 3:reset@1
expect log B/t-0@b1=0-1@0
expect state B/t-0=STOPPING
until state B/t-0=STOPPED
`},
	{"T8", "the older revision: the record is cut", "add-remove", nil, "until epoch", `
stop t in m
until state B/t-0=STOPPED
until quiet
expect log B/t-0@b0=0:reset@1
expect log B/t-0@b1=0:reset@1
expect lso B/t-0=1
expect position B/t-0=-1
`},
}

// The numbers that cases have under the choices that their files call wrong, or that an older design made: the steps of a file
// up to a line, others after it, and what is so then. That a property falls with it is what the wrong lines of the files say.
func TestCatalogueUnderWrongChoices(t *testing.T) {
	for _, c := range wrongChoices {
		t.Run(c.file+" "+c.name, func(t *testing.T) {
			f, err := Find(c.file)
			if err != nil {
				t.Fatal(err)
			}
			text := stepsBefore(string(f.Source), c.until) + c.more
			text = strings.Replace(text, "mirror m from A to B\n\n", "mirror m from A to B\nmirror back from B to A\n\n", 1)
			s, err := format.Parse(f.Path, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			d, err := Choose(s, c.revision, c.sets)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Run(s, Options{Protocol: d.Config})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range r.Failures {
				t.Errorf("line %d: %s: %s", x.Line, x.Text, x.Got)
			}
		})
	}
}

// stepsBefore is a file before its line that begins with until, without its expectations.
func stepsBefore(source, until string) string {
	var kept []string
	for _, line := range strings.Split(source, "\n") {
		if until != "" && strings.HasPrefix(line, until) {
			break
		}
		if !strings.HasPrefix(line, "expect ") && !strings.HasPrefix(line, "wrong ") {
			kept = append(kept, line)
		}
	}
	return strings.TrimRight(strings.Join(kept, "\n"), "\n") + "\n"
}
