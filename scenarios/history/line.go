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
	name  []byte
	value jsontext.Value
	used  bool
}

// line takes lines apart. What it holds is good until the next one.
type line struct {
	members []member
	text    []byte // the names and values of the members
	input   bytes.Buffer
	decoder jsontext.Decoder
}

// mostMembers bounds the members of a line.
const mostMembers = 64

// split takes a line of JSON, one object, apart.
func (l *line) split(text []byte) *format.SyntaxError {
	l.members, l.text = l.members[:0], l.text[:0]
	l.input = *bytes.NewBuffer(text)
	l.decoder.Reset(&l.input)
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
	quoted, err := l.decoder.ReadValue()
	if err != nil {
		return notAnObject(err)
	}
	at := len(l.text)
	if l.text, err = jsontext.AppendUnquote(l.text, quoted); err != nil {
		return notAnObject(err)
	}
	m := member{name: l.text[at:len(l.text):len(l.text)]}
	value, err := l.decoder.ReadValue()
	if err != nil {
		return notAnObject(err)
	}
	if len(l.members) == mostMembers {
		return problem(string(m.name), "the line has too many fields", fmt.Sprintf("at most %d", mostMembers))
	}
	at = len(l.text)
	l.text = append(l.text, value...)
	m.value = l.text[at:len(l.text):len(l.text)]
	l.members = append(l.members, m)
	return nil
}

// take is the value of that name, nil if there is none.
func (l *line) take(name string) jsontext.Value {
	for i := range l.members {
		if m := &l.members[i]; string(m.name) == name {
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
	return string(l.members[i].name), true
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
