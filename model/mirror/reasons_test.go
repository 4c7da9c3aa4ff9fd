package mirror_test

import (
	"slices"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/mirror"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// told answers the metadata request under way, as the source's broker does unless change says otherwise.
func (r *rig) told(change func(*wire.MetadataResponse)) {
	r.t.Helper()
	m, to := take[*wire.MetadataRequest](r)
	res := &wire.MetadataResponse{Partition: m.Partition, Leader: a0, LeaderEpoch: r.srcEpoch, Correlation: m.Correlation}
	change(res)
	r.message(to, res)
	r.pump()
}

func unknownTopic(m *wire.MetadataResponse) { m.Code, m.Leader = wire.UnknownTopicOrPartition, id.None }
func replaced(m *wire.MetadataResponse)     { m.Cluster = 2 }

// refreshes has the fetcher of b0, which is MIRRORING, ask for the source's leader; the answers are the test's to give.
func (r *rig) refreshes() {
	r.t.Helper()
	r.mute[wire.Metadata] = true
	r.answer(newestMirrorFetch(r), wire.FetchResponse{Code: wire.NotLeaderOrFollower})
	r.fire(mirror.TimerFetch)
}

// silent lets requests time out until the partition is FAILED, and answers how many did.
func (r *rig) silent(timer uint8) int {
	r.t.Helper()
	r.mute[wire.Metadata], r.mute[wire.Fetch], r.mute[wire.LastMirroredPosition] = true, true, true
	for n := 0; ; n++ {
		if r.stored.State == record.Failed || n == 20 {
			return n
		}
		same(r.t, "time-out", r.fire(timer).After, r.setting.FetchTimeout)
		r.pump()
	}
}

// starts is b0 with two records, at the start of tp in the mirror.
func starts(t *testing.T, prepare func(*rig), sets ...string) *rig {
	r := unbooted(t, sets...)
	r.holds(2, plain(0, 0, 2)...)
	prepare(r)
	r.boot()
	r.want(record.WantMirroring)
	r.pump()
	return r
}

// tiered has tiered storage on for the topic.
func tiered(r *rig) {
	r.metadata[len(r.metadata)-2] = &record.TopicRecord{Topic: tp.Topic, Name: "t", Partitions: 1, MinISR: 1, RemoteStorage: true}
}

// reason is a way in which a partition fails.
type reason struct {
	name     string
	fails    func(*testing.T) *rig
	previous record.State
	reason   record.Reason
	attempts int16
}

// reasons are the ways in which a partition fails.
var reasons = []reason{
	{"no broker answers the fetcher", func(t *testing.T) *rig {
		r := mirroring(t, plain(0, 0, 2))
		same(t, "time-outs of 2 s in 10 s", r.silent(mirror.TimerFetch), 5)
		return r
	}, record.Mirroring, record.SourceUnreachable, 1},
	{"no broker answers the lookup", func(t *testing.T) *rig {
		r := starts(t, func(r *rig) { r.mute[wire.LastMirroredPosition] = true })
		same(t, "time-outs of 2 s in 10 s", r.silent(mirror.TimerRetry), 5)
		return r
	}, record.Preparing, record.SourceUnreachable, 1},
	{"no broker answers the refresh", func(t *testing.T) *rig {
		r := starts(t, func(r *rig) {
			r.mute[wire.Metadata], r.stored = true, stored(record.EpochFencing)
		}, "epoch-floor", "fenced")
		same(t, "time-outs of 2 s in 10 s", r.silent(mirror.TimerFetch), 5)
		return r
	}, record.EpochFencing, record.SourceUnreachable, 1},
	{"corrupt batch", func(t *testing.T) *rig {
		r := mirroring(t, plain(0, 0, 2))
		r.corrupt()
		return r
	}, record.Mirroring, record.CorruptBatch, 1},
	{"above the source's leader epoch twice", func(t *testing.T) *rig {
		r := mirroring(t, plain(0, 0, 2))
		above := wire.FetchResponse{HighWatermark: 3, LogEnd: 3, Batches: plain(2, 1, 1)}
		r.answer(takeMirrorFetch(r), above)
		r.fire(mirror.TimerFetch) // refreshed, and no newer
		r.pump()
		same(t, "once", r.stored.State, record.Mirroring)
		r.answer(takeMirrorFetch(r), above)
		r.pump()
		return r
	}, record.Mirroring, record.StaleSource, 1},
	{"deleted", func(t *testing.T) *rig {
		r := mirroring(t, plain(0, 0, 2), "source-deleted", "fail")
		r.refreshes()
		r.told(unknownTopic)
		r.fire(mirror.TimerFetch)
		r.told(unknownTopic)
		return r
	}, record.Mirroring, record.SourceDeleted, -1},
	{"another cluster by metadata", func(t *testing.T) *rig {
		r := mirroring(t, plain(0, 0, 2))
		r.refreshes()
		r.told(replaced)
		return r
	}, record.Mirroring, record.SourceReplaced, -1},
	{"another cluster by metadata, fencing", func(t *testing.T) *rig {
		r := starts(t, func(r *rig) {
			r.mute[wire.Metadata], r.stored = true, stored(record.EpochFencing)
		}, "epoch-floor", "fenced")
		r.told(replaced)
		return r
	}, record.EpochFencing, record.SourceReplaced, -1},
}

// moreReasons are the rest of them.
var moreReasons = []reason{
	{"another cluster by lookup, before the cut to nothing", func(t *testing.T) *rig {
		return starts(t, func(r *rig) { r.lookup.Cluster = 2 })
	}, record.Preparing, record.SourceReplaced, -1},
	{"another cluster that answers an error", func(t *testing.T) *rig {
		return starts(t, func(r *rig) { r.lookup.Cluster, r.lookup.Code = 2, wire.NotCoordinator }, "lookup-failure", "minus-one")
	}, record.Preparing, record.SourceReplaced, -1},
	{"tiered storage, before alignment", func(t *testing.T) *rig {
		return starts(t, tiered)
	}, record.Preparing, record.RemoteStorage, -1},
	{"tiered storage, while MIRRORING", func(t *testing.T) *rig {
		return starts(t, func(r *rig) { tiered(r); r.stored = stored(record.Mirroring) })
	}, record.Mirroring, record.RemoteStorage, -1},
	{"diverged", func(t *testing.T) *rig {
		r := mirroring(t, plain(0, 0, 2), "divergence", "fail-or-recover")
		r.elected(join(plain(0, 0, 1), plain(1, 1, 1)))
		return r
	}, record.Mirroring, record.SourceDiverged, -1},
	{"the source ends below", func(t *testing.T) *rig {
		r := mirroring(t, plain(0, 0, 2), "divergence", "fail-or-recover")
		r.answer(takeMirrorFetch(r), wire.FetchResponse{Code: wire.OffsetOutOfRange, LogEnd: 1})
		r.pump()
		return r
	}, record.Mirroring, record.SourceDiverged, -1},
	{"reverse mirror", func(t *testing.T) *rig {
		return starts(t, func(r *rig) { r.lookup.Code = wire.InvalidClusterMirrorState })
	}, record.Preparing, record.ReverseActive, 1},
	{"no position", func(t *testing.T) *rig {
		return starts(t, func(*rig) {}, "lookup-missing", "fail")
	}, record.Preparing, record.PositionMissing, -1},
}

// TestReasons: how each reason comes, in which state, and whether FAILED is tried again by itself. What is known of the
// log stays as it is: nothing is cut for a failure.
func TestReasons(t *testing.T) {
	for _, row := range slices.Concat(reasons, moreReasons) {
		t.Run(row.name, func(t *testing.T) {
			r := row.fails(t)
			same(t, "failed", append(r.failure(), r.stored.Previous), []any{record.Failed, row.reason, row.attempts, row.previous})
			same(t, "log", []any{r.strip(), len(r.kinds(event.Truncated))}, []any{"0@0 1@0", 0})
			if _, fetches := r.armed(mirror.TimerFetch); fetches {
				t.Error("a fetch timer is armed")
			}
			_, again := r.armed(mirror.TimerFailure)
			same(t, "tried again by itself", []any{again, row.reason.Retryable()}, []any{row.attempts > 0, row.attempts > 0})
			_, lag := r.describe()
			same(t, "lag", lag, "unknown")
			same(t, "produce", r.produce(), wire.ReadOnlyTopic)
		})
	}
}

// TestSilenceInARow: an answer in between, of any kind, is one; so is a state in which nothing is asked.
func TestSilenceInARow(t *testing.T) {
	for name, between := range map[string]func(*rig){
		"no leader": func(r *rig) {
			r.told(func(m *wire.MetadataResponse) { m.Code, m.Leader = wire.LeaderNotAvailable, id.None })
			r.fire(mirror.TimerFetch) // the back-off, which is no time-out
		},
		"a pause": func(r *rig) {
			r.want(record.WantPaused)
			r.pump()
			r.want(record.WantMirroring)
			r.pump()
		},
	} {
		r := mirroring(t, plain(0, 0, 2))
		r.mute[wire.Metadata] = true
		for range 4 {
			r.sent = nil
			r.fire(mirror.TimerFetch)
		}
		between(r)
		for range 4 {
			same(t, name+": not yet", r.stored.State, record.Mirroring)
			r.fire(mirror.TimerFetch)
			r.pump()
		}
		same(t, name+": not yet", r.stored.State, record.Mirroring)
		r.fire(mirror.TimerFetch)
		r.pump()
		same(t, name, r.stored.State, record.Failed)
	}
}

// TestSilenceOfLookups: an answer in between, though it is no good, ends the silence.
func TestSilenceOfLookups(t *testing.T) {
	r := newRig(t)
	r.mute[wire.LastMirroredPosition] = true
	r.want(record.WantMirroring)
	r.pump()
	for round := range 2 {
		for range 4 {
			r.sent = nil
			r.fire(mirror.TimerRetry)
			r.pump()
		}
		same(t, "not yet", r.stored.State, record.Preparing)
		if round == 0 {
			m, to := take[*wire.LastMirroredPositionRequest](r)
			r.message(to, &wire.LastMirroredPositionResponse{Partition: tp, Code: wire.CoordinatorLoadInProgress, Epoch: -1, Offset: -1, Correlation: m.Correlation})
			r.fire(mirror.TimerRetry) // the back-off, which is no time-out
			r.pump()
		}
	}
	r.fire(mirror.TimerRetry)
	r.pump()
	same(t, "in the end", r.failure(), []any{record.Failed, record.SourceUnreachable, int16(1)})
}

// TestStaleOnce: a batch above the source's leader epoch, twice, with a good fetch in between, is not stale metadata that
// no refresh helps.
func TestStaleOnce(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	for epoch := int32(1); epoch < 3; epoch++ {
		end := r.end()
		r.answer(newestMirrorFetch(r), wire.FetchResponse{HighWatermark: end + 1, LogEnd: end + 1, Batches: plain(end, epoch, 1)})
		r.source, r.srcEpoch = join(r.source, plain(end, epoch, 1)), epoch
		r.fire(mirror.TimerFetch)
		r.pump()
		same(t, "refreshed", []any{r.stored.State, r.end()}, []any{record.Mirroring, end + 1})
	}
}

// TestSourceComesBack is case S9 in small: FAILED as unreachable, then reached: the first retry fetches on, attempts 0.
func TestSourceComesBack(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2))
	r.silent(mirror.TimerFetch)
	r.mute = map[wire.API]bool{}
	r.source, r.sent = plain(0, 0, 4), nil
	r.fire(mirror.TimerFailure)
	r.pump()
	same(t, "back", []any{r.stored.State, r.stored.Attempts, r.strip()}, []any{record.Mirroring, int16(0), "0@0 1@0 2@0 3@0"})
	same(t, "nothing is looked up", len(r.kinds(event.LookupReturned)), 0)
}

