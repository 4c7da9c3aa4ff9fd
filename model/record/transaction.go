package record

import (
	"encoding/binary"

	"mirrorsim/model/id"
)

// TransactionState is where a transaction stands at its coordinator, by Kafka's names.
type TransactionState uint8

// The states. A coordinator that has stored one of the Prepare states will complete, whatever happens.
const (
	TransactionEmpty TransactionState = iota
	TransactionOngoing
	PrepareCommit
	PrepareAbort
	CompleteCommit
	CompleteAbort
	TransactionStates int = iota
)

// String is Kafka's name.
func (s TransactionState) String() string {
	return [...]string{"Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort", "?", "?"}[s&7]
}

// Transaction is one record of __transaction_state: what the coordinator knows of a transactional id. The key is the
// transactional id, which is the client that uses it.
type Transaction struct {
	Client        id.Node // the transactional id
	ProducerID    int64
	ProducerEpoch int16
	State         TransactionState
	Next          int64          // producer id under which the client goes on when this one's epochs are used up, else NoProducer
	Previous      int64          // producer id that this one replaced, else NoProducer
	Partitions    []id.Partition // of an ongoing or prepared transaction, ascending; shared, never changed
}

// appendRecord appends a __transaction_state record: fixed-width fields, big endian.
func (t *Transaction) appendRecord(dst []byte, delta int32) []byte {
	key := [1]byte{byte(t.Client)}
	var buf [96]byte
	value := binary.BigEndian.AppendUint64(buf[:0], uint64(t.ProducerID))
	value = binary.BigEndian.AppendUint16(value, uint16(t.ProducerEpoch))
	value = append(value, byte(t.State))
	value = binary.BigEndian.AppendUint64(value, uint64(t.Next))
	value = binary.BigEndian.AppendUint64(value, uint64(t.Previous))
	for _, p := range t.Partitions {
		value = binary.BigEndian.AppendUint32(value, p.Word())
	}
	return appendRecord(dst, delta, key[:], value)
}
