package plan

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/checkers"
)

// sentence is an answer in words.
func (a *answers) sentence(x *Answer, q Question) string {
	text := ""
	switch x.Answer {
	case NotAnswered:
		return "Not answered."
	case Never:
		if a.nobody(q) {
			return neverWords[q] + ": the file has none."
		}
		text = fmt.Sprintf("%s in any of %s: with 95 %% confidence %s in at most %.3g %% of such schedules.", neverWords[q],
			runs(len(a.runs)), boundWords[q], 100**x.Bound)
	default:
		text = a.found(x, q)
	}
	if len(x.Unanswered) > 0 {
		text += " Part of it is not answered."
	}
	return text
}

var neverWords = [questions]string{Lost: "Nothing was lost", Discarded: "Nothing was discarded",
	Groups: "No group skipped or read again", Writing: "No producer wrote to the old side after the stop",
	Finished: "Nothing was left unfinished"}

var boundWords = [questions]string{Lost: "something is lost", Discarded: "something is discarded", Groups: "one does",
	Writing: "one does", Finished: "something is"}

// found says what there is, over all items.
func (a *answers) found(x *Answer, q Question) string {
	when := "In some runs"
	if x.Answer == Certain {
		when = "In every run"
	}
	var subjects []string
	most := map[string]int64{}
	about := map[string]bool{}
	for _, i := range x.Items {
		if i.Runs > 0 {
			subjects = append(subjects, i.Subject)
			most[i.What] += i.Most
			about[i.What] = about[i.What] || i.About
		}
	}
	subjects = few(subjects)
	worst := func(what string) string {
		return spread(most[what], most[what], about[what]) + " " + checkers.Noun(most[what], "record", "records")
	}
	switch q {
	case Lost:
		return fmt.Sprintf("%s something is lost: at worst %s of %s.", when, worst("lost"), list(subjects))
	case Discarded:
		return fmt.Sprintf("%s something is discarded: at worst %s of %s.", when, worst("discarded"), list(subjects))
	case Groups:
		var parts []string
		if most["skipped"] > 0 {
			parts = append(parts, worst("skipped")+" skipped")
		}
		if most["read-again"] > 0 {
			parts = append(parts, worst("read-again")+" read again")
		}
		return fmt.Sprintf("%s a group skips or reads again: at worst %s.", when, list(parts))
	case Writing:
		return fmt.Sprintf("%s the old side is still written to after the stop: at worst %s, %s.", when, worst("written"), list(subjects))
	}
	if x.Answer == Certain {
		return fmt.Sprintf("In every run something is not finished: %s.", list(subjects))
	}
	return fmt.Sprintf("In some runs something is not finished: %s.", list(subjects))
}

// fewest is how many names a sentence has.
const fewest = 4

// few is each name once, and no more than a sentence bears.
func few(names []string) (some []string) {
	seen := map[string]bool{}
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			some = append(some, n)
		}
	}
	if n := len(some); n > fewest {
		some = append(some[:fewest:fewest], checkers.Several(n-fewest, "other", "others"))
	}
	return some
}

// notes say what was taken to be so, and what of the file the scenario has otherwise.
func (p *Plan) notes(s *script) (all []string) {
	if s == nil {
		return nil
	}
	all = append(all, p.scaleNote(s), p.ageNote(s), p.producerNote())
	pause := "In half of the schedules the mirrors stand still until the first step; in the others they go on for up to 2500ms " +
		"before it."
	if s.far() {
		pause = "The mirrors stand still until the first step: some are more than 50 records behind, and how fast they catch " +
			"up the file does not say."
	}
	all = append(all, pause, p.groupNote())
	var unknown []string
	for _, x := range s.parts {
		m := s.mirrorOf(x)
		if x.Sides[m.From].Epochs == nil || x.MirroredEnd != nil && x.Sides[m.To].Epochs == nil {
			unknown = append(unknown, x.title())
		}
		for _, l := range x.leftOut {
			all = append(all, fmt.Sprintf("The replica of %s on broker %d of %s is left out: it is out of the ISR, though its "+
				"broker is up.", x.title(), l.broker, p.Clusters[l.side].Name))
		}
	}
	if len(unknown) > 0 {
		all = append(all, "The file does not have the epoch histories of "+list(few(unknown))+
			" on both sides: what a cluster wrote by itself is taken to be of one leader epoch.")
	}
	all = append(all, "Leader epochs are counted anew from 0, in their order.")
	var said []string
	for _, n := range all {
		if n != "" {
			said = append(said, n)
		}
	}
	return said
}