// TestSourceDeleted is D24: what happens when each of the source's two brokers has said in turn that it does not know the
// topic. A stop is the controller's to write down: it is asked for one, and again with every round.
func TestSourceDeleted(t *testing.T) {
	for option, want := range map[string][]any{
		"stop": {record.Mirroring, 2}, "fail": {record.Failed, 0}, "stay": {record.Mirroring, 0},
	} {
		t.Run(option, func(t *testing.T) {
			r := mirroring(t, plain(0, 0, 2), "source-deleted", option)
			r.refreshes()
			stops := 0
			for round := range 2 {
				r.told(unknownTopic)
				none[*wire.MirrorTopicsRequest](r, "one broker has said so")
				same(t, "one broker has said so", r.stored.State, record.Mirroring)
				r.fire(mirror.TimerFetch)
				r.told(unknownTopic)
				if option == "stop" {
					m, to := take[*wire.MirrorTopicsRequest](r)
					same(t, "request", []any{to, m.Action, m.Mirror, m.Topics, m.Deleted, m.Client},
						[]any{bC0, wire.StopMirrorTopics, mirrorM, []id.Topic{tp.Topic}, true, b0})
					r.message(bC0, &wire.MirrorTopicsResponse{Code: wire.NotController, Client: b0, Correlation: m.Correlation})
					none[*wire.MirrorTopicsResponse](r, "it has asked itself")
					stops++
				}
				if option == "fail" || round == 1 {
					break
				}
				r.fire(mirror.TimerFetch)
			}
			same(t, "state and stops", []any{r.stored.State, stops}, want)
			none[*wire.MirrorTopicsRequest](r, "nobody asks for more")
			same(t, "log", r.strip(), "0@0 1@0")
			r.stop()
			same(t, "stopped", []any{r.stored.State, r.produce()}, []any{record.Stopped, wire.OK})
		})
	}
}

