package format

import (
	"errors"
	"fmt"
	"strings"

	"mirrorsim/model/protocol"
)

// InputError says of a word that stands in no file, but on a command line, that it is not accepted, and what would be. It maps to
// the JSON of mirrorsim.error/1 as a SyntaxError does.
type InputError struct {
	Word    string   // as it was given
	Message string   // one clause, with the word
	Want    []string // what would be accepted in its place, at least one
}

// Error is one sentence: what is wrong, which of what would be accepted may be meant, and all of that.
func (e *InputError) Error() string { return e.Message + accepted(e.Word, e.Want) }

// Unknown is what the protocol package says of a word of the command line, behind where the word stands: "", or a flag with its value
// and a colon. Another error it answers as it is.
func Unknown(where string, err error) error {
	var unknown *protocol.UnknownError
	switch {
	case !errors.As(err, &unknown):
		return err
	case unknown.All:
		return &InputError{unknown.Word, fmt.Sprintf("%s%q is not a list of all that %s takes", where, unknown.Word, unknown.Of),
			[]string{strings.Join(unknown.Want, ",") + ", in any order"}}
	case unknown.Of != "":
		return &InputError{unknown.Word, fmt.Sprintf("%s%q is no option of %s", where, unknown.Word, unknown.Of), unknown.Want}
	}
	return &InputError{unknown.Word, fmt.Sprintf("%sno %s is called %q", where, unknown.Kind, unknown.Word), unknown.Want}
}

// accepted is the end of an error: which of several words that would be accepted in the place of one may be meant, and all of them.
func accepted(word string, want []string) (text string) {
	if near := Nearest(word, want); near != "" && len(want) > 1 {
		text = ", perhaps " + near + " is meant"
	}
	if len(want) > 0 {
		text += "; accepted: " + strings.Join(want, ", ")
	}
	return text
}

// Nearest is the one of the words that the word is closest to, with a third of its letters wrong at most; "" if there is none, or
// if the word is one of them.
func Nearest(word string, words []string) string {
	best, most := "", len(word)
	for _, k := range words {
		switch n := distance(word, k); {
		case n == 0:
			return ""
		case n < most && alike(word, k):
			best, most = k, n
		}
	}
	return best
}

// alike tells whether a third of the letters of b at most are wrong in a; of two pairs KEY=VALUE, of the keys, or of the values of
// one key: nobody means acks=0 who writes acks=2.
func alike(a, b string) bool {
	key, value, pair := strings.Cut(a, "=")
	otherKey, otherValue, otherPair := strings.Cut(b, "=")
	switch {
	case pair && otherPair && key != otherKey:
		a, b = key, otherKey
	case pair && otherPair:
		a, b = value, otherValue
	}
	return 3*distance(a, b) <= len(b)
}

// distance is how many letters must be put in, left out or changed to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := last
			if a[i] != b[j] {
				change++
			}
			last = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
