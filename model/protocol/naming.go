package protocol

import "strings"

// Naming is what a revision calls things: the requests of section 2 of the design, and the suffixes by which the topic
// config mirror.name marks the desired state. It decides nothing, so it is no decision point; a revision sets it.
type Naming uint8

// The namings.
const (
	NewerNames Naming = iota // seed 004 and later: StartMirrorTopics, StopMirrorTopics, ".stopped"
	OlderNames               // seed 000: AddTopicsToMirror, RemoveTopicsFromMirror, ".removed"
)

// String is the word for people: "newer" or "older".
func (n Naming) String() string {
	if n == OlderNames {
		return "older"
	}
	return "newer"
}

// Names is the naming of the revision that c began as; no --set changes it.
func (c *Config) Names() Naming { return c.Naming }

// pausedSuffix is the same in both seeds (seed 004, Pause, 2).
const pausedSuffix = ".paused"

// stoppedSuffix is ".removed" (seed 000, Remove, 2) or ".stopped" (seed 004, Stop, 3).
func (n Naming) stoppedSuffix() string {
	if n == OlderNames {
		return ".removed"
	}
	return ".stopped"
}

// Request is the name in this revision of the request that the newer one calls name, such as "StopMirrorTopics".
func (n Naming) Request(name string) string {
	switch {
	case n == OlderNames && name == "StartMirrorTopics":
		return "AddTopicsToMirror"
	case n == OlderNames && name == "StopMirrorTopics":
		return "RemoveTopicsFromMirror"
	}
	return name
}

// TakesPatterns tells whether a stop may carry patterns: the newer form does (seed 004, Stop, 1 and 2).
func (n Naming) TakesPatterns() bool { return n == NewerNames }

// ReservedSuffixes are the ends that no mirror's name may have, as mirror.name puts them behind it.
func (n Naming) ReservedSuffixes() []string { return []string{pausedSuffix, n.stoppedSuffix()} }

// LegalMirrorName tells whether a mirror may have this name: 1 to 249 letters, digits, ".", "_" and "-", not "." or "..",
// and not one that ends in a reserved suffix (section 2 of the design).
func (n Naming) LegalMirrorName(name string) bool {
	if name == "" || len(name) > 249 || name == "." || name == ".." {
		return false
	}
	for _, suffix := range n.ReservedSuffixes() {
		if strings.HasSuffix(name, suffix) {
			return false
		}
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return !NameRune(r) })
}

// NameRune tells whether names of topics and mirrors may hold r.
func NameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-'
}

// MirrorNameConfig is the value of the topic config mirror.name for a topic of the mirror of that name: the name alone
// while mirroring is desired, otherwise with the suffix of the one desired state that is set. The model stores that fact as a
// record of its own (record.MirrorTopicRecord), as the later public design does; this is what the seeds call it, and why names
// may not end in a suffix.
func (n Naming) MirrorNameConfig(mirror string, paused, stopped bool) string {
	switch {
	case stopped:
		return mirror + n.stoppedSuffix()
	case paused:
		return mirror + pausedSuffix
	}
	return mirror
}