// TestSourceDeletedBeforeAlignment: a lookup that is answered so is counted alike, and never taken for -1.
func TestSourceDeletedBeforeAlignment(t *testing.T) {
	for option, want := range map[string]record.State{"stop": record.Preparing, "fail": record.Failed, "stay": record.Preparing} {
		r := unbooted(t, "source-deleted", option, "lookup-failure", "minus-one")
		r.holds(2, plain(0, 0, 2)...)
		r.boot()
		r.lookup.Code = wire.UnknownTopicOrPartition
		r.want(record.WantMirroring)
		r.pump()
		same(t, option+": one broker has said so", r.stored.State, record.Preparing)
		r.fire(mirror.TimerRetry)
		r.pump()
		same(t, option, []any{r.stored.State, r.strip()}, []any{want, "0@0 1@0"})
		if option == "stop" {
			m, _ := take[*wire.MirrorTopicsRequest](r)
			same(t, "deleted", m.Deleted, true)
		}
		none[*wire.MirrorTopicsRequest](r, option)
	}
}

// TestPartitionMissing: the source has fewer partitions. When each of its brokers has said so in turn the partition is FAILED, with
// its log as it is whatever D13 says, and goes on once the source has been grown.
func TestPartitionMissing(t *testing.T) {
	r := unbooted(t, "lookup-failure", "minus-one")
	r.holds(2, plain(0, 0, 2)...)
	r.boot()
	lacks := func(code wire.Code) { r.lookup.Code, r.lookup.Lacks = code, code == wire.LeaderNotAvailable }
	lacks(wire.LeaderNotAvailable)
	r.want(record.WantMirroring)
	r.pump()
	same(t, "one broker has said so", r.stored.State, record.Preparing)
	r.fire(mirror.TimerRetry)
	r.pump()
	same(t, "both", []any{r.stored.State, r.stored.Reason, r.stored.Attempts, r.strip()},
		[]any{record.Failed, record.PartitionMissing, int16(1), "0@0 1@0"})
	lacks(wire.OK)
	r.source = plain(0, 0, 2)
	r.fire(mirror.TimerFailure)
	r.pump()
	same(t, "the source has it now", r.stored.State, record.Mirroring)
}

