package client

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/setting"
	"mirrorsim/model/wire"
)

const (
	self id.Node = 9
)

var (
	tp       = id.Partition{Topic: id.NewTopic(0, 1)}
	tp1      = id.Partition{Topic: id.NewTopic(0, 1), Index: 1}
	settings = setting.Default()
	clusters = []Cluster{{[]id.Node{0, 1}}, {[]id.Node{2, 3}}}
)

// driver runs one node by hand: it keeps what the node sent, which timers are armed, and the history as lines.
type driver struct {
	t      testing.TB
	node   node.Node
	out    node.Effects
	sent   []node.Send
	timers []node.TimerOp
	lines  []string
}

func drive(t testing.TB, boot node.Boot) *driver {
	d := &driver{t: t}
	d.node = boot(self, &disk.Disk{}, &d.out)
	d.collect()
	return d
}

func (d *driver) command(b wire.Body)              { d.step(node.Input{Body: b, From: id.None}) }
func (d *driver) answer(from id.Node, b wire.Body) { d.step(node.Input{Body: b, From: from}) }

func (d *driver) step(in node.Input) {
	d.node.Step(in, &d.out)
	d.collect()
}

func (d *driver) collect() {
	for i := range d.out.Events {
		checkSchema(d.t, &d.out.Events[i])
		d.lines = append(d.lines, line(&d.out.Events[i]))
	}
	for _, op := range d.out.Timers {
		if op.After >= 0 && 5*op.Jitter > op.After {
			d.t.Errorf("timer %v has a jitter of %v, more than 20 %% of %v", op.Timer, op.Jitter, op.After)
		}
		d.timers = slices.DeleteFunc(d.timers, func(o node.TimerOp) bool { return o.Timer == op.Timer })
		if op.After >= 0 {
			d.timers = append(d.timers, op)
		}
	}
	d.sent = append(d.sent, d.out.Sends...)
	d.out.Reset()
}

// fire fires the oldest armed timer of kind k, and answers how it was armed.
func (d *driver) fire(k timerKind) node.TimerOp {
	d.t.Helper()
	for i, op := range d.timers {
		if kind, _ := splitKind(op.Timer); kind == k {
			d.timers = slices.Delete(d.timers, i, i+1)
			d.step(node.Input{Timer: op.Timer})
			return op
		}
	}
	d.t.Fatalf("no timer of kind %d is armed: %v", k, d.timers)
	return node.TimerOp{}
}

func (d *driver) armed(k timerKind) int {
	n := 0
	for _, op := range d.timers {
		if kind, _ := splitKind(op.Timer); kind == k {
			n++
		}
	}
	return n
}

// request takes the oldest message that was sent; it must be a T to that node.
func request[T wire.Body](d *driver, to id.Node) T {
	d.t.Helper()
	if len(d.sent) == 0 {
		d.t.Fatalf("nothing was sent; waits: %v", waits(d.node))
	}
	s := d.sent[0]
	d.sent = d.sent[1:]
	b, ok := s.Body.(T)
	if !ok || s.To != to {
		d.t.Fatalf("sent %v to node %d, want another message or node %d", s.Body.API(), s.To, to)
	}
	return b
}

func (d *driver) quiet() {
	d.t.Helper()
	if len(d.sent) > 0 {
		d.t.Fatalf("%v was sent", d.sent[0].Body.API())
	}
}

// leader answers the metadata request that was sent to node to.
func (d *driver) leader(to, leader id.Node, epoch int32) {
	d.t.Helper()
	r := request[*wire.MetadataRequest](d, to)
	d.answer(to, &wire.MetadataResponse{Partition: r.Partition, Leader: leader, LeaderEpoch: epoch,
		Correlation: r.Correlation})
}

// history compares the lines so far with want, and forgets them.
func (d *driver) history(want ...string) {
	d.t.Helper()
	if diff := cmp.Diff(want, d.lines); diff != "" {
		d.t.Fatalf("history (-want +got):\n%s", diff)
	}
	d.lines = nil
}

func (d *driver) state() []byte { return d.node.AppendState(nil) }

func waits(n node.Node) []string {
	var all []string
	n.Waits(func(what string) bool {
		all = append(all, what)
		return true
	})
	return all
}

// line is an event in one line: its fields by meaning, the operation as its number.
func line(e *event.Event) string {
	op := fmt.Sprint("op", e.Op&0xffffff)
	where := fmt.Sprintf("%d/%d", e.From, e.Partition.Index)
	switch e.Kind {
	case event.ProducerIdReceived:
		return fmt.Sprintf("id %d/%d", e.ProducerID, e.BatchEpoch)
	case event.ProduceCalled:
		return fmt.Sprintf("called %s on %s %d records as %d/%d@%d acks %d", op, where, e.End, e.ProducerID, e.BatchEpoch,
			e.Sequence, int8(e.To))
	case event.ProduceSent:
		return fmt.Sprintf("sent %s to %d #%d", op, e.Peer, e.Sequence)
	case event.ProduceReturned:
		return fmt.Sprintf("returned %s by %d %v %d", op, e.Peer, wire.Code(e.To), e.Offset)
	case event.ConsumerRead:
		return fmt.Sprintf("read %s from %d [%d,%d) @%d committed %d digest %x", where, e.Peer, e.Offset, e.End,
			e.LeaderEpoch, e.To, e.Digest)
	case event.ConsumerMoved:
		return fmt.Sprintf("moved %s %v to %d@%d", where, wire.Code(e.To), e.Offset, e.LeaderEpoch)
	case event.TransactionCalled:
		return fmt.Sprintf("%s %s on %d as %d/%d", [...]string{"abort", "commit"}[e.To], op, e.From, e.ProducerID, e.BatchEpoch)
	case event.TransactionReturned:
		return fmt.Sprintf("%s %s returned %v on %d as %d/%d", [...]string{"abort", "commit"}[e.Cause], op, wire.Code(e.To), e.From,
			e.ProducerID, e.BatchEpoch)
	case event.ConsumerAssigned:
		return "assigned " + where
	case event.GroupJoined:
		return fmt.Sprintf("joined on %d in generation %d", e.From, e.Sequence)
	case event.GroupCalled:
		return fmt.Sprintf("group %s on %d leave %d", op, e.From, e.To)
	case event.GroupReturned:
		return fmt.Sprintf("group %s returned %v on %d", op, wire.Code(e.To), e.From)
	case event.OffsetFetched:
		return fmt.Sprintf("committed %s is %d@%d", where, e.Offset, e.BatchEpoch)
	case event.AdminCalled:
		return fmt.Sprintf("called %s topic %d partition %d mirror %d action %d", op, e.Partition.Topic,
			e.Partition.Index, e.Mirror, e.To)
	case event.MirrorDescribed:
		return fmt.Sprintf("described %s %d/%d under %d: %v %v %v attempts %d lag %d/%d position %d,%d", op, e.Partition.Topic,
			e.Partition.Index, e.Mirror, record.Desired(e.From), record.State(e.To), record.Reason(e.Cause), e.Sequence, e.Offset, e.End,
			e.BatchEpoch, e.ProducerID)
	case event.AdminReturned:
		return fmt.Sprintf("returned %s topic %d partition %d mirror %d %v", op, e.Partition.Topic, e.Partition.Index, e.Mirror,
			wire.Code(e.To))
	}
	return "unexpected " + e.Kind.String()
}

// checkSchema reports an event that fills a field which its kind does not have.
func checkSchema(t testing.TB, e *event.Event) {
	t.Helper()
	if field := e.Undeclared(); field != "" {
		t.Errorf("%v fills %s, which its kind does not have", e.Kind, field)
	}
}
