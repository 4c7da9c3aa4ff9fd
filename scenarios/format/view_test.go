package format

import (
	"testing"

	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// fakeView is a run of which B/t-0 is known, with the log [0-1]@0 2@0 3:reset@1 4-5@1 on b1, which leads.
type fakeView struct{ batches []*record.Batch }

func newFakeView() fakeView {
	reset, two := record.NewReset(), make([]record.Record, 2)
	one := make([]record.Record, 1)
	data := func(r []record.Record) *record.Batch {
		return record.NewData(record.NoProducer, -1, record.NoSequence, r)
	}
	return fakeView{[]*record.Batch{data(two).At(0, 0), data(one).At(2, 0), reset.At(3, 1), data(one).At(4, 1), data(one).At(5, 1)}}
}

func known(tp TP) bool { return tp.Cluster == "B" && tp.Partition == 0 }

func (v fakeView) Log(tp TP) (Log, bool) {
	switch {
	case tp.Cluster == "A" && tp.Node == "a0":
		return Log{Node: "a0"}, true
	case known(tp) && tp.Node != "b0":
		return Log{"b1", 0, 6, 5, 4, v.batches}, true
	}
	return Log{}, false
}

func (v fakeView) State(tp TP) record.State {
	if known(tp) {
		return record.Stopped
	}
	return record.Unknown
}

func (v fakeView) Failure(tp TP) (record.Reason, int) {
	if known(tp) {
		return record.SourceUnreachable, 2
	}
	return record.NoReason, 0
}

func (v fakeView) Described(m MirrorRef, tp TP) (Description, bool) {
	d := Description{record.WantStopped, record.Failed, record.StorageError, -1, -3, true, 7, -1}
	switch {
	case tp.Cluster == "A" && tp.Partition == 1:
		return Description{Lag: 5, Epoch: -1, Offset: 12}, true
	case m.Name == "m":
		d.Attempts = 4
	}
	return d, known(tp) || m.Name == "m"
}

func (v fakeView) Leader(tp TP) (string, bool) { return "b1", known(tp) }

func (v fakeView) TopicCode(step int, topic string) (wire.Code, bool) {
	return wire.InvalidRequest, topic == "t"
}

func (v fakeView) Position(tp TP) (int32, int64, bool) {
	switch tp.Partition {
	case 0:
		return 7, -1, known(tp)
	case 1:
		return -1, 12, true
	}
	return 0, 0, false
}

func (v fakeView) Committed(group string, tp TP) (int64, int32, bool) { return 7, 1, known(tp) }

func (v fakeView) GroupReads(string, TP) (int64, int64) { return 3, 2 }

func (v fakeView) Lag(tp TP) (int64, bool)         { return 3, known(tp) }
func (v fakeView) LeaderEpoch(tp TP) (int32, bool) { return 17, known(tp) }
func (v fakeView) ISR(tp TP) (int, bool)           { return 2, known(tp) }
func (v fakeView) Read(string) int64               { return 12 }
func (v fakeView) Listed(h Heading, _ TP) int64    { return int64(h) }
func (v fakeView) Code(step int) (wire.Code, bool) { return wire.ReadOnlyTopic, step == 1 }
func (v fakeView) Quiet() (string, bool)           { return "p waits for an answer", false }

func (v fakeView) Config(cluster, topic string, k record.ConfigKey) (string, bool) {
	if cluster == "B" && topic == "t" && k == record.RetentionMs {
		return "1000", true
	}
	return "", false
}

func (v fakeView) HasAcl(cluster string, a record.Acl) bool {
	return cluster == "B" && a == record.Acl{Name: "t", Principal: "alice"}
}

func (v fakeView) Passes(m MirrorRef) (int, int) {
	if m.Name == "n" {
		return 2, 3
	}
	return 0, 0
}

func (v fakeView) Violated(property string) (string, bool) {
	return "record 3 is gone", property == "durability"
}

// expectationTable is expectations of the fake view with what they say; nothing when they are met.
var expectationTable = []struct{ expect, want string }{
	{"log B/t-0=0-2@0 3:reset@1 4-5@1", ""},
	{"log B/t-0@b1=[0-1]@0 2@0 3:reset@1 4@1 5@1", ""},
	{"log B/t-0=0-1@0 2@0 3:reset@1 4-5@1", ""},
	{"log A/t-0@a0=empty", ""},
	{"log A/t-0@a0=0@0", "the log of A/t-0@a0 on a0 is empty"},
	{"log B/t-0=empty", "the log of B/t-0 on b1 is [0-1]@0 2@0 3:reset@1 4-5@1"},
	{"log B/t-0=0-2@0 3:reset@1 4@1", "the log of B/t-0 on b1 is [0-1]@0 2@0 3:reset@1 4-5@1"},
	{"log B/t-0=0-2@0 3:reset@1 4-6@1", "the log of B/t-0 on b1 is [0-1]@0 2@0 3:reset@1 4-5@1"},
	{"log B/t-0=1-2@0 3:reset@1 4-5@1", "the log of B/t-0 on b1 is [0-1]@0 2@0 3:reset@1 4-5@1"},
	{"log B/t-0=0-2@0 3@1 4-5@1", "the log of B/t-0 on b1 is [0-1]@0 2@0 3:reset@1 4-5@1"},
	{"log B/t-0=0-2@0 3:reset@2 4-5@2", "the log of B/t-0 on b1 is [0-1]@0 2@0 3:reset@1 4-5@1"},
	{"log B/t-0=[0-2]@0 3:reset@1 4-5@1", "the log of B/t-0 on b1 is [0-1]@0 2@0 3:reset@1 4-5@1"},
	{"log B/t-0=[0-1]@0 2@0 3:reset@1 [4-5]@1", "the log of B/t-0 on b1 is [0-1]@0 2@0 3:reset@1 4-5@1"},
	{"log A/t-0=0@0", "A/t-0 has no leader"},
	{"log B/t-0@b0=0@0", "there is no replica B/t-0@b0"},
	{"start B/t-0=0", ""},
	{"leo B/t-0=6", ""},
	{"hw B/t-0=5", ""},
	{"lso B/t-0=4", ""},
	{"leo B/t-0=5", "the log end offset of B/t-0 on b1 is 6"},
	{"hw B/t-0=6", "the high watermark of B/t-0 on b1 is 5"},
	{"lso B/t-0@b1=5", "the last stable offset of B/t-0@b1 on b1 is 4"},
	{"start B/t-0=1", "the log start offset of B/t-0 on b1 is 0"},
	{"leo A/t-0=0", "A/t-0 has no leader"},
	{"state B/t-0=STOPPED", ""},
	{"state A/t-0=STOPPED", "the state of A/t-0 is UNKNOWN"},
	{"attempts B/t-0=2", ""},
	{"attempts A/t-0=0", ""},
	{"attempts B/t-0=-1", "the attempts of B/t-0 are 2"},
	{"reason B/t-0=source-unreachable", ""},
	{"reason A/t-0=none", ""},
	{"reason B/t-0=none", "the reason of B/t-0 is source-unreachable"},
	{"described B/t-0 desired=stopped state=FAILED reason=storage-error attempts=-1 lag=-3 position=7", ""},
	{"described B/t-0 in n attempts=-1", ""},
	{"described B/t-0 in B/m attempts=4", ""},
	{"described B/t-0 in B/m attempts=-1", "B/t-0 was described with attempts=4"},
	{"described A/t-1 desired=none state=UNKNOWN reason=none attempts=0 lag=unknown position=12", ""},
	{"described A/t-1 lag=5", "A/t-1 was described with lag=unknown"},
	{"described B/t-0 lag=unknown", "B/t-0 was described with lag=-3"},
	{"described B/t-0 desired=mirroring", "B/t-0 was described with desired=stopped"},
	{"described B/t-0 reason=none", "B/t-0 was described with reason=storage-error"},
	{"described B/t-0 state=STOPPED", "B/t-0 was described with state=FAILED"},
	{"described B/t-0 position=-1", "B/t-0 was described with position=7"},
	{"described A/t-0 lag=0", "no describe of A/t-0 was answered"},
	{"lag B/t-0=3", ""},
	{"lag A/t-0=unknown", ""},
	{"lag A/t-0=0", "the lag of A/t-0 is unknown"},
	{"lag B/t-0=-3", "the lag of B/t-0 is 3"},
	{"leader B/t-0=b1", ""},
	{"leader A/t-0=none", ""},
	{"leader B/t-0=none", "the leader of B/t-0 is b1"},
	{"leader B/t-0=b0", "the leader of B/t-0 is b1"},
	{"leader A/t-0=a0", "the leader of A/t-0 is none"},
	{"isr B/t-0=2", ""},
	{"isr B/t-0=1", "the ISR of B/t-0 has 2 members"},
	{"reads r=12", ""},
	{"reads r=11", "r has read 12 records"},
	{"aborted B/t-0=0", ""},
	{"aborted B/t-0@b1=1", "the log of B/t-0@b1 on b1 has 0 ABORT markers"},
	{"aborted A/t-0=0", "A/t-0 has no leader"},
	{"epoch B/t-0=17", ""},
	{"epoch B/t-0!=16", ""},
	{"epoch B/t-0<18", ""},
	{"epoch B/t-0<=17", ""},
	{"epoch B/t-0>16", ""},
	{"epoch B/t-0>=17", ""},
	{"epoch B/t-0=16", "the leader epoch of B/t-0 is 17"},
	{"epoch B/t-0!=17", "the leader epoch of B/t-0 is 17"},
	{"epoch B/t-0<17", "the leader epoch of B/t-0 is 17"},
	{"epoch B/t-0<=16", "the leader epoch of B/t-0 is 17"},
	{"epoch B/t-0>17", "the leader epoch of B/t-0 is 17"},
	{"epoch B/t-0>=18", "the leader epoch of B/t-0 is 17"},
	{"epoch A/t-0=0", "A/t-0 does not exist"},
	{"lost A/t-0=0", ""},
	{"after A/t-0=1", ""},
	{"cut-by-stop A/t-0=2", ""},
	{"discarded A/t-0=3", ""},
	{"trimmed A/t-0=4", ""},
	{"copied-again A/t-0=5", ""},
	{"followed A/t-0=6", ""},
	{"unexplained A/t-0=7", ""},
	{"duplicates A/t-0=8", ""},
	{"turned-round A/t-0=9", ""},
	{"hanging A/t-0=10", ""},
	{"hanging A/t-0=0", "the loss report has 10 transactions of A/t-0 as hanging"},
	{"lost A/t-0=2", "the loss report has 0 records of A/t-0 as lost"},
	{"discarded A/t-0=0", "the loss report has 3 records of A/t-0 as discarded"},
	{"copied-again A/t-0=0", "the loss report has 5 records of A/t-0 as copied-again"},
	{"error 1=READ_ONLY_TOPIC", ""},
	{"error 1=NONE", "the result of step 1 is READ_ONLY_TOPIC"},
	{"error last/t=INVALID_REQUEST", ""},
	{"error 2/t=NONE", "the result of step 2 for topic t is INVALID_REQUEST"},
	{"position B/t-0=7", ""},
	{"position A/t-1=12", ""},
	{"position A/t-0=-1", ""},
	{"position B/t-0=0", "the last mirrored position of B/t-0 is epoch 7, offset -1"},
	{"position A/t-1=0", "the last mirrored position of A/t-1 is epoch -1, offset 12"},
	{"position A/t-0=0", "no last mirrored position of A/t-0 is stored"},
	{"config t on B retention.ms=1000", ""},
	{"config t on B cleanup.policy=", ""},
	{"config t on B retention.ms=", "retention.ms of t on B is 1000"},
	{"config t on B retention.ms=-1", "retention.ms of t on B is 1000"},
	{"config t on A cleanup.policy=compact,delete", "cleanup.policy of t on A is not set"},
	{"asked n=3", ""},
	{"asked B/n=0", "the last pass over B/n had 3 requests to the controller"},
	{"asked A/m=0", "no pass over A/m is done"},
	{"acl topic:t alice read on B", ""},
	{"acl topic:t alice read deny on B", "B has no ACL topic:t alice read deny"},
	{"no-acl group:t alice read on B", ""},
	{"no-acl topic:t alice read on A", ""},
	{"no-acl topic:t alice read on B", "B has the ACL topic:t alice read"},
	{"holds convergence", ""},
	{"holds durability", "durability is violated: record 3 is gone"},
}

func TestExpectations(t *testing.T) {
	for _, c := range expectationTable {
		t.Run(c.expect, func(t *testing.T) {
			s, err := Parse("x.scn", []byte(head+"start t in n\nexpect "+c.expect))
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Expect[0].String(); got != "expect "+c.expect {
				t.Errorf("printed %q", got)
			}
			got := ""
			if err := s.Expect[0].Do.Check(newFakeView()); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("\ngot  %q\nwant %q", got, c.want)
			}
		})
	}
	if err := (ErrorIs{Step: 2}).Check(newFakeView()); err == nil || err.Error() != "step 2 has no result yet" {
		t.Errorf("a pending step gives %v", err)
	}
}

