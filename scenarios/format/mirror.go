package format

import "strings"

// Mirror is a mirror resource on its destination cluster:
//
//	mirror m from A to B
//	mirror m from B to A
//
// A failback needs a mirror in the other direction, of the same name or another.
type Mirror struct {
	Pos
	Name     string
	From, To string
}

// Suffixes that a mirror's name may not end in: they mark the desired state (section 2 of the design).
var reservedSuffixes = []string{".paused", ".stopped", ".removed"}

func parseMirror(l *line) {
	m := Mirror{Name: l.name("a name for the mirror")}
	for _, suffix := range reservedSuffixes {
		if strings.HasSuffix(m.Name, suffix) {
			l.fail(m.Name, "a mirror's name may not end in "+suffix)
		}
	}
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
	m.Pos = l.p.pos()
	l.p.s.Mirrors = append(l.p.s.Mirrors, m)
}

func (m *Mirror) appendText(dst []byte) []byte {
	return append(dst, "mirror "+m.Name+" from "+m.From+" to "+m.To...)
}
