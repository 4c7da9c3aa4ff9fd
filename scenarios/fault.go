package scenarios

import (
	"slices"

	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
)

// fault has a fault fall now, or arms it at a point. One that lasts is ended after its time, whatever the steps do.
func (r *run) fault(plan faults.Planned) done {
	if plan.When.Point == point.None {
		r.fall(plan.Fault)
		return atOnce
	}
	then := func(w *sim.World) { runOf(w).fall(plan.Fault) }
	switch on := plan.When.On; {
	case on == faults.Target{}:
		r.world.Arm(plan.When.Point, id.None, plan.When.Nth, then)
	case on.Role == "":
		r.world.Arm(plan.When.Point, r.node[on.Node], plan.When.Nth, then)
	default: // who has the role is asked when the point is reached
		r.world.ArmOn(plan.When.Point, func(w *sim.World, n id.Node) bool {
			at := runOf(w).resolveRole(on)
			return len(at) > 0 && at[0].Node == n
		}, plan.When.Nth, then)
	}
	return atOnce
}

func (r *run) fall(f faults.Fault) {
	if f.Kind.OfAdmin() {
		r.adminActs(f)
		return
	}
	at, tp := r.resolve(f), f.TP
	if f.Kind == faults.Corrupt {
		tp, _ = f.Target.Leader()
	}
	if x, ok := format.ParseTP(tp); ok && len(at) > 0 {
		_, at[0].Partition = r.partition(x)
	}
	if len(at) == 0 || f.Spare && !r.ledger().Spared(at[0].Node) {
		return
	}
	r.fell(f.Kind, at...)
	if err := f.Apply(r.world, at...); err != nil {
		panic("scenarios: the format let a fault pass that cannot be: " + err.Error())
	}
	if f.For > 0 {
		r.after(f.For, f.Kind, func(r *run) {
			if err := f.End(r.world, at...); err != nil {
				panic("scenarios: a fault fell that cannot end: " + err.Error())
			}
		})
	}
}

// fell notes that a fault falls upon nodes that are up. What shows in the history when it takes effect is counted then.
func (r *run) fell(k faults.Kind, at ...faults.Resolved) {
	if shows(k) {
		return
	}
	var nodes []id.Node
	for _, x := range at {
		for _, n := range []id.Node{x.Node, x.Peer} {
			if n != id.None && !slices.Contains(nodes, n) && (r.world.Node(n) != nil || k == faults.Heal) {
				nodes = append(nodes, n)
			}
		}
	}
	if len(nodes) > 0 {
		watch := r.watchToChange()
		watch.reach.fell(k, watch.suite.Ledger(), r.cluster, nodes...)
	}
}

// adminActs has a cluster's admin, if it is up, send the request that the fault is. No step waits for the answer.
func (r *run) adminActs(f faults.Fault) {
	c, request, results := r.adminFault(f)
	if request == nil || r.world.Node(r.admin[c]) == nil {
		return
	}
	r.fell(f.Kind, faults.Resolved{Node: r.admin[c], Peer: id.None})
	r.watchToChange().ask(nil, 0, r.admin[c], results) // a fault is no step that could be refused
	r.world.Inject(r.admin[c], &wire.AdminCommand{Request: request})
}

// adminFault is the request of a fault that an admin brings about, and how many results it has; nil where there is none to
// send. MoveCoordinator elects another leader, as the act elect does; FenceProducer initialises with the client's transactional
// id, as another instance of its application does, and Kafka's Admin.fenceProducers for whoever knows of a zombie.
func (r *run) adminFault(f faults.Fault) (c id.Cluster, request wire.Body, results int) {
	switch f.Kind {
	case faults.FenceProducer:
		client, c := r.clientOn(f.Target.Node, f.Target.Peer)
		return c, &wire.InitProducerIdRequest{Client: client, Transactional: true, ProducerID: record.NoProducer, ProducerEpoch: -1}, 1
	case faults.RepeatRequest:
		c = r.clusterOf(f.Target.Node)
		request, results = r.watch().requested(r.admin[c], int(f.Nth))
		return c, request, results
	}
	name, tp, _ := f.Target.Coordinator()
	x, _ := format.ParseTP(tp)
	return r.elect(&format.Elect{Coordinator: format.ParseMirrorRef(name), Partition: x, To: f.To})
}

// resolve finds the nodes and links of a fault's target as things are now; none when a role is nobody's, or nobody can
// take it.
func (r *run) resolve(f faults.Fault) []faults.Resolved {
	t := f.Target
	switch {
	case f.Kind == faults.MoveController:
		return r.resolveMove(f)
	case t.Role == faults.There:
		return []faults.Resolved{{Node: r.watch().reach.node, Peer: id.None}}
	case t.Role != "":
		return r.resolveRole(t)
	case f.Kind.OfCluster(), t.Peer == "" && r.isCluster(t.Node):
		return r.border(r.clusterOf(t.Node))
	case t.Peer == "":
		return []faults.Resolved{{Node: r.node[t.Node], Peer: id.None}}
	}
	var list []faults.Resolved
	for _, from := range r.scenario.Ends(t.Node) {
		for _, to := range r.scenario.Ends(t.Peer) {
			if from != to {
				list = append(list, faults.Resolved{Node: r.node[from], Peer: r.node[to]})
			}
		}
	}
	return list
}

func (r *run) isCluster(name string) bool { _, node := r.node[name]; return !node }

// border is every link into and out of a cluster, its clients and its admin counted in.
func (r *run) border(c id.Cluster) []faults.Resolved {
	var list []faults.Resolved
	for n := range r.cluster {
		for m := range r.cluster {
			if (r.cluster[n] == c) != (r.cluster[m] == c) {
				list = append(list, faults.Resolved{Node: id.Node(n), Peer: id.Node(m)})
			}
		}
	}
	return list
}

// resolveMove is the metadata log of a cluster and the controller that is to become active: the one that is named, or the
// next behind the active one that is up. Nobody else being up, there is none.
func (r *run) resolveMove(f faults.Fault) []faults.Resolved {
	c := r.clusterOf(f.Target.Node)
	x := &r.scenario.Clusters[c]
	at := faults.Resolved{Node: r.node[x.Log()], Peer: id.None}
	if f.To != "" {
		at.Peer = r.node[f.To]
		return []faults.Resolved{at}
	}
	var list []id.Node
	for i := range x.Controllers {
		list = append(list, r.node[x.Controller(i)])
	}
	active := slices.Index(list, r.ledger().Controller(c))
	for i := range list {
		n := list[(active+1+i)%len(list)]
		if i < len(list)-1 && r.world.Node(n) != nil {
			at.Peer = n
			return []faults.Resolved{at}
		}
	}
	return nil
}

func (r *run) resolveRole(t faults.Target) []faults.Resolved {
	at := faults.Resolved{Node: id.None, Peer: id.None}
	if tp, ok := t.Leader(); ok {
		x, _ := format.ParseTP(tp)
		at.Node, _ = r.ledger().Leader(r.partition(x))
	}
	if name, tp, ok := t.Coordinator(); ok {
		x, _ := format.ParseTP(tp)
		c, p := r.partition(x)
		at.Node, _ = r.ledger().Leader(c, r.statePartition(format.ParseMirrorRef(name), c, p))
	}
	if at.Node == id.None {
		return nil
	}
	return []faults.Resolved{at}
}