func TestConditions(t *testing.T) {
	table := []struct {
		until, waits string
		met          bool
	}{
		{"state B/t-0=STOPPED", "the state of B/t-0 is STOPPED", true},
		{"state B/t-0=MIRRORING", "the state of B/t-0 is STOPPED", false},
		{"lag B/t-0=3", "the lag of B/t-0 is 3", true},
		{"lag B/t-0=0", "the lag of B/t-0 is 3", false},
		{"lag A/t-0=0", "the lag of A/t-0 is unknown", false},
		{"isr B/t-0=2", "the ISR of B/t-0 has 2 members", true},
		{"isr B/t-0=1", "the ISR of B/t-0 has 2 members", false},
		{"isr A/t-0=2", "the ISR of A/t-0 has 2 members", false},
		{"read r=12", "r has read 12 records", true},
		{"read r=11", "r has read 12 records", true},
		{"read r=13", "r has read 12 records", false},
		{"leo B/t-0=6", "", true},
		{"hw B/t-0=6", "the high watermark of B/t-0 on b1 is 5", false},
		{"lso B/t-0@b1=4", "", true},
		{"start B/t-0=1", "the log start offset of B/t-0 on b1 is 0", false},
		{"leader B/t-0=b1", "", true},
		{"leader B/t-0=none", "the leader of B/t-0 is b1", false},
		{"epoch B/t-0>=18", "the leader epoch of B/t-0 is 17", false},
		{"position B/t-0=7", "", true},
		{"attempts B/t-0=3", "the attempts of B/t-0 are 2", false},
		{"reason B/t-0=none", "the reason of B/t-0 is source-unreachable", false},
		{"config t on B retention.ms=1000", "", true},
		{"config t on A retention.ms=1000", "retention.ms of t on A is not set", false},
		{"passes n=2", "the passes over n are 2", true},
		{"passes B/n=1", "the passes over B/n are 2", true},
		{"passes A/m=1", "the passes over A/m are 0", false},
		{"acl topic:t alice read on B", "", true},
		{"no-acl topic:t alice read on B", "B has the ACL topic:t alice read", false},
		{"quiet", "p waits for an answer", false},
	}
	for _, c := range table {
		t.Run(c.until, func(t *testing.T) {
			s, err := Parse("x.scn", []byte(head+"until "+c.until))
			if err != nil {
				t.Fatal(err)
			}
			until := s.Steps[1].Do.(*Until)
			if waits, met := until.Cond.Met(newFakeView()); waits != c.waits || met != c.met {
				t.Errorf("%q, %v, want %q, %v", waits, met, c.waits, c.met)
			}
			if until.Limit() != DefaultWithin {
				t.Errorf("the limit is %v", until.Limit())
			}
		})
	}
}

func TestRunsOfMatchTheirLog(t *testing.T) {
	v := newFakeView()
	for n := range len(v.batches) + 1 {
		runs := RunsOf(v.batches[:n])
		for m := range len(v.batches) + 1 {
			if matches(runs, v.batches[:m]) != (n == m) {
				t.Errorf("%s matches the first %d batches: %v", AppendRuns(nil, runs), m, n != m)
			}
		}
	}
}
