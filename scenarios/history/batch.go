package history

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

// batch is a record.Batch in a line, by the names that kafka-dump-log prints. A pointer is nil where the field is left out.
type batch struct {
	Base             *int64      `json:"base_offset"`
	Last             *int64      `json:"last_offset"`
	LeaderEpoch      *int32      `json:"leader_epoch"`
	CRC              *uint32     `json:"crc"`
	ProducerID       *int64      `json:"producer_id,omitzero"`
	ProducerEpoch    *int16      `json:"producer_epoch,omitzero"`
	BaseSequence     *int32      `json:"base_sequence,omitzero"`
	Transactional    bool        `json:"transactional,omitzero"`
	Control          string      `json:"control,omitzero"`
	CoordinatorEpoch int32       `json:"coordinator_epoch,omitzero"`
	Deltas           []int32     `json:"deltas,omitzero"`
	Records          [][2]uint64 `json:"records,omitempty"`
	States           []state     `json:"states,omitempty"`
	Transactions     int         `json:"transactions,omitzero"`
	Groups           int         `json:"groups,omitzero"`
}

// state is a record of __mirror_state, with what checkers read of it.
type state struct {
	Entry       jsontext.Value `json:"entry"`
	Mirror      jsontext.Value `json:"mirror"`
	Partition   jsontext.Value `json:"partition"`
	Life        int64          `json:"life"`
	Tombstone   bool           `json:"tombstone,omitzero"`
	Run         int32          `json:"run,omitzero"`
	LeaderEpoch int32          `json:"leader_epoch,omitzero"`
	State       jsontext.Value `json:"state,omitempty"`
	StateEpoch  int32          `json:"state_epoch,omitzero"`
	Epoch       int32          `json:"epoch,omitzero"`
	Offset      int64          `json:"offset,omitzero"`
}

// mostCounted bounds the records of which a batch only says how many there are.
const mostCounted = 4096

// Of records of __transaction_state and __consumer_offsets a history only says how many a batch has: no checker reads them.
// The batches share these.
var (
	countedTransactions [mostCounted]record.Transaction
	countedGroups       [mostCounted]record.GroupRecord
)

// putBatch appends a batch; false: it has bytes that no field tells of.
func putBatch(dst []byte, n *names, b *record.Batch) ([]byte, bool) {
	x := batch{Base: &b.Base, Last: &b.Last, LeaderEpoch: &b.LeaderEpoch, CRC: &b.CRC, Transactional: b.Transactional,
		CoordinatorEpoch: b.CoordinatorEpoch, Deltas: b.Deltas, Transactions: len(b.Transactions), Groups: len(b.Groups)}
	if b.ProducerID != record.NoProducer || b.ProducerEpoch != -1 || b.BaseSequence != record.NoSequence {
		x.ProducerID, x.ProducerEpoch, x.BaseSequence = &b.ProducerID, &b.ProducerEpoch, &b.BaseSequence
	}
	if !b.IsData() {
		x.Control = b.Control.String()
	}
	for _, r := range b.Records {
		x.Records = append(x.Records, [2]uint64{r.Key, r.Value})
	}
	ok := b.Raw == nil
	for i := range b.States {
		s, known := stateOf(&b.States[i], n)
		x.States, ok = append(x.States, s), ok && known
	}
	text, err := json.Marshal(&x)
	return append(dst, text...), ok && err == nil
}

func stateOf(s *record.MirrorState, n *names) (x state, ok bool) {
	x = state{Life: s.Life, Tombstone: s.Tombstone, Run: s.Run, LeaderEpoch: s.LeaderEpoch, StateEpoch: s.StateEpoch,
		Epoch: s.Epoch, Offset: s.Offset}
	ok = true
	put := func(f form, v int64) []byte {
		text, known := f.put(nil, n, v)
		ok = ok && known
		return text
	}
	x.Entry, x.Mirror = put(entryWords, int64(s.Kind)), put(mirror, int64(s.Mirror))
	x.Partition = put(partition, int64(s.Partition.Word()))
	if s.Kind == record.MirrorPartitionState && !s.Tombstone {
		x.State = put(stateWords, int64(s.State))
	}
	return x, ok
}

// takeBatch reads a batch.
func takeBatch(raw jsontext.Value, n *names) (*record.Batch, *refusal) {
	var x batch
	if err := json.Unmarshal(raw, &x, json.RejectUnknownMembers(true)); err != nil {
		return nil, batchError(err)
	}
	if x.Base == nil || x.Last == nil || x.LeaderEpoch == nil || x.CRC == nil {
		return nil, refuse("a field of the batch is missing", "base_offset, last_offset, leader_epoch and crc")
	}
	b := &record.Batch{Base: *x.Base, Last: *x.Last, LeaderEpoch: *x.LeaderEpoch, CRC: *x.CRC, ProducerID: record.NoProducer,
		ProducerEpoch: -1, BaseSequence: record.NoSequence, Transactional: x.Transactional, CoordinatorEpoch: x.CoordinatorEpoch,
		Deltas: x.Deltas}
	if x.ProducerID != nil {
		if x.ProducerEpoch == nil || x.BaseSequence == nil {
			return nil, refuse("a field of the batch is missing", "producer_epoch and base_sequence with producer_id")
		}
		b.ProducerID, b.ProducerEpoch, b.BaseSequence = *x.ProducerID, *x.ProducerEpoch, *x.BaseSequence
	}
	if bad := placed(b); bad != nil {
		return nil, bad
	}
	if x.Control != "" {
		v, bad := controlWords.take(quoted(nil, x.Control), n)
		if bad != nil {
			return nil, bad
		}
		b.Control = record.Control(v)
	}
	if bad := x.contents(b, n); bad != nil {
		return nil, bad
	}
	return b, filled(b, &x)
}

