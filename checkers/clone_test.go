package checkers

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// At every event of F1 a clone is made; original and clone go on to the same verdicts and the same state, and neither
// sees what the other observes meanwhile.
func TestCloneIsIndependent(t *testing.T) {
	events := f1().events
	want := judge(t, events)
	for cut := 0; cut <= len(events); cut += 7 {
		original, err := NewSuite(topology)
		if err != nil {
			t.Fatal(err)
		}
		for i := range events[:cut] {
			original.Observe(&events[i])
		}
		clone := original.Clone()
		before := clone.AppendState(nil)
		for i := cut; i < len(events); i++ {
			original.Observe(&events[i])
		}
		if !bytes.Equal(before, clone.AppendState(nil)) {
			t.Fatalf("the original's events from %d on show in the clone", cut)
		}
		after := original.AppendState(nil)
		for i := cut; i < len(events); i++ {
			clone.Observe(&events[i])
		}
		if !bytes.Equal(after, original.AppendState(nil)) {
			t.Fatalf("the clone's events from %d on show in the original", cut)
		}
		if !bytes.Equal(after, clone.AppendState(nil)) {
			t.Fatalf("clone and original of %d events came to different states", cut)
		}
		original.Finish()
		clone.Finish()
		if d := cmp.Diff(want.Verdicts(), clone.Verdicts()) + cmp.Diff(want.Verdicts(), original.Verdicts()); d != "" {
			t.Fatalf("after a clone at %d: %s", cut, d)
		}
	}
}

// A clone and its original that see different things come to the states of runs that saw only these.
func TestClonesPartWays(t *testing.T) {
	ways := []func(b *builder){
		func(b *builder) {
			b.emit(event.Event{Kind: event.Crashed, Node: b0})
			b.elect(clusterA, a0, event.EpochBump)
			b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
			b.emit(event.Event{Kind: event.Asserted, Node: b0})
			b.elect(clusterB, b1, event.CleanElection)
			b.store(clusterB, 5)
		},
		func(b *builder) {
			b.produce(p2, clusterA, b.data(p2, 2, 8, 0))
			b.elect(clusterA, a0, event.EpochBump)
			b.emit(event.Event{Kind: event.Asserted, Node: b1})
			b.elect(clusterB, b0, event.EpochBump)
			b.produce(p1, clusterA, b.data(p1, 1, 7, 3))
			b.stopMirror(clusterB)
			b.consume(r1, clusterB, 0)
		},
	}
	// The arrays of the lists that both sides share have room left: an append there must not show on the other side.
	begun := func() *builder {
		b := mirrored()
		for range 6 {
			b.emit(event.Event{Kind: event.Asserted, Node: a0})
			b.elect(clusterA, a0, event.EpochBump)
			b.append(a0, b.data(p1, 1, -1, -1), event.FromClient)
		}
		b.replicate(clusterA)
		return b
	}
	begin, err := NewSuite(topology)
	if err != nil {
		t.Fatal(err)
	}
	stem := begun().events
	for i := range stem {
		begin.Observe(&stem[i])
	}
	suites := []*Suite{begin, begin.Clone()}
	var rest [2][]event.Event
	for k, way := range ways {
		b := begun()
		way(b)
		rest[k] = b.events[len(stem):]
	}
	for i := range max(len(rest[0]), len(rest[1])) {
		for k, s := range suites {
			if i < len(rest[k]) {
				s.Observe(&rest[k][i])
			}
		}
	}
	for k, s := range suites {
		s.Finish()
		want := judge(t, append(begun().events, rest[k]...))
		if !bytes.Equal(s.AppendState(nil), want.AppendState(nil)) {
			t.Errorf("way %d came to another state than alone", k)
		}
		if d := cmp.Diff(want.Verdicts(), s.Verdicts()); d != "" {
			t.Errorf("way %d: %s", k, d)
		}
		r, w := s.Ledger().Log(a0, t0), want.Ledger().Log(a0, t0)
		if d := cmp.Diff(w.Batches(), r.Batches()) + cmp.Diff(w.Epochs(), r.Epochs()); d != "" {
			t.Errorf("way %d, log of a0: %s", k, d)
		}
	}
}

