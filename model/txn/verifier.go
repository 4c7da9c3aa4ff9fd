package txn

import (
	"encoding/binary"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/replica"
	"mirrorsim/model/wire"
)

// Verifier is the part of a broker that, as a partition's leader, has the coordinator confirm that the partition was added
// to a transaction before it takes the transaction's first batch (KIP-890): a batch that came late, or of a client whose
// transaction is coordinated elsewhere, would begin one that nobody ends.
type Verifier struct {
	held     []held // in the order in which they were asked about
	sequence uint32
}

// held is the batches of one transaction for one partition that wait for the coordinator, in the order in which they came.
type held struct {
	partition   id.Partition
	client      id.Node
	producerID  int64
	epoch       int16
	correlation uint32
	requests    []*wire.ProduceRequest
}

// Start is called when the broker boots; first is below the correlations of this start.
func (v *Verifier) Start(first uint32) { v.sequence = first }

// Hold keeps a batch, or answers it, until the coordinator has confirmed that r is in its transaction. It is false when the
// batch needs no confirmation: verification is off (setting transaction-verification), or the transaction is open here.
func (v *Verifier) Hold(from id.Node, req *wire.ProduceRequest, r *replica.Replica, env *replica.Env) bool {
	b := req.Batch
	if env.Settings.TxnVerify == 0 || !b.Transactional || !r.IsLeader() || r.Log.InTransaction(b.ProducerID, b.ProducerEpoch) {
		return false
	}
	for i := range v.held {
		h := &v.held[i]
		if h.partition != r.ID() || h.client != from {
			continue
		}
		if h.producerID == b.ProducerID && h.epoch == b.ProducerEpoch {
			h.requests = append(h.requests, req)
			return true
		}
		v.refuse(i, wire.NotEnoughReplicas, env) // another transaction of the client has come
		break
	}
	v.sequence++
	v.held = append(v.held, held{r.ID(), from, b.ProducerID, b.ProducerEpoch, v.sequence, []*wire.ProduceRequest{req}})
	coordinator := env.Image.TransactionCoordinator(from)
	if coordinator == id.None {
		v.refuse(len(v.held)-1, wire.NotEnoughReplicas, env)
		return true
	}
	env.Out.Send(coordinator, &wire.AddPartitionsToTxnRequest{Client: from, ProducerID: b.ProducerID,
		ProducerEpoch: b.ProducerEpoch, Partition: r.ID(), VerifyOnly: true, Correlation: v.sequence})
	env.Out.Arm(timer(r.ID(), from), env.Settings.RetryBackoffMax, 0)
	return true
}

func timer(p id.Partition, client id.Node) node.Timer {
	return node.Timer{Kind: TimerVerify, Partition: p, Peer: client}
}

// Verified takes the coordinator's answer. It gives back the requests to go on with, and whose they are; what is refused is
// answered. A coordinator that could not be asked is NOT_ENOUGH_REPLICAS, as in Kafka: the producer tries again.
func (v *Verifier) Verified(res *wire.AddPartitionsToTxnResponse, env *replica.Env) (id.Node, []*wire.ProduceRequest) {
	for i := range v.held {
		h := v.held[i]
		if h.partition != res.Partition || h.correlation != res.Correlation {
			continue
		}
		code := res.Code
		switch code {
		case wire.OK:
			v.forget(i, env)
			return h.client, h.requests
		case wire.ProducerFenced:
			code = wire.InvalidProducerEpoch
		case wire.InvalidProducerIdMapping:
			code = wire.InvalidTxnState // the transactional id is unknown here (section 1 of the design)
		case wire.NotCoordinator, wire.CoordinatorLoadInProgress, wire.CoordinatorNotAvailable:
			code = wire.NotEnoughReplicas
		}
		v.refuse(i, code, env)
		break
	}
	return id.None, nil
}

// TimedOut refuses what waits for a coordinator that has not answered.
func (v *Verifier) TimedOut(p id.Partition, client id.Node, env *replica.Env) {
	for i := range v.held {
		if v.held[i].partition == p && v.held[i].client == client {
			v.refuse(i, wire.NotEnoughReplicas, env)
			return
		}
	}
}

// Lost refuses what waits at p, whose leader epoch has changed.
func (v *Verifier) Lost(p id.Partition, env *replica.Env) {
	for i := 0; i < len(v.held); {
		if v.held[i].partition == p {
			v.refuse(i, wire.NotLeaderOrFollower, env)
		} else {
			i++
		}
	}
}

// refuse answers the requests of the i-th transaction.
func (v *Verifier) refuse(i int, code wire.Code, env *replica.Env) {
	h := v.held[i]
	v.forget(i, env)
	for _, req := range h.requests {
		env.Out.Send(h.client, &wire.ProduceResponse{Partition: h.partition, Code: code, Base: -1, Correlation: req.Correlation})
	}
}

func (v *Verifier) forget(i int, env *replica.Env) {
	env.Out.Cancel(timer(v.held[i].partition, v.held[i].client))
	copy(v.held[i:], v.held[i+1:])
	v.held[len(v.held)-1] = held{}
	v.held = v.held[:len(v.held)-1]
}

// Clone is a deep copy; requests are shared.
func (v *Verifier) Clone() Verifier {
	c := Verifier{held: append([]held(nil), v.held...), sequence: v.sequence}
	for i := range c.held {
		c.held[i].requests = append([]*wire.ProduceRequest(nil), v.held[i].requests...)
	}
	return c
}

// AppendState appends which batches wait.
func (v *Verifier) AppendState(dst []byte) []byte {
	for i := range v.held {
		h := &v.held[i]
		dst = binary.LittleEndian.AppendUint32(dst, h.partition.Word())
		dst = append(dst, byte(h.client), byte(h.epoch), byte(h.epoch>>8), byte(len(h.requests)))
		dst = binary.LittleEndian.AppendUint64(dst, uint64(h.producerID))
		for _, req := range h.requests {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(req.Batch.BaseSequence))
		}
	}
	return dst
}