// batchError says in one clause why a batch does not parse.
func batchError(err error) *refusal {
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return refuse("not a batch")
	}
	where := "field " + string(semantic.JSONPointer) + " of the batch"
	if errors.Is(err, json.ErrUnknownName) {
		return refuse(where+" is not known", batchFields...)
	}
	return refuse(where + " has no such value")
}

// batchFields are the fields of a batch.
var batchFields = []string{"base_offset", "last_offset", "leader_epoch", "crc", "producer_id", "producer_epoch", "base_sequence",
	"transactional", "control", "coordinator_epoch", "deltas", "records", "states", "transactions", "groups"}

// placed refuses a batch that can stand at no offset.
func placed(b *record.Batch) *refusal {
	switch {
	case b.Base < 0 || b.Last < b.Base || b.Last > maxOffset || b.Last-b.Base > math.MaxInt32-1:
		return refuse(fmt.Sprintf("a batch cannot stand from %d to %d", b.Base, b.Last), "0 <= base_offset <= last_offset")
	case b.LeaderEpoch < 0:
		return refuse("the batch has no leader epoch", "leader_epoch from 0")
	case b.ProducerID < -maxOffset || b.ProducerID > maxOffset || b.ProducerEpoch < -1 || b.BaseSequence < -1:
		// Below -1 is the id of a mirrored batch under producer-ids=map-negative.
		return refuse("the batch has no such producer", "producer_id a number, producer_epoch and base_sequence from -1")
	}
	return nil
}

// contents takes the records.
func (x *batch) contents(b *record.Batch, n *names) *refusal {
	for _, r := range x.Records {
		b.Records = append(b.Records, record.Record{Key: r[0], Value: r[1]})
	}
	for i := range x.States {
		s, bad := x.States[i].record(n)
		if bad != nil {
			return bad
		}
		b.States = append(b.States, s)
	}
	if x.Transactions < 0 || x.Transactions > mostCounted || x.Groups < 0 || x.Groups > mostCounted {
		return refuse("so many records are in no batch", fmt.Sprintf("transactions and groups from 0 to %d", mostCounted))
	}
	if x.Transactions > 0 {
		b.Transactions = countedTransactions[:x.Transactions]
	}
	if x.Groups > 0 {
		b.Groups = countedGroups[:x.Groups]
	}
	return nil
}

func (x *state) record(n *names) (s record.MirrorState, bad *refusal) {
	s = record.MirrorState{Life: x.Life, Tombstone: x.Tombstone, Run: x.Run, LeaderEpoch: x.LeaderEpoch, StateEpoch: x.StateEpoch,
		Epoch: x.Epoch, Offset: x.Offset}
	take := func(what string, f form, raw jsontext.Value) int64 {
		v, wrong := f.take(raw, n)
		if wrong != nil && bad == nil {
			bad = refuse("a record's "+what+": "+wrong.message, wrong.want...)
		}
		return v
	}
	var e event.Event
	s.Kind = record.MirrorStateKind(take("entry", entryWords, x.Entry))
	mirrorSlot.set(&e, take("mirror", mirror, x.Mirror))
	place.set(&e, take("partition", partition, x.Partition))
	s.Mirror, s.Partition = e.Mirror, e.Partition
	if s.Kind == record.MirrorPartitionState && !s.Tombstone {
		s.State = record.State(take("state", stateWords, x.State))
	}
	return s, bad
}

// filled refuses a batch that does not hold as many records as it has offsets, or deltas.
func filled(b *record.Batch, x *batch) *refusal {
	kinds := 0
	for _, n := range []int{len(b.Records), len(b.States), len(b.Transactions), len(b.Groups)} {
		if n > 0 {
			kinds++
		}
	}
	want := b.Count()
	if x.Deltas != nil {
		want = int64(len(x.Deltas))
	}
	outside := func(d int32) bool { return d < 0 || int64(d) >= b.Count() }
	switch {
	case !b.IsData() && (b.Size() > 0 || b.Last != b.Base || x.Deltas != nil):
		return refuse("a control batch has one offset and no records", "last_offset equal to base_offset")
	case !b.IsData():
		return nil
	case kinds > 1:
		return refuse("the batch has records of two kinds", "records, states, transactions or groups")
	case int64(b.Size()) != want:
		return refuse(fmt.Sprintf("the batch has %s", checkers.Several(b.Size(), "record", "records")),
			fmt.Sprintf("%d: one for each of its offsets, or of its deltas", want))
	case !slices.IsSorted(x.Deltas) || len(slices.Compact(slices.Clone(x.Deltas))) != len(x.Deltas) ||
		slices.ContainsFunc(x.Deltas, outside):
		return refuse("the deltas are not those of offsets of the batch", fmt.Sprintf("ascending numbers from 0 to %d", b.Count()-1))
	}
	return nil
}

// setAppended puts a batch into the event that tells of its append, and what the event repeats of it.
func setAppended(e *event.Event, b *record.Batch) {
	e.Batch, e.BatchEpoch, e.Offset, e.End = b, b.LeaderEpoch, b.Base, b.Last+1
	e.ProducerID, e.Sequence = b.ProducerID, b.BaseSequence
}

// setCompacted puts what a cleaner has left of a batch into the event that tells of it.
func setCompacted(e *event.Event, b *record.Batch) *refusal {
	if b.Base != e.Offset || b.Last+1 != e.End {
		return refuse(fmt.Sprintf("the batch stands from %d to %d, and the event is of another", b.Base, b.Last),
			"a batch from base_offset to before end")
	}
	e.Batch, e.Sequence = b, int32(b.Size())
	return nil
}
