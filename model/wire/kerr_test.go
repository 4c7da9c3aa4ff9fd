package wire

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
)

// mirroring are the codes that Kafka does not have yet: those of the design, and what a client says to its application.
var mirroring = []Code{ReadOnlyTopic, InvalidClusterMirrorName, ClusterMirrorAlreadyExists, UnknownClusterMirror,
	ClusterMirrorNotEmpty, TopicAlreadyInClusterMirror, TopicNotInClusterMirror, InvalidClusterMirrorState, MirrorTopicNotStopped,
	MirrorTopicBeingStopped, MirrorTopicAlreadyPaused, MirrorTopicNotPaused, LogTruncation}

// otherwise are the codes on which kerr has another opinion of whether to try again. What an admin asks for topics or an
// election is answered for good with the first three, though Kafka's exceptions are of a retriable class; a broker that hears
// that its epoch is stale registers and goes on; CONCURRENT_TRANSACTIONS is retriable in Kafka since 2.8; and CORRUPT_MESSAGE comes to a producer here only if its own bytes are
// wrong, with which it would be answered so again.
var otherwise = []Code{CorruptMessage, InconsistentTopicId, ElectionNotNeeded, EligibleLeadersNotAvailable, StaleBrokerEpoch, ConcurrentTransactions}

// renamed are the names that kerr has from an earlier Kafka.
var renamed = map[Code]string{NotLeaderOrFollower: "NOT_LEADER_FOR_PARTITION"}

// kerr, which knows nothing of this package, has each of Kafka's codes by the same name, and agrees on which of them a client
// tries again.
func TestKerrKnowsTheCodes(t *testing.T) {
	named := map[string]*kerr.Error{}
	for code := int16(-1); code < 300; code++ {
		if e, ok := kerr.ErrorForCode(code).(*kerr.Error); ok && e != nil {
			named[e.Message] = e
		}
	}
	for c := OK + 1; c < codes; c++ {
		name := c.String()
		if old := renamed[c]; old != "" {
			name = old
		}
		e, known := named[name]
		if known == slices.Contains(mirroring, c) {
			t.Errorf("%v: kerr knows it: %v", c, known)
			continue
		}
		if known && e.Retriable != c.Retriable() && !slices.Contains(otherwise, c) {
			t.Errorf("%v: kerr says retriable %v, here %v", c, e.Retriable, c.Retriable())
		}
		if back, ok := ParseCode(c.String()); !ok || back != c {
			t.Errorf("%v is read as %v", c, back)
		}
	}
}
