package scenarios

import (
	"fmt"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
)

// condition tells whether something is so in a run by now; if not, it says in words what is so instead. It works on the run that
// it is given: that may be a fork of the one in which it was made.
type condition func(*run) (string, bool)

var (
	always condition = func(*run) (string, bool) { return "", true }
	never  condition = func(*run) (string, bool) { return "", false }
	quiet  condition = func(r *run) (string, bool) { return view{r}.Quiet() }
)

// done says when an act has completed, and how long that may take.
type done struct {
	met   condition
	limit id.Duration

	orGoOn bool // one that has not completed by then is no failure
	atRest bool // the run need not go on behind it
}

var atOnce = done{met: always}

// do begins an act and says when it has completed.
func (r *run) do(step int, a format.Act) done {
	switch a := a.(type) {
	case *format.Produce:
		return r.produce(step, a)
	case *format.Consume:
		c, p := r.partition(a.From)
		r.world.Inject(r.node[a.Client], &wire.ConsumeCommand{Cluster: c, Partition: p, ReadCommitted: a.ReadCommitted, Reset: resets[a.Reset]})
		return atOnce
	case *format.Move:
		return r.move(step, a)
	case *format.Commit:
		if r.scenario.IsGroup(a.Client) {
			return r.commitGroup(step, a.Client, a.On, false)
		}
		return r.endTransaction(step, a.Client, a.On, true)
	case *format.Leave:
		return r.commitGroup(step, a.Client, a.On, true)
	case *format.Abort:
		return r.endTransaction(step, a.Client, a.On, false)
	case *format.Fault:
		return r.fault(a.Plan)
	case *format.Until:
		return done{met: func(r *run) (string, bool) { return a.Cond.Met(view{r}) }, limit: a.Limit(), orGoOn: a.OrGoOn}
	case *format.Retention:
		return r.retain(a)
	case *format.Compact:
		return r.compact(a)
	case *format.Live:
		r.live(a)
		return done{met: always, atRest: true}
	}
	if c, request, results := r.request(a); request != nil {
		r.watchToChange().remember(r.admin[c], request, results)
		r.world.Inject(r.admin[c], &wire.AdminCommand{Request: request})
		return r.asked(step, r.admin[c], results)
	}
	panic(fmt.Sprintf("scenarios: the wiring let %T pass", a))
}

var resets = [...]wire.Reset{format.Earliest: wire.ResetEarliest, format.Latest: wire.ResetLatest, format.NoReset: wire.NoReset}

func (r *run) produce(step int, a *format.Produce) done {
	c, p := r.partition(a.To)
	r.world.Inject(r.node[a.Client], &wire.ProduceCommand{Cluster: c, Partition: p, Count: int32(a.Count),
		Batch: int32(a.Batch), Acks: a.Acks, ProducerID: a.PID})
	return r.asked(step, r.node[a.Client], (a.Count+a.Batch-1)/a.Batch)
}

// move waits for what the client had under way for the partition: that returns at once, as its outcome is not known any
// more, and is called for anew.
func (r *run) move(step int, a *format.Move) done {
	from, p := r.partition(a.From)
	client := r.node[a.Client]
	before := r.watch().clients[client].returned
	r.world.Inject(client, &wire.MoveCommand{From: from, To: r.clusterOf(a.To.Cluster), Partition: p})
	r.until(never, r.world.Now())
	return r.asked(step, client, r.watch().clients[client].returned-before)
}

// retain has retention look at the log of whoever leads now; where nobody does nothing happens.
func (r *run) retain(a *format.Retention) done {
	c, p := r.partition(a.Partition)
	if leader, _ := r.ledger().Leader(c, p); leader != id.None {
		r.world.Inject(leader, &wire.RetentionCommand{Partition: p, Before: a.Before})
		r.until(never, r.world.Now())
	}
	return atOnce
}

// compact has the cleaner of each broker of the cluster look at its replica.
func (r *run) compact(a *format.Compact) done {
	c, p := r.partition(a.Partition)
	for _, n := range r.brokersOf(c) {
		r.world.Inject(n, &wire.CompactCommand{Partition: p, Keep: a.Keep})
	}
	r.until(never, r.world.Now())
	return atOnce
}

// endTransaction has a client end its transaction on a cluster, its home if none is named.
func (r *run) endTransaction(step int, name, on string, commit bool) done {
	client, c := r.clientOn(name, on)
	r.world.Inject(client, &wire.TransactionCommand{Cluster: c, Commit: commit})
	return r.asked(step, client, 1)
}

// commitGroup has a group's member commit its positions on a cluster, its home if none is named, and leave the group there
// if it is to.
func (r *run) commitGroup(step int, name, on string, leave bool) done {
	client, c := r.clientOn(name, on)
	r.world.Inject(client, &wire.GroupCommand{Cluster: c, Leave: leave})
	return r.asked(step, client, 1)
}

// clientOn is a client's node, and the cluster that an act means: its home if none is named.
func (r *run) clientOn(name, on string) (id.Node, id.Cluster) {
	client := r.node[name]
	if on == "" {
		return client, r.cluster[client]
	}
	return client, r.clusterOf(on)
}

// asked waits until n operations that a step asks of a client have returned.
func (r *run) asked(step int, client id.Node, n int) done {
	at := r.watchToChange().ask(r.doing, step, client, n)
	return done{limit: stepLimit, met: func(r *run) (string, bool) {
		c := &r.watch().clients[client]
		s := &c.steps[at]
		left := s.upto - c.returned
		if s.op != 0 {
			left = s.waits
		}
		return fmt.Sprintf("%s still waits for %s", r.names.Node(client), checkers.Several(left, "answer", "answers")), s.done(c)
	}}
}

// statePartition is the partition of __mirror_state on c that holds the mirror's entries of p.
func (w *wiring) statePartition(ref format.MirrorRef, c id.Cluster, p id.Partition) id.Partition {
	n := uint16(w.internalTopic(c, format.StateTopic).Partitions)
	return id.Partition{Topic: w.topic[topicOn{c, format.StateTopic}], Index: metadata.Coordinator(ref.Name, p, n)}
}
