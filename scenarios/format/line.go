package format

import (
	"slices"
	"strconv"
	"strings"

	"mirrorsim/model/id"
)

// line reads the words of one line. The first thing that goes wrong is kept and everything after it answers zero values,
// so that a statement reads straight through and the caller looks at err once.
type line struct {
	p     *parser
	words []string
	next  int
	seen  []string // the options so far: none may come twice
	err   *SyntaxError
}

// fail keeps the first error.
func (l *line) fail(word, message string, want ...string) {
	if l.err == nil {
		l.err = &SyntaxError{File: l.p.file, Line: l.p.line, Word: word, Want: want, Message: message}
	}
}

// more tells whether there is a word left to read.
func (l *line) more() bool { return l.err == nil && l.next < len(l.words) }

// peek is the next word, which stays; empty at the end.
func (l *line) peek() string {
	if l.more() {
		return l.words[l.next]
	}
	return ""
}

// word is the next word; what says what it should be.
func (l *line) word(what string) string {
	if l.err != nil {
		return ""
	}
	if l.next == len(l.words) {
		l.fail("", "the line ends too early", what)
		return ""
	}
	l.next++
	return l.words[l.next-1]
}

// skip reads the next word if it is that one.
func (l *line) skip(word string) bool {
	if l.peek() != word || word == "" {
		return false
	}
	l.next++
	return true
}

// keyword reads exactly that word.
func (l *line) keyword(want string) {
	if w := l.word(want); l.err == nil && w != want {
		l.fail(w, "unexpected word", want)
	}
}

// oneOf reads one word of a closed list and answers its index.
func (l *line) oneOf(message string, want ...string) int {
	w := l.word(strings.Join(want, ", "))
	i := slices.Index(want, w)
	if l.err == nil && i < 0 {
		l.fail(w, message, want...)
	}
	return max(i, 0)
}

// end refuses words that are left.
func (l *line) end() {
	if l.more() {
		l.fail(l.words[l.next], "unexpected word at the end of the line")
	}
}

// option reads the next word as an option of that statement: key=value, or a bare key. want lists the options as the
// manual writes them.
func (l *line) option(of string, want ...string) (key, value string) {
	w := l.word("an option")
	key, value, valued := strings.Cut(w, "=")
	for _, o := range want {
		name, _, takes := strings.Cut(o, "=")
		if name != key || l.err != nil {
			continue
		}
		if takes != valued || takes && value == "" {
			l.fail(w, "not the form of this option", o)
		}
		if slices.Contains(l.seen, key) {
			l.fail(w, "this option is given twice")
		}
		l.seen = append(l.seen, key)
		return key, value
	}
	l.fail(w, "unknown option of "+of, want...)
	return "", ""
}

// pair reads one word of the form key=value.
func (l *line) pair(form string) (key, value string) {
	w := l.word(form)
	key, value, ok := strings.Cut(w, "=")
	if l.err == nil && (!ok || key == "" || value == "") {
		l.fail(w, "not of the form "+form, form)
	}
	return key, value
}

// number reads text, a part of word, as a whole number between least and most.
func (l *line) number(word, text string, least, most int64) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if l.err == nil && (err != nil || n < least || n > most || text[0] == '+') {
		l.fail(word, "not a number that is accepted here", "a whole number of "+strconv.FormatInt(least, 10)+" to "+
			strconv.FormatInt(most, 10))
		return least
	}
	return n
}

// count reads the next word as a whole number between 1 and most.
func (l *line) count(what string, most int64) int {
	w := l.word(what)
	if l.err != nil {
		return 0
	}
	return int(l.number(w, w, 1, most))
}

// time reads text, a part of word, as a time.
func (l *line) time(word, text string) id.Duration {
	d, err := id.ParseDuration(text)
	if l.err == nil && err != nil {
		l.fail(word, "not a time", "a whole number and us, ms, s, m or h, such as 500ms")
	}
	return d
}

// name reads a new name. Names have 1 to 249 letters, digits, points, underscores and hyphens, as Kafka's topic names.
func (l *line) name(what string) string {
	w := l.word(what)
	if l.err == nil && !legalName(w) {
		l.fail(w, "not a name", "1 to 249 letters, digits, '.', '_' or '-', but not '.' or '..'")
	}
	return w
}

func legalName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return s != "" && len(s) <= 249 && s != "." && s != ".."
}
