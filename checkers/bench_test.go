package checkers

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// long is a history of some 100,000 events: produces on A under retention, mirrored to B, and read.
func long() []event.Event {
	b := &builder{}
	b.boot()
	b.start(clusterB, false, 0, event.AlignedToLME)
	sequence := int32(0)
	for len(b.events) < 100_000 {
		for range 10 {
			b.produce(p1, clusterA, b.data(p1, 1, 7, sequence))
			sequence++
		}
		b.catchUp(clusterB)
		for n := range b.logs {
			if low := b.end(0) - 100; low > b.starts[n] {
				for b.logs[n][0].Last < low {
					b.logs[n] = b.logs[n][1:]
				}
				b.on(event.StartMoved, id.Node(n), event.Event{Offset: low, End: b.starts[n]})
				b.starts[n] = low
			}
		}
	}
	return b.events
}

// BenchmarkSuite is the cost of one event, with every checker.
func BenchmarkSuite(b *testing.B) {
	events := long()
	s, err := NewSuite(topology)
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if i == len(events) {
			b.StopTimer()
			i = 0
			s, _ = NewSuite(topology)
			b.StartTimer()
		}
		s.Observe(&events[i])
		i++
	}
}

// BenchmarkLedger is the cost of one event without checkers.
func BenchmarkLedger(b *testing.B) {
	events := long()
	l := NewLedger(topology)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if i == len(events) {
			b.StopTimer()
			i = 0
			l = NewLedger(topology)
			b.StartTimer()
		}
		l.Fold(&events[i])
		i++
	}
}

// BenchmarkClone is the cost of a fork.
func BenchmarkClone(b *testing.B) {
	s, err := NewSuite(topology)
	if err != nil {
		b.Fatal(err)
	}
	events := f1().events
	for i := range events {
		s.Observe(&events[i])
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Clone()
	}
}
