package plog

import (
	"testing"

	"mirrorsim/scenarios/apart"
)

// A log's state tells apart whatever its future depends on (architecture, "Forks"), but for its files, which are the disk's. A
// producer entry has as many batches as it counts.
func TestStateTellsFieldsApart(t *testing.T) {
	apart.Found(t, 20)(apart.Collisions(func() *Log {
		return &Log{ended: make([]transaction, 1), state: producerState{producers: make([]producer, 1), open: make([]OpenTransaction, 1)}}
	}, func(l *Log) []byte { return l.AppendState(nil) }, ".state.producers.count"))
	states := map[string]bool{}
	for _, p := range []producer{{}, {count: 1}, {count: 2}, {count: 1, batches: [remembered]producerBatch{{firstSequence: 1}}},
		{count: 1, batches: [remembered]producerBatch{{lastSequence: 1}}}, {count: 1, batches: [remembered]producerBatch{{base: 1}}},
		{count: 1, batches: [remembered]producerBatch{{last: 1}}}} {
		states[string((&producerState{producers: []producer{p}}).AppendState(nil))] = true
	}
	if len(states) != 7 {
		t.Errorf("seven entries make %d states", len(states))
	}
}
