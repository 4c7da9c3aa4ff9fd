package checkers

import (
	"slices"
	"strconv"

	"mirrorsim/model/id"
)

// AppendText appends the report as text for people: one line a failover and an alignment, then the headings that are
// not empty, with one line a record.
func (r *LossReport) AppendText(dst []byte, names *id.Names) []byte {
	dst = append(dst, "partition "+names.Partition(r.Partition)...)
	switch {
	case r.Decided && r.Authority == noCluster:
		dst = append(dst, ": no cluster is in charge, the topic was deleted\n"...)
	case r.Decided:
		dst = append(dst, ": "+names.Cluster(r.Authority)+" is in charge\n"...)
	case r.empty():
		return append(dst, ": no stop was completed\n"...)
	case r.Authority == noCluster:
		dst = append(dst, ": no stop was completed\n"...)
	default:
		dst = append(dst, ": no stop was completed, "+names.Cluster(r.Authority)+" was the source first\n"...)
	}
	for i := range r.Failovers {
		dst = r.Failovers[i].appendText(dst, names)
	}
	for i := range r.Alignments {
		dst = r.Alignments[i].appendText(dst, names)
	}
	if r.BothWritable > 0 {
		dst = append(dst, "  both sides were writable for "+spellAge(r.BothWritable)+"\n"...)
	}
	for _, h := range r.headings() {
		if len(h.records) == 0 {
			continue
		}
		dst = append(dst, "  "+h.name+": "+strconv.Itoa(len(h.records))+" "+h.doc+"\n"...)
		for i := range h.records {
			dst = h.records[i].appendText(dst, names)
		}
	}
	if r.empty() {
		dst = append(dst, "  nothing is lost\n"...)
	} else {
		dst = r.appendTransactions(dst, names)
	}
	for _, g := range r.Groups {
		dst = append(dst, "  group "+names.Node(g.Group)+" on "+names.Cluster(g.Cluster)+": "+Several(g.Again, "record", "records")+" read again, "+
			num(g.PassedOver)+" passed over\n"...)
	}
	return dst
}

// appendTransactions appends what became of transactions, and what stands twice.
func (r *LossReport) appendTransactions(dst []byte, names *id.Names) []byte {
	dst = r.appendTurned(dst, names)
	if n := len(r.Hanging); n > 0 {
		dst = append(dst, "  hanging: "+Several(n, "transaction", "transactions")+" that no coordinator is going to end\n"...)
	}
	for _, x := range r.Hanging {
		dst = append(dst, "    "+names.Cluster(x.Cluster)+" "+names.Partition(r.Partition)+" producer "+num(x.ProducerID)+" epoch "+
			num(int64(x.Epoch))+" from "+num(x.First)+", for "+spellAge(x.Age)+"\n"...)
	}
	if n := len(r.Duplicates); n > 0 {
		dst = append(dst, "  duplicates: "+Several(n, "record", "records")+" that "+Noun(n, "stands", "stand")+" on both sides of a producer reset\n"...)
	}
	for _, x := range r.Duplicates {
		dst = append(dst, "    "+names.Cluster(x.Cluster)+" record "+strconv.FormatUint(x.Key, 10)+"/"+
			strconv.FormatUint(x.Value, 10)+" at "+num(x.First)+" and "+num(x.Second)+"\n"...)
	}
	return dst
}

// appendTurned appends the transactions that stops have turned round: those of the source, then those of the cluster's own.
func (r *LossReport) appendTurned(dst []byte, names *id.Names) []byte {
	own := slices.DeleteFunc(slices.Clone(r.Turned), func(x TurnedTransaction) bool { return x.Source != x.Destination })
	if n := len(r.Turned) - len(own); n > 0 {
		dst = append(dst, "  turned round: "+Several(n, "transaction", "transactions")+" committed at the source, and aborted by the stop\n"...)
	}
	for _, x := range r.Turned {
		if x.Source != x.Destination {
			dst = append(dst, "    "+clusterName(x.Source, names)+" -> "+x.text(names)+"; at the source it is "+x.AtSource+"\n"...)
		}
	}
	if n := len(own); n > 0 {
		dst = append(dst, "  turned round: "+Several(n, "transaction", "transactions")+" of the cluster's own, which its coordinator "+
			"committed, and aborted by the stop\n"...)
	}
	for i := range own {
		dst = append(dst, "    "+own[i].text(names)+"\n"...)
	}
	return dst
}