// far tells whether a mirror is further behind than is kept record by record.
func (s *script) far() bool {
	for _, x := range s.parts {
		if x.MirroredEnd == nil && x.Sides[s.mirrorOf(x).From].End-s.plan.mirrored(x.Partition) > exactly {
			return true
		}
	}
	return false
}

func (p *Plan) scaleNote(s *script) string {
	factor := int64(1)
	for _, x := range s.parts {
		factor = max(factor, x.scales[0].factor(), x.scales[1].factor())
	}
	if factor == 1 {
		return "Every record is kept."
	}
	return fmt.Sprintf("Between two offsets that mean something (ends, log starts, epochs, committed offsets) up to %d records are kept one "+
		"by one; a longer stretch is %d records, each of which stands for up to %s. What ends within such a stretch is told as about.", exactly,
		compressed, count(factor))
}

func (p *Plan) ageNote(s *script) string {
	made, goes, unseen := false, false, false
	for _, x := range s.parts {
		for c := range letters {
			if n, known := p.unseen(x.topic, x.partition, c); n > 0 || !known {
				unseen = true
			}
			if p.age(&x.Sides[c]) > 0 {
				going := x.State == "MIRRORING" && p.reachable(p.source(x.Partition.topic))
				goes = goes || going
				made = made || !going && slices.ContainsFunc(p.Producers, func(w Producer) bool {
					return w.Cluster == c && slices.Contains(w.Topics, x.topic) && p.takes(x.Partition, c, w.Acks)
				})
			}
		}
	}
	var text []string
	if goes {
		text = append(text, "Mirrors that go on are taken to have kept up since the numbers were measured, so that the lag is "+
			"that of the file.")
	}
	if made {
		text = append(text, "Where nothing is mirrored, what producers have written since the numbers were measured is counted too.")
	}
	if unseen {
		text = append(text, "What was written after the numbers were measured to brokers that went down then is not known, and not counted.")
	}
	return strings.Join(text, " ")
}

func (p *Plan) producerNote() string {
	if !p.ProducersSaid {
		return "The file names no producers: what is written while the steps are taken is not counted."
	}
	if len(p.Producers) == 0 {
		return ""
	}
	return fmt.Sprintf("Producers write at their rates for the time that each step takes, %v unless said; of more than %d records a step and "+
		"partition %d stand for all. In half of the schedules they come right before a request for a mirror, in the others right behind "+
		"it.", defaultTakes, writtenExactly, writtenShort) + p.openNote()
}

// openNote says what the file has no word for.
func (p *Plan) openNote() string {
	if !slices.ContainsFunc(p.Producers, func(x Producer) bool { return x.Transactional }) {
		return ""
	}
	return " Transactions that were open when the numbers were taken the file cannot tell, and none is: a stop aborts such a one, " +
		"and its records are then to be counted as lost."
}

func (p *Plan) groupNote() string {
	var text []string
	if slices.ContainsFunc(p.Groups, func(g Group) bool { return g.Reset == "" }) {
		text = append(text, "Where the file does not say it, auto.offset.reset is taken to be earliest.")
	}
	for i := range p.Groups {
		if !p.Groups[i].Active {
			text = append(text, "Groups that the file does not call active stay at their committed offsets until they are moved; an active one "+
				"reads on to the end.")
			break
		}
	}
	return strings.Join(text, " ")
}
