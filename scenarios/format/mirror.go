package format

import (
	"regexp"
	"strings"
)

// Mirror is a mirror resource on its destination cluster:
//
//	mirror m from A to B
//	mirror m from B to A
//	mirror all from A to C absent include=orders-.*,users exclude=orders-internal,__.*
//
// A failback needs a mirror in the other direction, of the same name or another.
type Mirror struct {
	Pos
	Name     string
	From, To string
	Absent   bool     // it does not exist when the run begins
	Include  []string // mirror.topics.include: literals and RE2 patterns
	Exclude  []string // mirror.topics.exclude; nil: see Excludes
}

// Excludes is mirror.topics.exclude: as written, otherwise Kafka's default, the internal topics (section 2 of the design).
func (m *Mirror) Excludes() []string {
	if m.Exclude == nil {
		return []string{"__.*"}
	}
	return m.Exclude
}

// Suffixes that a mirror's name may not end in: they mark the desired state (section 2 of the design).
var reservedSuffixes = []string{".paused", ".stopped", ".removed"}

func parseMirror(l *line) {
	m := Mirror{Name: l.name("a name for the mirror")}
	l.keyword("from")
	m.From = l.cluster().Name
	l.keyword("to")
	m.To = l.cluster().Name
	if l.err == nil && m.From == m.To {
		l.fail(m.To, "a mirror leads to another cluster")
	}
	for _, o := range l.p.s.Mirrors {
		if o.Name == m.Name && o.To == m.To {
			l.fail(m.Name, "cluster "+m.To+" has a mirror of this name already")
		}
	}
	for l.more() {
		switch key, value := l.option("mirror", "absent", "include=PATTERN,PATTERN", "exclude=PATTERN,PATTERN"); key {
		case "absent":
			m.Absent = true
		case "include":
			m.Include = l.list("include="+value, value)
		case "exclude":
			m.Exclude = l.list("exclude="+value, value)
		}
	}
	if !m.Absent {
		l.checkMirror(&m)
	}
	m.Pos = l.p.pos()
	l.p.s.Mirrors = append(l.p.s.Mirrors, m)
}

// checkMirror wants of a mirror that exists when the run begins what CreateMirror would have accepted.
func (l *line) checkMirror(m *Mirror) {
	for _, suffix := range reservedSuffixes {
		if strings.HasSuffix(m.Name, suffix) {
			l.fail(m.Name, "a mirror's name may not end in "+suffix)
		}
	}
	for _, list := range [][]string{m.Include, m.Exclude} {
		for _, pattern := range list {
			if _, err := regexp.Compile(pattern); err != nil {
				l.fail(pattern, "not an RE2 pattern: "+err.Error())
			}
		}
	}
}

func (m *Mirror) appendText(dst []byte) []byte {
	dst = append(dst, "mirror "+m.Name+" from "+m.From+" to "+m.To...)
	if m.Absent {
		dst = append(dst, " absent"...)
	}
	if len(m.Include) > 0 {
		dst = append(dst, " include="+strings.Join(m.Include, ",")...)
	}
	if len(m.Exclude) > 0 {
		dst = append(dst, " exclude="+strings.Join(m.Exclude, ",")...)
	}
	return dst
}
