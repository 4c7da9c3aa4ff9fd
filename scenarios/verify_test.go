package scenarios

import (
	"strings"
	"testing"

	"mirrorsim/scenarios/format"
)

// problems are what Verify finds about a changed file of the catalogue, "" for a run that came out as the file says.
func problems(t *testing.T, name string, change func(string) string, seeds int) (list []string) {
	t.Helper()
	f, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := format.Parse(f.Path, []byte(change(string(f.Source))))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	checks, err := Verify(t.Context(), name, s, d, seeds)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		list = append(list, c.Problem)
	}
	return list
}

// TestVerifyCalm: an expectation that holds on the calm schedule only is an error unless the file says so.
func TestVerifyCalm(t *testing.T) {
	unmarked := func(s string) string { return strings.ReplaceAll(s, " on-schedule calm", "") }
	for _, c := range []struct {
		name   string
		change func(string) string
		want   string // in the problem of seed 0; "" for none
	}{
		{"marked", func(s string) string { return s }, ""},
		{"not marked", unmarked, "it is so on the calm schedule: if it may be otherwise on another, it is expected on-schedule calm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := problems(t, "F10", c.change, 1)
			if len(got) != 2 || got[0] != "" || (got[1] == "") != (c.want == "") || !strings.Contains(got[1], c.want) {
				t.Errorf("calm and seed 0: %q", got)
			}
		})
	}
	t.Run("not so on the calm schedule either", func(t *testing.T) {
		wrongValue := func(s string) string {
			return strings.Replace(s, "expect hw A/t-0=5 on-schedule calm", "expect hw A/t-0=6", 1)
		}
		got := problems(t, "F1", wrongValue, 1)
		if len(got) != 2 || got[0] == "" || got[1] == "" || strings.Contains(strings.Join(got, " "), "on the calm schedule") {
			t.Errorf("calm and seed 0: %q", got)
		}
	})
}

// TestVerifyWrong: under a wrong line its property is violated, and no other safety property that the file does not name.
func TestVerifyWrong(t *testing.T) {
	const line, more = "wrong set marker=offset violates ", "convergence"
	for _, c := range []struct {
		name   string
		change func(string) string
		want   string // in the problem of one wrong line at least; "" for none
	}{
		{"all named", func(s string) string { return s }, ""},
		{"one not named", func(s string) string { return strings.Replace(s, line+more+"\n", "", 1) },
			"convergence is violated too, which no wrong line with these choices says: A/t-0@a1 is MIRRORING with lag 0"},
		{"named for other choices", func(s string) string {
			return strings.Replace(s, line+more, "wrong set marker=offset set lookup-over=same-name violates "+more, 1)
		}, "convergence is violated too"},
		{"not violated", func(s string) string { return strings.Replace(s, line+more, line+"durability", 1) },
			"durability not promised, but the file says that it is violated"},
		{"not judged", func(s string) string {
			return strings.Replace(s, line+more, line+more+"\nwrong set epoch-floor=unconstrained-refusing violates isr-heals", 1)
		}, "is not judged, but the file says that it is violated"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := problems(t, "F3", c.change, 0)
			all := strings.TrimSpace(strings.Join(got, " "))
			if got[0] != "" || (all == "") != (c.want == "") || !strings.Contains(all, c.want) {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestVerifyWrongRevision: under a wrong line with a revision that revision runs, without the file's own decisions, and what is said
// to mend it does.
func TestVerifyWrongRevision(t *testing.T) {
	const under = "\nwrong protocol aligned violates "
	lines := func(mend string) string {
		return under + "exact-cut" + mend + under + "clean-switch" + mend + under + "position-durable" + mend
	}
	for _, c := range []struct{ name, lines, want string }{
		{"mended", lines(" mended set marker-write=await"), ""},
		{"not said how", lines(""), ""},
		{"not mended", lines(" mended set lookup-over=same-name"), "position-durable is violated, but the file says that this is mended"},
		{"mended in part", lines(" mended set lookup-above=keep-all"), "position-durable is violated, but the file says that this is mended"},
		{"the others mended by that", under + "exact-cut mended set lookup-above=keep-all" + under +
			"clean-switch mended set lookup-above=keep-all" + under + "position-durable mended set marker-write=await", ""},
		{"mended by what breaks another", under + "exact-cut" + under + "position-durable" + under +
			"clean-switch mended set epoch-floor=fenced-exactly", "log-matching is violated by what mends clean-switch"},
		{"one not named", under + "position-durable mended set marker-write=await", "exact-cut is violated too"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := problems(t, "S4", func(s string) string { return s[:strings.Index(s, "# The position that")] + c.lines + "\n" }, 0)
			all := strings.TrimSpace(strings.Join(got, " "))
			if got[0] != "" || (all == "") != (c.want == "") || !strings.Contains(all, c.want) {
				t.Errorf("%q", got)
			}
		})
	}
}
