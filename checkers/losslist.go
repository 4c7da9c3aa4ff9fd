package checkers

import (
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// loss is a data batch that is gone from the log of cluster.
type loss struct {
	cluster id.Cluster
	batch   *record.Batch
	trimmed bool // a log start has passed it, or a cleaner removed it, in a log that held it; known of what was cut to be copied again
}

// lossList is what stands under one heading of the loss report, in the order in which it was listed. A report is as long as what
// was lost, but what a failover costs is not: what is below every log start is in no log any more, will not be cut again, and is
// not looked at until the report is asked for.
type lossList struct {
	settled []loss // below every log start
	live    []loss // behind those
	held    []loss // not listed, because the cluster in charge holds it, and may not be in charge for good
}

// all is the whole list; it is not to be changed.
func (x *lossList) all() []loss {
	if len(x.settled) == 0 {
		return x.live
	}
	return slices.Concat(x.settled, x.live)
}

// add lists a data batch once: a new leader may have to cut again what the old one cut.
func (x *lossList) add(c id.Cluster, b *record.Batch) {
	if b.IsData() && len(b.Records) > 0 && !listed(x.live, c, b) {
		x.live = append(x.live, loss{cluster: c, batch: b})
	}
}

// trim notes of what is on the list that a log which held it has lost it to its log start, or to its cleaner.
func (x *lossList) trim(gone []entry) {
	if slices.ContainsFunc(x.live, func(g loss) bool { return among(gone, g.batch) }) {
		x.live = slices.Clone(x.live) // clones share the old one
		for i := range x.live {
			x.live[i].trimmed = x.live[i].trimmed || among(gone, x.live[i].batch)
		}
	}
}

// drop takes off the list what stands again in the log that counts.
func (x *lossList) drop(stands func(*record.Batch) bool) {
	is := func(g loss) bool { return stands(g.batch) }
	if slices.ContainsFunc(x.live, is) {
		for _, g := range x.live {
			if is(g) && !listed(x.held, g.cluster, g.batch) {
				x.held = append(x.held, g)
			}
		}
		x.live = slices.DeleteFunc(slices.Clone(x.live), is) // clones share the old one
	}
}

// release lists again what was held and still is in the log before, but not in the log that counts now, which did not
// take over from that one. Where it did, the failover says what became of it. Either may be nil.
func (x *lossList) release(before, now *Shadow, tookOver bool) {
	var held []loss
	for _, g := range x.held {
		switch {
		case now != nil && now.mirrors(g.batch):
			held = append(held, g)
		case !tookOver && before != nil && before.mirrors(g.batch) && !listed(x.live, g.cluster, g.batch):
			x.live = append(x.live, g)
		}
	}
	x.held = held
}

// settle takes note that every log begins at or above low.
func (x *lossList) settle(low int64) {
	n := 0
	for n < len(x.live) && x.live[n].batch.Last < low {
		n++
	}
	if n > 0 {
		x.settled, x.live = append(x.settled, x.live[:n]...), x.live[n:]
	}
	if below := func(g loss) bool { return g.batch.Last < low }; slices.ContainsFunc(x.held, below) {
		x.held = slices.DeleteFunc(slices.Clone(x.held), below)
	}
}

// clip has a clone share what both have, and neither see what the other appends.
func (x *lossList) clip() {
	x.settled, x.live, x.held = slices.Clip(x.settled), slices.Clip(x.live), slices.Clip(x.held)
}

// named tells whether the list has the batch, of whatever cluster.
func (x *lossList) named(b *record.Batch) bool { return named(x.live, b) || named(x.settled, b) }

func named(list []loss, b *record.Batch) bool {
	return slices.ContainsFunc(list, func(g loss) bool { return sameRecords(g.batch, b) })
}

// listed looks from the newest entry on, where a batch that is listed twice is found soon.
func listed(list []loss, c id.Cluster, b *record.Batch) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].cluster == c && list[i].batch.Same(b) {
			return true
		}
	}
	return false
}
