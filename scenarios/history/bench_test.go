package history

import (
	"bytes"
	"io"
	"os"
	"testing"

	"mirrorsim/model/event"
)

// readBench reads the history of F4 with an action for each line.
func readBench(b *testing.B, each func(*event.Event)) (n int) {
	b.Helper()
	text, err := os.ReadFile("testdata/f4.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	r, err := NewReader("f4.jsonl", bytes.NewReader(text))
	if err != nil {
		b.Fatal(err)
	}
	for {
		l, err := r.Next()
		if err == io.EOF {
			return n
		}
		if err != nil {
			b.Fatal(err)
		}
		if n++; l.Event != nil {
			each(l.Event)
		}
	}
}

// BenchmarkRead reads lines; lines/s is what one core takes in.
func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	lines := 0
	for b.Loop() {
		lines += readBench(b, func(*event.Event) {})
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkWrite writes the same lines.
func BenchmarkWrite(b *testing.B) {
	text, err := os.ReadFile("testdata/f4.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	r, err := NewReader("f4.jsonl", bytes.NewReader(text))
	if err != nil {
		b.Fatal(err)
	}
	var events []event.Event
	readBench(b, func(e *event.Event) { events = append(events, *e) })
	w, t := NewWriter(io.Discard, ""), r.Topology()
	w.Begin(&t, r.names.role)
	b.ReportAllocs()
	lines := 0
	for b.Loop() {
		for i := range events {
			w.Event(&events[i])
		}
		lines += len(events)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
}
