package metadata

import (
	"regexp"
	"slices"
	"strings"

	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
)

// DefaultExclude is mirror.topics.exclude where a mirror does not set it: internal topics (section 2 of the design).
const DefaultExclude = "__.*"

// ExcludeOf is mirror.topics.exclude of a mirror. The caller does not change it.
func ExcludeOf(r *record.MirrorRecord) []string {
	if len(r.Exclude) == 0 {
		return []string{DefaultExclude}
	}
	return r.Exclude
}

// Excluded tells whether mirror.topics.exclude of r matches a topic of that name. It wins over mirror.topics.include.
func Excluded(r *record.MirrorRecord, topic string) bool {
	return slices.ContainsFunc(ExcludeOf(r), func(entry string) bool { return Matches(entry, topic) })
}

// IncludesGroup tells whether the offsets of a group of that id are synchronised by the mirror: mirror.groups.include, which is
// all groups where it is empty, has an entry that matches, and mirror.groups.exclude, which wins, has none.
func IncludesGroup(r *record.MirrorRecord, group string) bool {
	matches := func(entry string) bool { return Matches(entry, group) }
	return (len(r.Groups) == 0 || slices.ContainsFunc(r.Groups, matches)) && !slices.ContainsFunc(r.NoGroups, matches)
}

// Discovers tells whether a topic of that name at the source is to be mirrored without anybody's request: include matches it,
// and exclude does not (section 9 of the design).
func Discovers(r *record.MirrorRecord, topic string) bool {
	return slices.ContainsFunc(r.Include, func(entry string) bool { return Matches(entry, topic) }) && !Excluded(r, topic)
}

// ConfigExcluded tells whether a topic config is not synchronised.
func ConfigExcluded(r *record.MirrorRecord, k record.ConfigKey) bool {
	list := r.ExcludeConfigs
	if len(list) == 0 {
		list = record.DefaultConfigExclude()
	}
	return slices.ContainsFunc(list, func(entry string) bool { return Matches(entry, k.String()) })
}

// Matches tells whether an entry of a list matches a name. An entry that could be a name is a literal,
// its dots stand for themselves; any other is an RE2 pattern for the whole name. One that is not valid matches nothing.
func Matches(entry, name string) bool {
	if literal(entry) {
		return entry == name
	}
	pattern, err := regexp.Compile(`^(?:` + entry + `)$`)
	return err == nil && pattern.MatchString(name)
}

// ValidEntries tells whether each entry is a literal or a valid RE2 pattern.
func ValidEntries(entries []string) bool {
	return !slices.ContainsFunc(entries, func(entry string) bool {
		_, err := regexp.Compile(entry)
		return entry == "" || !literal(entry) && err != nil
	})
}

func literal(entry string) bool {
	return !strings.ContainsFunc(entry, func(r rune) bool { return !protocol.NameRune(r) })
}
