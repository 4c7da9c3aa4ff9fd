package checkers

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// crossIntent is what the controller of a cluster wants of a topic.
type crossIntent struct {
	cluster id.Cluster
	topic   id.Topic
	value   intentState
	ops     []crossRequest
	window  window[intentState] // it begins with the value base
	base    intentState

	recoveries int32 // RecoverMirrorTopics requests that were taken
}

// intentState is a desired state as the specification sees it.
type intentState struct {
	desired record.Desired
	mirror  id.Mirror
}

func (s intentState) describe(n *id.Names) string {
	if s.desired == record.WantNone {
		return "in no mirror"
	}
	return s.desired.String() + " in mirror " + n.Mirror(s.mirror)
}

// crossRequest is one topic of a request that an admin has under way, or gave up.
type crossRequest struct {
	op      uint32
	admin   id.Node
	called  uint64
	action  uint8
	mirror  id.Mirror
	lost    bool   // it timed out: it may still take effect
	changed uint64 // the event at which the metadata log took it
}

// The actions of mirror requests, by the To of AdminCalled; the rest is of no account here, but for DeleteMirror.
const (
	actionStart  = 0
	actionStop   = 1
	actionPause  = 2
	actionResume = 3
)

// The desired state that a request asks for, by its action.
var asksFor = []record.Desired{record.WantMirroring, record.WantStopped, record.WantPaused, record.WantMirroring}

// requestAct is a request for one topic, with its result.
type requestAct struct {
	desired record.Desired
	mirror  id.Mirror
	resume  bool
	code    uint8
	name    string
}

// apply is section 2 of the design. A success may be the repeat of one (D47); a stop is refused, and not accepted, where
// the topic is another mirror's.
func (a *requestAct) apply(s intentState) (intentState, bool) {
	mine := s.mirror == a.mirror && s.desired != record.WantNone
	next := intentState{a.desired, a.mirror}
	starts := a.desired == record.WantMirroring && !a.resume
	switch a.code {
	case codeOK:
		if starts {
			return next, s.desired == record.WantNone || mine && s.desired != record.WantPaused
		}
		return next, mine && (a.desired == record.WantStopped || s.desired != record.WantStopped)
	case codeTopicAlreadyInClusterMirror:
		return s, s.desired != record.WantNone && !(mine && s.desired == record.WantStopped)
	case codeTopicNotInClusterMirror:
		return s, !mine
	}
	return s, true
}

func (a *requestAct) String() string {
	return "the request for " + a.desired.String() + " by " + a.name + ", answered with error code " + num(int64(a.code))
}

// intentAct is what the metadata log shows.
type intentAct struct{ intentState }

func (a *intentAct) apply(s intentState) (intentState, bool) { return s, s == a.intentState }

func (a *intentAct) String() string {
	return "the desired state " + a.desired.String() + " in the metadata log"
}

// commandAct is a change that no request for the topic itself asks for: a stop of topics that a pattern matches or whose
// source was deleted, the deletion of the mirror, or of the topic, the discovery of a topic.
type commandAct struct {
	to  intentState
	how string
}

// apply: what is stopped was mirroring or paused, what leaves its mirror, or is deleted, was stopped, and what is discovered
// was in no mirror (sections 2 and 9 of the design).
func (a *commandAct) apply(s intentState) (intentState, bool) {
	switch a.to.desired {
	case record.WantNone:
		return a.to, s.desired == record.WantNone || s.desired == record.WantStopped
	case record.WantMirroring:
		return a.to, s.desired == record.WantNone
	}
	return a.to, s.mirror == a.to.mirror && s.desired != record.WantNone && s.desired != record.WantStopped
}

func (a *commandAct) String() string { return a.how }

func (c *CrossCheck) intent(cl id.Cluster, t id.Topic) *crossIntent {
	for _, o := range c.intents {
		if o.topic == t && o.cluster == cl {
			return o
		}
	}
	o := &crossIntent{cluster: cl, topic: t}
	c.intents = append(c.intents, o)
	return o
}