// text is the transaction as it stands where the stop has aborted it.
func (x *TurnedTransaction) text(names *id.Names) string {
	return names.Cluster(x.Destination) + " producer " + num(x.ProducerID) + " epoch " + num(int64(x.Epoch)) + " from " + num(x.First) + ": " +
		Several(x.Records, "record", "records") + ", aborted at " + num(x.Abort)
}

// spellAge is a time in whole milliseconds.
func spellAge(d id.Duration) string { return (d / id.Millisecond * id.Millisecond).String() }

type heading struct {
	name, doc string
	records   []LostRecord
}

func (r *LossReport) headings() []heading {
	return []heading{
		{"lost", "not mirrored when the failover's stop began", r.Lost},
		{"after", "taken by the old source after the failover, and still there only", r.After},
		{"cut-by-stop", "cut by the stop, to the last stable offset", r.CutByStop},
		{"discarded", "cut when the log was aligned, and the new source does not have them", r.Discarded},
		{"trimmed", "cut, and below the log start of the new source", r.Trimmed},
		{"unexplained", "cut when the log was aligned, or below the log start of the cluster in charge, and no failover or retention accounts for it", r.Unexplained},
		{"followed", "cut from a mirror's copy, because the source did not have them any more", r.Followed},
		{"copied again", "cut, and the new source or the cluster in charge has it", r.Recopied},
	}
}

func (r *LossReport) empty() bool {
	for _, h := range r.headings() {
		if len(h.records) > 0 {
			return false
		}
	}
	return len(r.Turned)+len(r.Hanging)+len(r.Duplicates) == 0
}

func (f *Failover) appendText(dst []byte, names *id.Names) []byte {
	dst = append(dst, "  failover "...)
	dst = append(dst, clusterName(f.Source, names)+" -> "+names.Cluster(f.Destination)+" by mirror "+
		names.Mirror(f.Mirror)+": mirrored up to "...)
	dst = strconv.AppendInt(dst, f.Common, 10)
	if f.Common != f.Boundary {
		dst = strconv.AppendInt(append(dst, ", own log end "...), f.Boundary, 10)
	}
	if f.SourceEnd < 0 {
		dst = append(dst, ", source end unknown"...)
	} else {
		dst = strconv.AppendInt(append(dst, ", source end "...), f.SourceEnd, 10)
	}
	dst = strconv.AppendInt(append(dst, ", position epoch "...), int64(f.PositionEpoch), 10)
	if f.SourceDeleted {
		dst = append(dst, ", the source had deleted the topic"...)
	}
	if f.ByDeletion {
		dst = append(dst, ", and that put "+names.Cluster(f.Destination)+" in charge (source-deleted=stop)"...)
	}
	if f.Undone {
		dst = append(dst, ", undone"...)
	}
	return append(dst, '\n')
}

func (a *Alignment) appendText(dst []byte, names *id.Names) []byte {
	dst = append(dst, "  alignment "+names.Cluster(a.Cluster)+" <- "+clusterName(a.Source, names)+" by mirror "+
		names.Mirror(a.Mirror)+": "...)
	if !a.Found {
		return append(dst, "no position, so the log is copied anew\n"...)
	}
	dst = strconv.AppendInt(append(dst, "position epoch "...), int64(a.Epoch), 10)
	return append(dst, '\n')
}

func clusterName(c id.Cluster, names *id.Names) string {
	if c == noCluster {
		return "?"
	}
	return names.Cluster(c)
}

func (x *LostRecord) appendText(dst []byte, names *id.Names) []byte {
	dst = append(dst, "    "+names.Cluster(x.Cluster)+" "...)
	dst = strconv.AppendInt(dst, x.Offset, 10)
	dst = strconv.AppendInt(append(dst, '@'), int64(x.Epoch), 10)
	dst = strconv.AppendUint(append(dst, " record "...), x.Key, 10)
	dst = strconv.AppendUint(append(dst, '/'), x.Value, 10)
	if x.Acknowledged {
		return append(dst, ", acknowledged\n"...)
	}
	return append(dst, '\n')
}
