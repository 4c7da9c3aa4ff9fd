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

// Matches tells whether an entry of a list of topics matches a topic's name. An entry that could be a name is a literal,
// its dots stand for themselves; any other is an RE2 pattern for the whole name. One that is not valid matches nothing.
func Matches(entry, topic string) bool {
	if literal(entry) {
		return entry == topic
	}
	pattern, err := regexp.Compile(`^(?:` + entry + `)$`)
	return err == nil && pattern.MatchString(topic)
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