func (c *CrossCheck) observeAdmin(e *event.Event) {
	o := c.intent(id.Cluster(e.From), e.Partition.Topic)
	if e.Kind == event.AdminCalled {
		if int(e.To) < len(asksFor) || e.To == apiDeleteMirror {
			o.ops = append(o.ops, crossRequest{op: e.Op, admin: e.Node, called: e.Index, action: e.To, mirror: e.Mirror})
		}
		return
	}
	i := slices.IndexFunc(o.ops, func(r crossRequest) bool { return r.op == e.Op && !r.lost })
	if i < 0 {
		return
	}
	r := o.ops[i]
	switch {
	case e.To == codeRequestTimedOut && r.changed == 0:
		o.ops[i].lost = true
		return
	case e.Partition.Topic == 0: // about a mirror, or a stop by patterns alone
	case r.action == actionPause && e.To == codeOK && r.changed == 0 && c.topology.DropsEarlyPauses:
	case r.changed > 0 && e.To != codeOK:
		c.tellRequest(o, &r, codeOK, r.changed) // an attempt before the one that was answered
	default:
		c.tellRequest(o, &r, e.To, e.Index)
	}
	o.ops = slices.Delete(o.ops, i, i+1)
	c.cutIntent(o, e.Index)
}

func (c *CrossCheck) tellRequest(o *crossIntent, r *crossRequest, code uint8, ret uint64) {
	o.window.tell(r.admin, &requestAct{asksFor[r.action], r.mirror, r.action == actionResume, code, c.topology.Names.Node(r.admin)},
		r.called, ret)
}

// intentChanged takes a change that the metadata log took. It is the effect of one request, the oldest that asks for it
// and has had none; without one it stands there unexplained.
func (c *CrossCheck) intentChanged(o *crossIntent, e *event.Event) {
	o.value = intentState{record.Desired(e.To), e.Mirror}
	recovers := e.Sequence > o.recoveries
	o.recoveries = e.Sequence
	i := slices.IndexFunc(o.ops, func(r crossRequest) bool {
		return e.Cause == 0 && r.changed == 0 && r.mirror == e.Mirror && asksFor[r.action] == o.value.desired
	})
	switch how := c.command(o, e); {
	case recovers: // the desired state is written once more
	case i < 0 && how != "":
		o.window.tell(e.Node, &commandAct{o.value, how}, e.Index, e.Index)
	case i >= 0:
		o.ops[i].changed = e.Index
		if o.ops[i].lost {
			c.tellRequest(o, &o.ops[i], codeOK, e.Index)
			o.ops = slices.Delete(o.ops, i, i+1)
		}
	}
	o.window.claim(e.Node, &intentAct{o.value}, e.Index)
	c.cutIntent(o, e.Index)
}

// command is how a change may come about without a request for the topic itself, "" if it may not: a stop of the mirror's
// topics is under way, or is lost, which may have patterns; the source has deleted the topic (D24); or the deletion of the
// mirror is under way, or is lost.
func (c *CrossCheck) command(o *crossIntent, e *event.Event) string {
	asked := func(action uint8) bool {
		return slices.ContainsFunc(c.intents, func(x *crossIntent) bool {
			return x.cluster == o.cluster && slices.ContainsFunc(x.ops, func(r crossRequest) bool {
				return r.action == action && r.mirror == e.Mirror
			})
		})
	}
	gone := slices.ContainsFunc(c.deleted, func(d deletedTopic) bool { return d.topic == o.topic && d.cluster != o.cluster })
	switch {
	case e.Cause == 1:
		return "the discovery of the topic"
	case o.value.desired == record.WantNone && asked(apiDeleteMirror):
		return "the deletion of the mirror"
	case o.value.desired == record.WantStopped && asked(actionStop):
		return "the stop by a pattern"
	case o.value.desired == record.WantStopped && c.topology.StopsDeleted && gone:
		return "the stop by the partition's leader"
	}
	return ""
}

// intentRemoved follows the deletion of the topic.
func (c *CrossCheck) intentRemoved(o *crossIntent, e *event.Event) {
	o.value, o.recoveries = intentState{}, 0
	o.window.tell(e.Node, &commandAct{o.value, "the deletion of the topic"}, e.Index, e.Index)
	c.cutIntent(o, e.Index)
}

func (c *CrossCheck) cutIntent(o *crossIntent, at uint64) {
	pending := slices.ContainsFunc(o.ops, func(r crossRequest) bool { return !r.lost })
	if !pending && (o.window.large || len(o.window.ops) >= cutAfter) {
		c.closeIntent(o, at)
	}
}

// closeIntent judges the window, and holds it against what the metadata log shows at its end.
func (c *CrossCheck) closeIntent(o *crossIntent, at uint64) {
	for i := range o.ops {
		if r := &o.ops[i]; !r.lost && r.changed > 0 {
			c.tellRequest(o, r, codeOK, r.changed)
		}
	}
	if len(o.window.ops) > 0 {
		o.window.claim(id.None, &intentAct{o.value}, at)
	}
	o.window.close(c, "topic "+c.topology.Names.Topic(o.topic)+" on "+c.topology.Names.Cluster(o.cluster), o.base, at)
	o.base = o.value
}