// A state that two histories share is the same whatever their times and indexes are.
func TestStateHasNoTimesAndIndexes(t *testing.T) {
	events := f1().events
	a, b := judge(t, events), (*Suite)(nil)
	for i := range events {
		events[i].Index += 1000
		events[i].At *= 3
	}
	b = judge(t, events)
	if !bytes.Equal(a.AppendState(nil), b.AppendState(nil)) {
		t.Error("times or indexes are in the state")
	}
}

func TestStateTellsHistoriesApart(t *testing.T) {
	base := judge(t, mirrored().events).AppendState(nil)
	for name, more := range map[string]func(b *builder){
		"an append":         func(b *builder) { b.append(a0, b.data(p1, 1, -1, -1), event.FromClient) },
		"a high watermark":  func(b *builder) { b.highWatermark(b0, 2) },
		"a call":            func(b *builder) { b.call(p1, clusterA, b.data(p1, 1, 7, 3), acksAll) },
		"an intent":         func(b *builder) { b.intent(clusterB, 3) },
		"a leader epoch":    func(b *builder) { b.elect(clusterA, a0, event.EpochBump) },
		"an ISR":            func(b *builder) { b.register(clusterA, event.IsrChange, id.SetOf(a0)) },
		"a read":            func(b *builder) { b.consume(r1, clusterA, 0) },
		"a read under way":  func(b *builder) { b.on(event.StateReadCalled, b0, event.Event{Mirror: mirrorM}) },
		"a crash":           func(b *builder) { b.on(event.Crashed, b1, event.Event{}) },
		"a state":           func(b *builder) { b.store(clusterB, 5) },
		"a fetch answered":  func(b *builder) { b.fetch(clusterB, true) },
		"a log start":       func(b *builder) { b.on(event.StartMoved, a0, event.Event{Offset: 1}) },
		"an acknowledgment": func(b *builder) { b.produce(p1, clusterA, b.data(p1, 1, 7, 3)) },
	} {
		b := mirrored()
		more(b)
		if bytes.Equal(base, judge(t, b.events).AppendState(nil)) {
			t.Errorf("%s does not show in the state", name)
		}
	}
}

// What a stop under way has noted, and what was heard of the source, shows in the state though nothing asks for it yet: an
// exploration that merges by the state found that a stop with another source epoch was the same.
func TestStateHasWhatIsAskedForLater(t *testing.T) {
	events := mirrored().events
	state := func(change func(*clusterPart)) []byte {
		s := judge(t, events)
		cp := s.Ledger().part(t0).in[clusterB]
		cp.stop.active, cp.heard.known = true, true
		change(cp)
		return s.AppendState(nil)
	}
	base := state(func(*clusterPart) {})
	for name, change := range map[string]func(*clusterPart){
		"the source's epoch at the stop": func(cp *clusterPart) { cp.stop.sourceEpoch++ },
		"the mirror that is stopped":     func(cp *clusterPart) { cp.stop.mirror++ },
		"its run":                        func(cp *clusterPart) { cp.stop.run++ },
		"the first own batch":            func(cp *clusterPart) { cp.stop.fixed = !cp.stop.fixed },
		"the source's epoch as heard":    func(cp *clusterPart) { cp.heard.sourceEpoch++ },
	} {
		if bytes.Equal(base, state(change)) {
			t.Errorf("%s does not show in the state", name)
		}
	}
}

