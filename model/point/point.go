package point

import (
	"fmt"
	"strings"
)

// Point is a named place of the protocol.
type Point uint8

// The points. The order of the stop's points follows no revision: each is reached when its step is done.
const (
	None             Point = iota
	StateStored            // a state is stored, its action has not begun
	LookupAnswered         // the last mirrored position is known, nothing is cut yet
	LogAligned             // the leader has cut its log, the replicas have not followed yet
	ReplicasFollowed       // all that alignment waits for have followed
	FetcherRemoved         // stop: no mirror fetch is under way any more
	PositionRecorded       // stop: the position is in __mirror_state, as D6 says
	EpochBumped            // stop: the bump is done, as D28 says
	TransactionsDone       // stop: no transaction is open any more, as D4 says
	ProducersReset         // stop: the reset is acknowledged, STOPPED is not stored yet
	StateChosen            // a leader has decided for a state, its write is not sent (only where a state is persisted first)
	StateAppended          // coordinator: a state or position is appended, its writer is not answered
	LoadBegun              // coordinator: a load begins, nothing is replayed yet
	LoadReplayed           // coordinator: a load has replayed the log, nothing is answered yet
	BumpAppended           // metadata log: a bump is appended, nobody has heard of it
	BumpApplied            // controller: a bump is appended and applied, its leader is not answered
	EndPrepared            // transaction coordinator: an end is stored and answered, its markers are not sent
	Points           int   = iota
)

var names = [Points]string{"none", "state.stored", "alignment.lookup-answered", "alignment.log-aligned",
	"alignment.replicas-followed", "stop.fetcher-removed", "stop.position-recorded", "stop.epoch-bumped",
	"stop.transactions-done", "stop.producers-reset", "state.chosen", "coordinator.state-appended",
	"coordinator.load-begun", "coordinator.load-replayed", "bump.appended", "bump.applied", "transaction.end-prepared"}

// docs say what has happened when a point is reached.
var docs = [Points]string{
	StateStored:      "a state is stored, and its action has not begun",
	LookupAnswered:   "PREPARING: the last mirrored position is known, and nothing is cut yet",
	LogAligned:       "PREPARING: the leader has cut its log, and the replicas have not followed yet",
	ReplicasFollowed: "PREPARING: all that alignment waits for have followed, and MIRRORING is not stored yet",
	FetcherRemoved:   "stop: no mirror fetch is under way any more",
	PositionRecorded: "stop: the last mirrored position is in __mirror_state, or on its way there (D6)",
	EpochBumped:      "stop: the leader epoch is raised, as D28 says",
	TransactionsDone: "stop: no transaction is open any more, or as D4 says",
	ProducersReset:   "stop: the reset is acknowledged, and STOPPED is not stored yet",
	StateChosen:      "a leader has decided for a state, and its write is not sent (persist-order=persist-first only)",
	StateAppended:    "coordinator: a state or position is appended, and its writer is not answered",
	LoadBegun:        "coordinator: a load begins, and nothing is replayed yet",
	LoadReplayed:     "coordinator: a load has replayed the log, and nothing is answered yet",
	BumpAppended:     "metadata log: a bump is appended, and nobody has heard of it",
	BumpApplied:      "controller: a bump is appended and applied, and the leader is not answered",
	EndPrepared:      "transaction coordinator: an end is stored and answered, and its markers are not sent",
}

// String is the point's name in scenario files, such as "stop.position-recorded".
func (p Point) String() string {
	if int(p) < Points {
		return names[p]
	}
	return "?"
}

// Progress tells whether a partition has come a step further there. The other points lie within such a step, or at whom the
// partition's leader has asked: a coordinator, the controller, the metadata log.
func (p Point) Progress() bool { return p >= StateStored && p <= ProducersReset }

// OfStop tells whether a step of the stop is done there.
func (p Point) OfStop() bool { return p >= FetcherRemoved && p <= ProducersReset }

// OfBroker tells whether brokers reach the point; the others are those of a controller and of the metadata log.
func (p Point) OfBroker() bool { return p != None && p != BumpAppended && p != BumpApplied }

// Doc says what has happened when the point is reached.
func (p Point) Doc() string {
	if int(p) < Points {
		return docs[p]
	}
	return ""
}

// Parse is the point of that name.
func Parse(s string) (Point, error) {
	for i, n := range names {
		if n == s && i > 0 {
			return Point(i), nil
		}
	}
	return None, fmt.Errorf("no point is called %q; there are %s", s, strings.Join(names[1:], ", "))
}
