package scenarios

import (
	"os/exec"
	"testing"
)

// What is quoted comes out of a shell as it went in, and what needs no quotes has none.
func TestQuoted(t *testing.T) {
	for _, word := range []string{"a b.scn", "it's.scn", "$HOME/x;y.scn", "*.scn", "ü.scn", "a\tb", ""} {
		out, err := exec.Command("sh", "-c", "printf %s "+Quoted(word)).Output()
		if err != nil || string(out) != word || Quoted(word) == word {
			t.Errorf("%s comes out as %q, %v", Quoted(word), out, err)
		}
	}
	for _, word := range []string{"F1", "../x/mine-1.scn", "x/a_b.rec"} {
		if Quoted(word) != word {
			t.Errorf("%s is quoted: %s", word, Quoted(word))
		}
	}
}
