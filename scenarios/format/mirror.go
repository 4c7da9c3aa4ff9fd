package format

import (
	"regexp"
	"slices"
	"strings"

	"mirrorsim/model/metadata"
	"mirrorsim/model/record"
)

// Mirror is a mirror resource on its destination cluster:
//
//	mirror m from A to B
//	mirror m from B to A
//	mirror all from A to C absent include=orders-.*,users exclude=orders-internal,__.*
//	mirror some from A to B groups=g,h-.* exclude-groups=h-1
//	mirror m from A to B exclude-configs=retention.ms,cleanup.* acls=topic:orders-.*,group:billing
//
// A failback needs a mirror in the other direction, of the same name or another.
type Mirror struct {
	Pos
	Name     string
	From, To string
	Absent   bool     // it does not exist when the run begins
	Include  []string // mirror.topics.include: literals and RE2 patterns
	Exclude  []string // mirror.topics.exclude; nil: see Excludes
	Groups   []string // mirror.groups.include: literals and RE2 patterns; nil: all groups
	NoGroups []string // mirror.groups.exclude, which wins

	ExcludeConfigs []string // topic configs that are not synchronised; nil: record.DefaultConfigExclude
	Acls           []string // ACLs that are synchronised, TYPE:NAME or TYPE:PATTERN
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
		l.fail(m.To, "a mirror leads to another cluster", slices.DeleteFunc(l.p.s.clusters(), func(c string) bool { return c == m.To })...)
	}
	for _, o := range l.p.s.Mirrors {
		if o.Name == m.Name && o.To == m.To {
			l.fail(m.Name, "cluster "+m.To+" has a mirror of this name already", "another name", "another destination")
		}
	}
	for l.more() {
		switch key, value := l.option("mirror", "absent", "include=PATTERN,PATTERN", "exclude=PATTERN,PATTERN",
			"groups=PATTERN,PATTERN", "exclude-groups=PATTERN,PATTERN", "exclude-configs=PATTERN,PATTERN",
			"acls=TYPE:PATTERN,TYPE:PATTERN"); key {
		case "absent":
			m.Absent = true
		case "include":
			m.Include = l.list("include="+value, value)
		case "exclude":
			m.Exclude = l.list("exclude="+value, value)
		case "groups":
			m.Groups = l.list("groups="+value, value)
		case "exclude-groups":
			m.NoGroups = l.list("exclude-groups="+value, value)
		case "exclude-configs":
			m.ExcludeConfigs = l.list("exclude-configs="+value, value)
		case "acls":
			m.Acls = l.list("acls="+value, value)
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
	for _, list := range [][]string{m.Include, m.Exclude, m.Groups, m.NoGroups, m.ExcludeConfigs} {
		l.checkPatterns(list)
	}
	for _, entry := range m.Acls {
		if !metadata.ValidAclEntries([]string{entry}) {
			l.fail(entry, "not a resource type, a colon, and a name or RE2 pattern", record.ResourceTypes()...)
		}
	}
}

// checkPatterns wants RE2 patterns.
func (l *line) checkPatterns(list []string) {
	for _, pattern := range list {
		if _, err := regexp.Compile(pattern); err != nil {
			l.fail(pattern, "not an RE2 pattern: "+err.Error())
		}
	}
}

func (m *Mirror) appendText(dst []byte) []byte {
	dst = append(dst, "mirror "+m.Name+" from "+m.From+" to "+m.To...)
	if m.Absent {
		dst = append(dst, " absent"...)
	}
	for _, x := range []struct {
		key  string
		list []string
	}{{"include", m.Include}, {"exclude", m.Exclude}, {"groups", m.Groups}, {"exclude-groups", m.NoGroups},
		{"exclude-configs", m.ExcludeConfigs}, {"acls", m.Acls}} {
		if len(x.list) > 0 {
			dst = append(dst, " "+x.key+"="+strings.Join(x.list, ",")...)
		}
	}
	return dst
}
