package scenarios

import (
	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// The subjects of questions about zombies, above those of the rest of a workload.
const (
	fencesOf work = iota + 128
	fenceOf
	repeatsOf
	repeatOf
	recreatesOf
	replacesOf
)

// zombies are what a run has of those who act on what is long past: each is drawn apart, and a calm run has none of it.
type zombies struct {
	fences    bool // other instances of the transactional clients' applications initialise
	repeats   bool // admins send old requests again
	recreates bool // the second topic, deleted at its source, is created there again
	replaces  bool // the third cluster takes the place of a source that is lost
}

// draw draws them. Only a run in which the source's second topic is deleted creates it again, and only one with a third cluster has
// another source.
func (z *zombies) draw(g *generator) {
	z.fences, z.repeats = g.chance(fencesOf, 40), g.chance(repeatsOf, 25)
	z.recreates = g.topics.deleted == 1 && g.chance(recreatesOf, 60)
	z.replaces = g.x.third && g.chance(replacesOf, 60)
}

// fence adds fences of that cluster's transactional client to the window, some of them while an end is prepared or between steps of
// the next stop, and some on the other cluster, whose coordinator may know the client too.
func (z *zombies) fence(g *generator, from, to string) {
	client := g.transactional(from)
	if client == "" || !z.fences {
		return
	}
	for range g.ask(fencesOf, 3) {
		p := faults.Planned{Fault: faults.Fault{Kind: faults.FenceProducer, Target: faults.Target{Node: client}}}
		switch g.ask(fenceOf, 8) {
		case 4:
			p.Fault.Target.Peer = to
		case 5:
			p.When = faults.When{Point: point.EndPrepared, Nth: 1 + uint32(g.ask(fenceOf, 2))}
		case 6, 7:
			p.When = faults.When{Point: point.FetcherRemoved + point.Point(g.ask(fenceOf, 5)), Nth: 1 + uint32(g.ask(fenceOf, 2))}
		}
		g.at(g.some(), &format.Fault{Plan: p})
	}
}

// repeat adds old requests of a mirror's admin to the window, more often new ones than very old ones.
func (z *zombies) repeat(g *generator, to string) {
	if !z.repeats {
		return
	}
	for range g.ask(repeatsOf, 3) {
		nth := 1 + uint32(g.ask(repeatOf, 3)+g.ask(repeatOf, 3))
		f := faults.Fault{Kind: faults.RepeatRequest, Target: faults.Target{Node: to}, Nth: nth}
		g.at(g.some(), &format.Fault{Plan: faults.Planned{Fault: f}})
	}
}

// recreate creates the second topic again at its source, soon after it was deleted there or a while after, writes to it, and has the
// operator ask for it under the name that the destination has the old copy by.
func (z *zombies) recreate(g *generator) {
	if !z.recreates {
		return
	}
	for _, x := range g.timed {
		if _, ok := x.do.(*format.DeleteTopics); !ok {
			continue
		}
		at := x.at + id.Millisecond*id.Duration(g.ask(offsetOf, 100)*g.ask(offsetOf, 100))
		g.at(at, &format.CreateTopics{Topics: []string{"u"}, On: "A"})
		for range 1 + g.ask(burstsOf, 3) {
			at += id.Millisecond * id.Duration(g.ask(offsetOf, 2000))
			a := &format.Produce{Client: "p", To: format.TP{Cluster: "A", Topic: "u"}, Count: 1 + g.ask(countOf, 6), Acks: -1, PID: -1, Batch: 1}
			g.records += a.Count
			g.at(at, a)
		}
		g.at(at, g.asked(format.StartTopics, "u", "B", otherMirror))
		return
	}
}

// recreateEnds has the operator give the old copy up, so that a start brings the new topic.
func (z *zombies) recreateEnds(g *generator) {
	if !z.recreates {
		return
	}
	mirror := format.MirrorRef{Cluster: "B", Name: otherMirror}
	copied := format.TP{Cluster: "B", Topic: "u"}
	g.then(g.asked(format.StopTopics, "u", "B", otherMirror))
	g.wait(format.StateIs{TP: copied, State: record.Stopped}, patience)
	g.then(&format.DeleteMirror{Mirror: mirror})
	g.then(&format.DeleteTopics{Topics: []string{"u"}, On: "B"})
	g.then(&format.CreateMirror{Mirror: mirror})
	g.then(g.asked(format.StartTopics, "u", "B", otherMirror))
	g.wait(format.StateIs{TP: copied, State: record.Mirroring}, patience)
}

// replace has the third cluster for the source of the cluster that is left in charge when the other one is lost: it may be a mirror of
// either, still or not any more, and have taken records of its own.
func (z *zombies) replace(g *generator) {
	if !z.replaces || g.lost == "" {
		return
	}
	left := map[string]string{"A": "B", "B": "A"}[g.lost]
	mirror := format.MirrorRef{Cluster: left, Name: "m"}
	g.then(&format.Fault{Plan: faults.Planned{Fault: faults.Fault{Kind: faults.Isolate, Target: faults.Target{Node: g.lost}}}})
	for range g.ask(replacesOf, 3) {
		a := &format.Produce{Client: "q", To: g.anyPartition("C"), Count: 1 + g.ask(countOf, 6), Acks: -1, PID: -1}
		a.Batch = g.batch(a.Count, 4)
		g.records += a.Count
		g.then(a)
	}
	g.then(&format.DeleteMirror{Mirror: mirror})
	g.then(&format.CreateMirror{Mirror: mirror, From: "C"})
	g.then(request(format.StartTopics, left))
	for _, tp := range g.partitions(left) {
		g.wait(format.StateIs{TP: tp, State: record.Mirroring}, lagPatience)
	}
	if g.ask(replacesOf, 2) == 1 {
		g.startOver(left)
	}
}

// startOver has the operator give up the copy of t on a cluster, whose new source may have told of no position, for that of the source.
func (g *generator) startOver(left string) {
	g.then(request(format.StopTopics, left))
	g.waitStopped(left)
	g.then(&format.DeleteTopics{Topics: []string{"t"}, On: left})
	g.then(request(format.StartTopics, left))
	for _, tp := range g.partitions(left) {
		g.wait(format.StateIs{TP: tp, State: record.Mirroring}, lagPatience)
	}
}