// TestLookupNotDeleted: between two lookups that are answered so there is one that is not.
func TestLookupNotDeleted(t *testing.T) {
	r := newRig(t, "source-deleted", "fail")
	r.lookup.Code = wire.UnknownTopicOrPartition
	r.want(record.WantMirroring)
	r.pump()
	for _, code := range []wire.Code{wire.CoordinatorLoadInProgress, wire.UnknownTopicOrPartition} {
		r.lookup.Code = code
		r.fire(mirror.TimerRetry)
		r.pump()
	}
	same(t, "state", r.stored.State, record.Preparing)
}

// TestNotDeleted: one broker that does not know the topic may have old metadata, however often it says so: the other one
// knows it, does not know its leader, or does not answer.
func TestNotDeleted(t *testing.T) {
	for name, other := range map[string]func(*rig){
		"knows it": func(r *rig) { r.told(func(*wire.MetadataResponse) {}); r.refreshes() },
		"has no leader": func(r *rig) {
			r.told(func(m *wire.MetadataResponse) { m.Code = wire.LeaderNotAvailable })
			r.fire(mirror.TimerFetch)
		},
		"does not reply": func(r *rig) { take[*wire.MetadataRequest](r); r.fire(mirror.TimerFetch) },
	} {
		r := mirroring(t, plain(0, 0, 2), "source-deleted", "fail")
		r.refreshes()
		for range 3 {
			r.told(unknownTopic)
			r.fire(mirror.TimerFetch)
			other(r)
		}
		same(t, name, r.stored.State, record.Mirroring)
	}
}

