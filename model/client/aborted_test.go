package client

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// TestReadCommittedHides: the application gets no control batch and no batch of an aborted transaction, per producer from its
// first offset to the ABORT marker.
func TestReadCommittedHides(t *testing.T) {
	data := func(pid int64) *record.Batch {
		return record.NewData(pid, 0, 0, []record.Record{{Key: 1, Value: 1}}).InTransaction()
	}
	plain := record.NewData(7, 0, 0, []record.Record{{Key: 1, Value: 2}})
	abort := func(pid int64) *record.Batch { return record.NewMarker(record.Abort, pid, 1, 0) }
	txn := func(pid, first int64) wire.AbortedTransaction {
		return wire.AbortedTransaction{ProducerID: pid, First: first}
	}
	for _, row := range []struct {
		name    string
		log     []*record.Batch
		aborted []wire.AbortedTransaction
		want    string // x: hidden, o: given
	}{
		{"committed", []*record.Batch{data(7), record.NewMarker(record.Commit, 7, 1, 0)}, nil, "ox"},
		{"aborted", []*record.Batch{data(7), data(7), abort(7)}, []wire.AbortedTransaction{txn(7, 0)}, "xxx"},
		{"one aborted, the next committed", []*record.Batch{data(7), abort(7), data(7), record.NewMarker(record.Commit, 7, 2, 0)},
			[]wire.AbortedTransaction{txn(7, 0)}, "xxox"},
		{"two producers, the later one aborted first", []*record.Batch{data(7), data(8), abort(8), data(8), abort(7)},
			[]wire.AbortedTransaction{txn(8, 1), txn(7, 0)}, "xxxox"},
		{"two aborted in a row", []*record.Batch{data(7), abort(7), data(7), abort(7)}, []wire.AbortedTransaction{txn(7, 0), txn(7, 2)}, "xxxx"},
		{"begun below the answer", []*record.Batch{data(7), abort(7)}, []wire.AbortedTransaction{txn(7, -5)}, "xx"},
		{"not transactional", []*record.Batch{plain, data(8)}, []wire.AbortedTransaction{txn(7, 0)}, "oo"},
		{"begins later", []*record.Batch{data(7), data(7)}, []wire.AbortedTransaction{txn(7, 1)}, "ox"},
		{"reset", []*record.Batch{record.NewReset(), plain}, nil, "xo"},
		{"mapped below 0", []*record.Batch{data(-9), record.NewMarker(record.Abort, -9, 1, 0)}, []wire.AbortedTransaction{txn(-9, 0)}, "ox"},
	} {
		t.Run(row.name, func(t *testing.T) {
			skip, got := aborted{pending: row.aborted}, ""
			for i, b := range row.log {
				got += map[bool]string{true: "x", false: "o"}[skip.hides(b.At(int64(i), 0))]
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