// With retention the memory of a suite does not grow with the run: the log starts move up behind the log ends.
func TestMemoryIsBoundedUnderRetention(t *testing.T) {
	s, err := NewSuite(topology)
	if err != nil {
		t.Fatal(err)
	}
	b := &builder{}
	b.boot()
	feed := func() {
		for i := range b.events {
			s.Observe(&b.events[i])
		}
		b.events = b.events[:0]
	}
	sequence := int32(0)
	round := func() {
		for range 10 {
			b.produce(p1, clusterA, b.data(p1, 1, 7, sequence))
			sequence++
		}
		b.consume(r1, clusterA, b.end(a0)-10)
		for _, n := range brokers(clusterA) {
			low := b.end(n) - 20
			if low <= b.starts[n] {
				continue
			}
			for b.logs[n][0].Last < low {
				b.logs[n] = b.logs[n][1:]
			}
			b.on(event.StartMoved, n, event.Event{Offset: low, End: b.starts[n]})
			b.starts[n] = low
		}
		feed()
	}
	for range 10 {
		round()
	}
	early := len(s.AppendState(nil))
	for range 200 {
		round()
	}
	if late := len(s.AppendState(nil)); late > early {
		t.Errorf("the state has grown from %d to %d bytes", early, late)
	}
	pt := s.Ledger().part(t0)
	for _, n := range brokers(clusterA) {
		if x := pt.replicas[n]; cap(x.log) > 200 || len(x.log) != 20 {
			t.Errorf("%d batches in room for %d on %s", len(x.log), cap(x.log), topology.Names.Node(n))
		}
	}
	if acked := pt.in[clusterA].acked; cap(acked) > 200 {
		t.Errorf("%d acknowledgements in room for %d", len(acked), cap(acked))
	}
	wantClean(t, s)
}

// A mirror that is created in a clone, where one was deleted before, is none of the original's.
func TestClonesCreateMirrors(t *testing.T) {
	original := judge(t, mirrored().events).ledger
	of := func(l *Ledger) id.Cluster { return l.source(clusterB, mirrorM) }
	fold := func(l *Ledger, k event.Kind) {
		l.foldMetadata(&event.Event{Kind: k, Node: bLog, Mirror: mirrorM, To: uint8(clusterA)})
	}
	fold(original, event.MirrorRemoved)
	clone := original.Clone()
	fold(clone, event.MirrorCreated)
	if of(original) != noCluster || of(clone) != clusterA {
		t.Errorf("the mirror's source is %d in the original and %d in the clone, want %d and %d", of(original), of(clone), noCluster, clusterA)
	}
}

// What the waits and expectations of a scenario ask for tells states apart.
func TestStateSeesWhatIsAskedFor(t *testing.T) {
	pass := func(l *Ledger) { l.foldSynced(&event.Event{Mirror: mirrorM}, clusterB) }
	begun := func() *Ledger {
		l := judge(t, mirrored().events).ledger
		pass(l)
		l.groupReads(r1, 0).on = []groupOn{{cluster: clusterB}}
		return l
	}
	before := string(begun().AppendState(nil))
	for name, change := range map[string]func(l *Ledger, cp *clusterPart){
		"a pass":               func(l *Ledger, _ *clusterPart) { pass(l) },
		"a source":             func(l *Ledger, _ *clusterPart) { l.sources[clusterB] = []id.Cluster{noCluster, noCluster} },
		"a description":        func(_ *Ledger, cp *clusterPart) { cp.described = []Description{{Mirror: mirrorM}} },
		"a failure":            func(_ *Ledger, cp *clusterPart) { cp.failure.attempts++ },
		"a record read again":  func(l *Ledger, _ *clusterPart) { l.groupReads(r1, 0).on[0].again++ },
		"a record passed over": func(l *Ledger, _ *clusterPart) { l.groupReads(r1, 0).on[0].skipped++ },
	} {
		l := begun()
		change(l, l.parts[0].in[clusterB])
		if string(l.AppendState(nil)) == before {
			t.Errorf("%s does not show in the state", name)
		}
	}
}