// TestInPlace is D36=in-place: no FAILED is stored; the state is kept and tried again after the same back-off, retryable or
// not, as nothing else would bring it on. The attempts are counted anew after the first good fetch.
func TestInPlace(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2), "failure-state", "in-place")
	for i := range id.Duration(10) {
		r.corrupt()
		state, _ := r.describe()
		same(t, "state", state, record.Mirroring)
		none[*wire.FetchRequest](r, "before the back-off")
		op := r.fire(mirror.TimerRetry)
		same(t, "back-off", []id.Duration{op.After, op.Jitter}, []id.Duration{min(id.Second<<i, 300*id.Second), min(id.Second<<i, 300*id.Second) / 5})
		r.pump()
	}
	r.source = plain(0, 0, 4)
	r.pump()
	same(t, "log and writes", []any{r.strip(), r.writes}, []any{"0@0 1@0 2@0 3@0", []string(nil)})
	r.corrupt()
	same(t, "back-off after a good fetch", r.fire(mirror.TimerRetry).After, id.Second)
	r.pump()
	r.refreshes()
	r.told(replaced)
	same(t, "back-off of what is not retryable", r.fire(mirror.TimerRetry).After, 2*id.Second)
	r.told(func(*wire.MetadataResponse) {})
	r.source = plain(0, 0, 5)
	r.pump()
	same(t, "log and writes", []any{r.strip(), r.writes}, []any{"0@0 1@0 2@0 3@0 4@0", []string(nil)})
}

// TestInPlaceBeforeAlignment: PREPARING is begun again without another run, and a stop does not wait for it.
func TestInPlaceBeforeAlignment(t *testing.T) {
	for _, stops := range []bool{false, true} {
		r := newRig(t, "failure-state", "in-place")
		r.lookup.Code = wire.InvalidClusterMirrorState
		r.want(record.WantMirroring)
		r.pump()
		r.fire(mirror.TimerRetry)
		r.pump()
		same(t, "tried again", []any{r.writes, r.stored.Run, len(r.kinds(event.LookupReturned))}, []any{[]string{"PREPARING"}, int32(1), 2})
		if stops {
			r.stop()
			same(t, "stopped", r.writes, []string{"PREPARING", "STOPPING", "STOPPED"})
			continue
		}
		r.lookup = found(0, -1)
		r.fire(mirror.TimerRetry)
		r.pump()
		same(t, "in the end", r.writes, []string{"PREPARING", "MIRRORING"})
	}
}

// TestInPlaceWhileReading: the failure comes while a coordinator that has moved is asked. The back-off does not make it
// forgotten: the state is read and asserted then.
func TestInPlaceWhileReading(t *testing.T) {
	r := mirroring(t, plain(0, 0, 2), "failure-state", "in-place")
	r.mute[wire.ReadMirrorStates] = true
	r.meta(coordinatorMoved())
	r.corrupt()
	r.sent = nil
	r.mute[wire.ReadMirrorStates] = false
	r.fire(mirror.TimerRetry)
	r.pump()
	same(t, "writes", r.writes, []string{"MIRRORING"})
	takeMirrorFetch(r)
}

// TestStopOutlivesItsSource: an order of D3 stops the fetcher late. Its failure in STOPPING, before or behind an early
// STOPPED (D27), ends the fetcher and nothing else: each step is done once, and the reset stands before the topic is
// writable.
func TestStopOutlivesItsSource(t *testing.T) {
	for _, stoppedWhen := range []string{"after-reset", "before-reset"} {
		for _, failure := range []string{"failed", "in-place"} {
			t.Run(stoppedWhen+"/"+failure, func(t *testing.T) {
				r := stopping(t, plain(0, 0, 2), "stop-order", "record,bump,transactions,reset,fetchers", "stopped-when", stoppedWhen,
					"failure-state", failure)
				r.follower, r.mute[wire.BumpLeaderEpoch], r.mute[wire.Fetch] = false, false, true
				r.pump()
				same(t, "the reset is not acknowledged", r.strip(), "0@0 1@0 2@1:reset")
				r.fire(mirror.TimerFetch) // the fetch at 2 is given up
				r.pump()
				r.corrupt()
				same(t, "fetchers", len(r.kinds(event.MirrorFetchStopped)) > 0, true)
				same(t, "produce", r.produce(), wire.ReadOnlyTopic)
				r.follower = true
				r.pump()
				same(t, "writes", r.writes, []string{"STOPPING", "position 0,-1", "STOPPED"})
				same(t, "steps", r.steps(), []string{"record", "bump", "transactions", "reset", "fetchers"})
				same(t, "in the end", []any{r.strip(), r.produce()}, []any{"0@0 1@0 2@1:reset", wire.OK})
			})
		}
	}
}
