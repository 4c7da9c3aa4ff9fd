package scenarios

import (
	"strings"
	"testing"

	"mirrorsim/model/wire"
)

// TestWalkthroughSentenceWithoutMessage: a sentence that no message carries out any more is an error, not left out.
func TestWalkthroughSentenceWithoutMessage(t *testing.T) {
	never := because(func(*wire.FetchRequest) bool { return false }, "the sentence of a seed")
	if _, err := walkF1(DefaultRevision, []reason{never}); err == nil || !strings.Contains(err.Error(), never.text) {
		t.Errorf("the error is %v", err)
	}
}

// TestWalkthroughNamesWhatIsTheSame: acts that bring the same messages are named once, and a changed field shows them.
func TestWalkthroughNamesWhatIsTheSame(t *testing.T) {
	one, err := walkF1(DefaultRevision, nil)
	if err != nil {
		t.Fatal(err)
	}
	two, err := walkF1(DefaultRevision, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "\n### Steps 1 to 13\n\nThe same messages, fields and logs as under start-stop.\n"
	if got := two.page("", one); got != want {
		t.Errorf("equal runs give %q, want %q", got, want)
	}
	two.acts[1].lines[2].fields += " more"
	if got := two.page("", one); !strings.Contains(got, " more\n") || strings.Count(got, "The same messages") != 2 {
		t.Errorf("a changed field gives:\n%s", got)
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"one  two", "one two"},
		{"one two three", "one two\nthree"},
		{"one two thr", "one two\nthr"},
		{"longerthanthat a b", "longerthanthat\na b"},
	} {
		if got := fold(c.text, 8); got != c.want {
			t.Errorf("fold(%q) gives %q, want %q", c.text, got, c.want)
		}
	}
}
