package plan

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// turned are the records of transactions that were committed at the source and that the stop aborted at the destination: there
// nobody reads them with read_committed. They stand in the destination's log, so that no list of the loss report has them.
func (f *folder) turned(r *checkers.LossReport, is func(*checkers.TurnedTransaction) bool) (list []at) {
	for k := range r.Turned {
		t := &r.Turned[k]
		c := int(t.Destination)
		log := f.observer.log(f.result.Ledger, c, r.Partition)
		if log == nil || !is(t) {
			continue
		}
		for _, b := range log.Batches() {
			if !b.IsData() || !b.Transactional || b.ProducerID != t.ProducerID || b.Base < t.First || b.Base >= t.Abort {
				continue
			}
			for n, x := range b.Records {
				list = append(list, at{c, b.OffsetOf(n), x.Key, x.Value})
			}
		}
	}
	return list
}

// extra adds the records that no list of the loss report has, and says how many of the operator's they are.
func (f *folder) extra(sum *amount, x *scriptPart, r *checkers.LossReport, list []at, but ...[]checkers.LostRecord) int64 {
	before := sum.records
	known := slices.Concat(but...)
	for _, one := range list {
		if slices.ContainsFunc(known, func(k checkers.LostRecord) bool { return k.Key == one.key && k.Value == one.value }) {
			continue
		}
		weighed := sum.records
		f.weigh(sum, x, one)
		if f.observer.acknowledged(r.Partition, one) {
			sum.acknowledged += sum.records - weighed
		}
	}
	return sum.records - before
}

// turnedWords say why records are lost that both clusters have, and what the failback, if there is one, makes of it.
func turnedWords(n int64, source string, failback bool) string {
	switch {
	case n == 0:
		return ""
	case failback:
		return fmt.Sprintf("of the worst run, %s stand on %s still, but their transactions were committed there, and are so no more: the "+
			"failback has brought the ABORT of the stop", records(n), source)
	}
	return fmt.Sprintf("of the worst run, %s were mirrored, but their transactions were committed on %s only, and aborted by the stop: "+
		"with read_committed nobody reads them again", records(n), source)
}

// keep takes note of what an old side has when it is aligned to the cluster that took over.
func (o *observer) keep(l *checkers.Ledger, e *event.Event) {
	k := copied{e.Partition, int(o.script.clusterOf(e))}
	log := o.log(l, k.cluster, e.Partition)
	if log == nil || !slices.Contains(o.fenced, k) {
		return
	}
	for _, b := range log.Batches() {
		for n, x := range b.Records {
			if r := (at{k.cluster, b.OffsetOf(n), x.Key, x.Value}); b.IsData() && !slices.Contains(o.kept[k], r) {
				o.kept[k] = append(o.kept[k], r)
			}
		}
	}
}

// belowStart are the records that an old side had, and that are below its log start now. A failback raises that to the log start of
// the new source (section 10 of the design), where nobody has those records any more; the loss report takes it for retention.
func (f *folder) belowStart(p id.Partition, c int) (list []at) {
	log := f.observer.log(f.result.Ledger, c, p)
	if log == nil {
		return nil
	}
	for _, r := range f.observer.kept[copied{p, c}] {
		if r.offset < log.Start {
			list = append(list, r)
		}
	}
	return list
}

// discardWords say what else is among the discarded records than what was cut.
func (a *answers) discardWords(d *discard) string {
	var parts []string
	old, source := a.plan.Clusters[d.cluster].Name, a.plan.Clusters[1-d.cluster].Name
	if d.below > 0 {
		parts = append(parts, fmt.Sprintf("of the worst run, %s stood below the log start of %s, and %s takes that over: nobody has them any "+
			"more", records(d.below), source, old))
	}
	if text := turnedWords(d.turned, old, true); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
