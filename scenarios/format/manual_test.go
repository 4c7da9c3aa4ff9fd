package format

import (
	"os"
	"strings"
	"testing"

	"mirrorsim/faults"
)

// blocks are the fenced blocks of FORMAT.md that are marked so.
func blocks(t *testing.T, mark string) []string {
	t.Helper()
	page, err := os.ReadFile("../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, part := range strings.Split(string(page), "```"+mark+"\n")[1:] {
		text, _, _ := strings.Cut(part, "```")
		list = append(list, text)
	}
	return list
}

func TestManualHasOneCompleteFile(t *testing.T) {
	files := blocks(t, "file")
	if len(files) != 1 {
		t.Fatalf("the page has %d files", len(files))
	}
	s := parse(t, files[0])
	if got := string(s.AppendText(nil)); got != files[0] {
		t.Errorf("the file is not canonical, which would be\n%s", got)
	}
}

// TestManualExamplesAreOneScenario has all examples in a row parse, and none of the language be without one.
func TestManualExamplesAreOneScenario(t *testing.T) {
	text := strings.Join(blocks(t, "scn"), "")
	s := parse(t, text)
	if len(s.Steps) < 30 || len(s.Expect) < 15 || len(s.Wrong) != 4 || len(s.Schedule) != 1 {
		t.Errorf("%d steps, %d expectations, %d wrong lines, %d choices", len(s.Steps), len(s.Expect), len(s.Wrong),
			len(s.Schedule))
	}
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		seen[words[0]] = true
		if words[0] == "until" || words[0] == "expect" || words[0] == "at" || words[0] == "after" || words[0] == "fault" {
			seen[words[0]+" "+words[1]] = true
		}
	}
	var want []string
	want = append(want, keywords()...)
	for _, k := range conditionKeywords() {
		want = append(want, "until "+k)
	}
	for _, k := range expectKeywords() {
		want = append(want, "expect "+k)
	}
	for _, k := range faults.Kinds() {
		want = append(want, "fault "+k)
	}
	for _, k := range want {
		if !seen[k] {
			t.Errorf("the page has no example of %s", k)
		}
	}
}

// TestManualNamesEveryPoint has a point in the table where faults are explained.
func TestManualNamesEveryPoint(t *testing.T) {
	page, err := os.ReadFile("../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range faults.Points() {
		if !strings.Contains(string(page), "`"+p+"`") {
			t.Errorf("the page does not name the point %s", p)
		}
	}
}

// TestManualShowsARealError parses the three lines that the last example of the page is about.
func TestManualShowsARealError(t *testing.T) {
	page, err := os.ReadFile("../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse("x.scn", []byte("scenario x\n\ncluster A brokrs=2\n"))
	if err == nil || !strings.Contains(string(page), err.Error()) {
		t.Errorf("the page does not show %v", err)
	}
}
