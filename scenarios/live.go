package scenarios

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
)

// liveStep is how often the second phase looks whether all is done.
const liveStep = 250 * id.Millisecond

// live is the second phase of a run: it heals the core, makes every other fault permanent, lets nothing go wrong any
// more, and judges what is still pending when its time is over.
func (r *run) live(a *format.Live) {
	r.world.SetNetwork(sim.Network{})
	r.world.Disarm()
	r.world.ReleaseAll()
	r.restoreFiles()
	r.due = nil
	r.watchToChange().cover.over = true
	core, limit := r.core(a), r.world.Now()+a.Limit()
	for {
		// A fault may have hit just before the phase, and the metadata log names an ISR without the core only now.
		core = r.widen(core)
		r.settleNodes(r.upForGood(core))
		if len(r.ledger().Pending(core)) == 0 || r.world.Now() >= limit || r.ended() {
			break
		}
		r.until(never, min(r.world.Now()+liveStep, limit))
	}
	if !r.ended() {
		waits := r.waits()
		r.watchToChange().suite.JudgeLive(core, a.Limit(), waits)
		if r.options.History != nil {
			r.options.History.Live(r.world.Now(), core, a.Limit(), waits)
		}
		r.result.Accepted = r.watch().suite.Accepted()
	}
}

// restoreFiles has every bit turn back that was to do so later: what is not to be read for ever is whole in the second phase.
func (r *run) restoreFiles() {
	for _, t := range r.due {
		if t.kind == faults.Corrupt {
			t.do(r)
		}
	}
}

// ended tells whether nothing happens any more.
func (r *run) ended() bool { return r.failed() || r.result.Stopped }

// core is the brokers that the step names.
func (r *run) core(a *format.Live) id.Set {
	var core id.Set
	for _, name := range a.Core {
		core = core.With(r.node[name])
	}
	for n := 0; n < r.brokers && len(a.Core) == 0; n++ {
		core = core.With(id.Node(n))
	}
	return core
}

// widen adds to the core what makes every partition of its clusters electable: where no in-sync replica is in it, the
// first that there is.
func (r *run) widen(core id.Set) id.Set {
	for _, p := range r.ledger().Partitions() {
		for c := range r.names.Clusters {
			isr := r.ledger().ISR(id.Cluster(c), p)
			if isr == 0 || isr&core != 0 || !r.holds(core, id.Cluster(c)) {
				continue
			}
			for n := range id.Node(r.brokers) {
				if isr.Has(n) {
					core = core.With(n)
					break
				}
			}
		}
	}
	return core
}

// holds tells whether a broker of the cluster is in the core.
func (r *run) holds(core id.Set, c id.Cluster) bool {
	for n := range id.Node(r.brokers) {
		if core.Has(n) && r.cluster[n] == c {
			return true
		}
	}
	return false
}

// upForGood tells of each node whether it is to be up: brokers of the core, clients and admins, and the controllers and
// metadata logs of clusters that have a broker in the core.
func (r *run) upForGood(core id.Set) []bool {
	up := make([]bool, len(r.boots))
	for n := range up {
		up[n] = core.Has(id.Node(n)) || n >= r.brokers
	}
	for c := range r.scenario.Clusters {
		x := &r.scenario.Clusters[c]
		up[r.node[x.Log()]] = r.holds(core, id.Cluster(c))
		for i := range x.Controllers {
			up[r.node[x.Controller(i)]] = r.holds(core, id.Cluster(c))
		}
	}
	return up
}

// settleNodes takes down for good what is not to be up, mends the links between the other nodes, and starts those that
// are down.
func (r *run) settleNodes(up []bool) {
	for n := range up {
		if !up[n] {
			r.world.Crash(id.Node(n), nil)
		}
		for m := range up {
			if n == m || !up[n] || !up[m] {
				continue
			}
			if ok, delay := r.world.LinkState(id.Node(n), id.Node(m)); !ok || delay > 0 {
				r.world.Link(id.Node(n), id.Node(m), true, 0)
			}
		}
	}
	for n := range up {
		if up[n] {
			faults.Mend(r.world, id.Node(n))
			r.world.Restart(id.Node(n))
		}
	}
	r.watchToChange().cover.PermanentFault = slices.Contains(up, false)
}

// waits are what the nodes wait for, a line each.
func (r *run) waits() []string {
	var list []string
	r.world.Waits(func(n id.Node, what string) bool {
		list = append(list, r.names.Node(n)+" says: "+r.withNodes(what))
		return true
	})
	return list
}

// nodeNumber is a node as one of the model's speaks of it: nodes have no names there.
var nodeNumber = regexp.MustCompile(`\bnode (\d+)\b`)

// withNodes is what a node says, with the names of the nodes of which it speaks.
func (r *run) withNodes(what string) string {
	return nodeNumber.ReplaceAllStringFunc(what, func(word string) string {
		n, err := strconv.ParseUint(strings.TrimPrefix(word, "node "), 10, 8)
		if err != nil || int(n) >= len(r.names.Nodes) {
			return word
		}
		return r.names.Node(id.Node(n))
	})
}
