package history

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mirrorsim/scenarios/format"
)

// member is one member of a JSON object.
type member struct {
	name  string
	value jsontext.Value
	used  bool
}

// line takes lines apart. What it holds is good until the next one.
type line struct {
	members []member
	values  []byte // of the members
	decoder jsontext.Decoder
	names   map[string]string // names of members that were seen, so that they cost nothing again
}

// mostMembers bounds the members of a line, and names is kept as small.
const mostMembers = 64

// split takes a line of JSON, one object, apart.
func (l *line) split(text []byte) *format.SyntaxError {
	l.members, l.values = l.members[:0], l.values[:0]
	l.decoder.Reset(bytes.NewBuffer(text))
	first, err := l.decoder.ReadToken()
	if err != nil || first.Kind() != '{' {
		return notAnObject(err)
	}
	for l.decoder.PeekKind() == '"' {
		if bad := l.member(); bad != nil {
			return bad
		}
	}
	if _, err := l.decoder.ReadToken(); err != nil {
		return notAnObject(err)
	}
	if len(bytes.TrimSpace(text[l.decoder.InputOffset():])) > 0 {
		return problem("", "something follows the object", "one JSON object a line")
	}
	return nil
}

func (l *line) member() *format.SyntaxError {
	name, err := l.decoder.ReadToken()
	if err != nil {
		return notAnObject(err)
	}
	m := member{name: l.name(name)}
	value, err := l.decoder.ReadValue()
	if err != nil {
		return notAnObject(err)
	}
	if len(l.members) == mostMembers {
		return problem(m.name, "the line has too many fields", fmt.Sprintf("at most %d", mostMembers))
	}
	at := len(l.values)
	l.values = append(l.values, value...)
	m.value = l.values[at:len(l.values):len(l.values)]
	l.members = append(l.members, m)
	return nil
}

// name is the text of a member's name.
func (l *line) name(t jsontext.Token) string {
	text := t.String()
	if known, ok := l.names[text]; ok {
		return known
	}
	if len(l.names) < mostMembers {
		l.names[text] = text
	}
	return text
}

// take is the value of that name, nil if there is none.
func (l *line) take(name string) jsontext.Value {
	for i := range l.members {
		if m := &l.members[i]; m.name == name {
			m.used = true
			return m.value
		}
	}
	return nil
}

// left is a member that nobody took.
func (l *line) left() (string, bool) {
	i := slices.IndexFunc(l.members, func(m member) bool { return !m.used })
	if i < 0 {
		return "", false
	}
	return l.members[i].name, true
}

// notAnObject says why a line is no JSON object.
func notAnObject(err error) *format.SyntaxError {
	x := problem("", "not a JSON object", "one JSON object a line")
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		x.Message, x.Want = "a field stands twice", []string{"each field once"}
		errors.As(err, &syntactic)
		x.Word = syntactic.JSONPointer.LastToken()
	case errors.As(err, &syntactic):
		x.Message += ": " + strings.TrimPrefix(syntactic.Err.Error(), "jsontext: ") + fmt.Sprintf(" at byte %d", syntactic.ByteOffset+1)
	}
	return x
}

// problem is an error of a line that has no file and number yet.
func problem(word, message string, want ...string) *format.SyntaxError {
	return &format.SyntaxError{Word: word, Message: message, Want: want}
}
