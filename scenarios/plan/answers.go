package plan

import (
	"fmt"
	"slices"
)

// stops tells whether a step stops a mirror of the topic.
func (p *Plan) stops(topic int) bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Act == actStop && slices.Contains(s.Topics, topic) })
}

// parts are the partitions of the script; none where there is no script.
func (a *answers) parts() []*scriptPart {
	if a.script == nil {
		return nil
	}
	return a.script.parts
}

// lost answers Q1: per partition the two ends, what stands beyond the mirrored one, how old that is, and what the runs lost.
func (a *answers) lost(x *Answer) {
	for n, part := range a.parts() {
		if !a.plan.stops(part.topic) {
			x.not(part.title(), "no step stops a mirror of it: - stop: {mirror: "+a.plan.Mirrors[part.Partition.topic.Mirror].Name+"}")
			continue
		}
		i := item("lost", part.Partition)
		m := a.script.mirrorOf(part)
		i.Cluster = a.plan.Clusters[m.From].Name
		a.ends(&i, part, m)
		var t tally
		for _, run := range a.runs {
			for k := range run.lost {
				if l := &run.lost[k]; l.part == n {
					if t.take(run, l.amount); t.worst == run {
						i.Why = turnedWords(l.turned, i.Cluster, false)
					}
				}
			}
		}
		a.put(&i, &t)
		i.Sentence = fmt.Sprintf("%s %s lost", often(&i), amountOf(&i))
		if !a.stoppedUnseen(x, part) || i.Runs > 0 {
			x.Items = append(x.Items, i)
		}
	}
}

// ends are what is known of a partition that is not stopped yet.
func (a *answers) ends(i *Item, part *scriptPart, m *Mirror) {
	if part.MirroredEnd != nil {
		return // the stop is of a mirror that the steps start
	}
	source, mirrored := part.Sides[m.From].End, a.plan.mirrored(part.Partition)
	beyond := source - mirrored
	age := int64(max(a.plan.age(&part.Sides[m.From]), a.plan.age(&part.Sides[m.To])))
	if part.LagAge != nil {
		age = max(age, int64(*part.LagAge))
	}
	i.SourceEnd, i.MirroredEnd, i.Beyond, i.AgeUs = &source, &mirrored, &beyond, &age
}

// amountOf is what the runs with records had.
func amountOf(i *Item) string {
	switch {
	case i.Runs == 0:
		return "a record is" // in none of them
	case i.Least == 1 && i.Most == 1:
		return "1 record is"
	}
	return spread(i.Least, i.Most, i.About) + " records are"
}

// discarded answers Q2: per partition where a failback cuts the old source, and what it discards.
func (a *answers) discarded(x *Answer) {
	for n, part := range a.parts() {
		some := false
		for c := range letters {
			if a.script.failsBack(n, c) {
				some = true
				if i := a.discardedOf(n, part, c); !a.notSeen(x, part, c) || i.Runs > 0 {
					x.Items = append(x.Items, i)
				}
			}
		}
		if !some {
			x.not(part.title(), "no step starts a mirror that leads back: - start: {mirror: MIRROR}")
		}
	}
}

func (a *answers) discardedOf(n int, part *scriptPart, c int) Item {
	i := item("discarded", part.Partition)
	i.Cluster = a.plan.Clusters[c].Name
	var t tally
	for _, run := range a.runs {
		for k := range run.discarded {
			d := &run.discarded[k]
			if d.part != n || d.cluster != c {
				continue
			}
			t.take(run, d.amount)
			i.cutAt(d)
			i.CopiedAgain = max(i.CopiedAgain, d.copiedAgain)
			if t.worst == run {
				i.Unexplained, i.Why = d.unexplained, a.discardWords(d)
			}
		}
	}
	a.put(&i, &t)
	i.Sentence = fmt.Sprintf("%s %s discarded on %s", often(&i), amountOf(&i), i.Cluster)
	if i.CopiedAgain > 0 {
		i.Sentence += fmt.Sprintf("; up to %s that both have are cut and copied again", records(i.CopiedAgain))
	}
	if i.Cut != nil && i.Cut.Anew > 0 {
		i.Sentence += fmt.Sprintf("; in %s the log is copied again from its start", runs(i.Cut.Anew))
	}
	if i.Unexplained > 0 {
		i.Sentence += fmt.Sprintf("; for %s of the worst run no failover accounts", count(i.Unexplained))
	}
	return i
}

// cutAt takes note of a cut.
func (i *Item) cutAt(d *discard) {
	if d.cut < 0 {
		return
	}
	if i.Cut == nil {
		i.Cut = &CutPoint{Least: d.cut, Most: d.cut}
	}
	i.Cut.Least, i.Cut.Most, i.Cut.About = min(i.Cut.Least, d.cut), max(i.Cut.Most, d.cut), i.Cut.About || d.cutAbout
	if i.Cut.Runs++; d.anew {
		i.Cut.Anew++
	}
}

// groups answers Q3: per group and partition what it skips and reads again where it goes on.
func (a *answers) groups(x *Answer) {
	if !a.plan.GroupsSaid {
		x.not("", "the file does not say which groups there are: groups: {NAME: ...}, or groups: {} for none")
		return
	}
	if len(a.plan.Groups) == 0 {
		x.Items = append(x.Items, a.none("all groups", "skipped"))
		return
	}
	if a.script == nil {
		return
	}
	for g := range a.plan.Groups {
		group := &a.plan.Groups[g]
		moves := a.movesOf(g)
		if len(moves) == 0 {
			x.not(group.Name, "no step moves it to another cluster: - move-groups: {groups: ["+group.Name+"], to: CLUSTER}")
			continue
		}
		for _, o := range group.Offsets {
			n := slices.IndexFunc(a.script.parts, func(p *scriptPart) bool { return p.topic == o.Topic && p.partition == o.Partition })
			if n < 0 {
				continue
			}
			if part := a.script.parts[n]; a.script.below(part, o.At[0]) || a.script.below(part, o.At[1]) {
				x.not(group.Name+" of "+part.title(),
					"it has committed an offset below the log starts of both clusters, which no scenario has")
				continue
			}
			for _, to := range moves {
				skipped, again := a.groupMove(g, n, to, true), a.groupMove(g, n, to, false)
				readOn := a.readOn(x, g, a.script.parts[n])
				if !readOn || skipped.Runs+again.Runs > 0 {
					x.Items = append(x.Items, skipped) // to have read on makes it less
				}
				if !readOn || again.Runs > 0 {
					x.Items = append(x.Items, again)
				}
			}
		}
	}
}

// movesOf are the clusters that steps move a group to.
func (a *answers) movesOf(group int) (to []int) {
	at := a.script.home(group)
	for _, s := range a.plan.Steps {
		if s.Act == actMoveGroups && slices.Contains(s.Names, group) && s.To != at {
			at = s.To
			if !slices.Contains(to, at) {
				to = append(to, at)
			}
		}
	}
	return to
}

// groupMove is what a group skips of a partition on its move to a cluster, or reads again.
func (a *answers) groupMove(g, n, to int, skips bool) Item {
	i := item("read-again", a.script.parts[n].Partition)
	if skips {
		i.What = "skipped"
	}
	i.Group, i.Cluster = a.plan.Groups[g].Name, a.plan.Clusters[to].Name
	i.Subject = i.Group + " of " + i.Subject
	var t tally
	for _, run := range a.runs {
		for k := range run.moves {
			m := &run.moves[k]
			if m.group != g || m.part != n || m.to != to {
				continue
			}
			sum := m.again
			if skips {
				sum = m.skipped
			}
			if t.take(run, sum); t.worst == run || i.Before == nil {
				i.Before, i.Resume, i.BeforePast, i.Why = &m.before, &m.resume, m.past, a.why(m)
			}
		}
	}
	a.put(&i, &t)
	verb := "read again"
	if skips {
		verb = "skipped"
	}
	i.Sentence = fmt.Sprintf("%s %s %s", often(&i), amountOf(&i), verb)
	return i
}

// why says how a group's two offsets stand to each other.
func (a *answers) why(m *moveOutcome) string {
	from, to := a.plan.Clusters[m.from].Name, a.plan.Clusters[m.to].Name
	before := fmt.Sprintf("its offset %s on %s", count(m.before), from)
	if m.past {
		before = fmt.Sprintf("where it had read to on %s, %s and more", from, count(m.before))
	}
	switch {
	case m.outOfRange:
		return fmt.Sprintf("the log on %s does not have the offset that it has committed there: it begins at %s by auto.offset.reset", to,
			count(m.resume))
	case m.reset:
		return fmt.Sprintf("it has no committed offset on %s, and begins at %s by auto.offset.reset", to, count(m.resume))
	case m.resume < m.before || m.past:
		return fmt.Sprintf("it goes on at %s on %s, behind %s", count(m.resume), to, before)
	case m.resume > m.before:
		return fmt.Sprintf("it goes on at %s on %s, ahead of %s", count(m.resume), to, before)
	}
	if m.skipped.records > 0 {
		return fmt.Sprintf("it goes on at %s on both, and %s has records of its own below that", count(m.resume), to)
	}
	return fmt.Sprintf("it goes on at %s on both", count(m.resume))
}

// writing answers Q4: what producers wrote to the old side behind the fence, which is the stop of the mirror.
func (a *answers) writing(x *Answer) {
	if !a.plan.ProducersSaid {
		x.not("", "the file does not say who writes: producers: {NAME: ...}, or producers: {} for none")
		return
	}
	if len(a.plan.Producers) == 0 {
		x.Items = append(x.Items, a.none("all producers", "written"))
		return
	}
	fenced := slices.ContainsFunc(a.parts(), func(p *scriptPart) bool { return p.MirroredEnd != nil || a.plan.stops(p.topic) })
	if !fenced && a.script != nil {
		x.not("", "there is no fence: no mirror is stopped, by a step or before")
		return
	}
	for w := range a.plan.Producers {
		for n, part := range a.parts() {
			for c := range letters {
				if i := a.wroteOf(w, n, part, c); i.Runs > 0 {
					x.Items = append(x.Items, i)
				}
			}
		}
	}
	if len(x.Items) == 0 {
		x.Items = append(x.Items, Item{Subject: "all producers", What: "written", Answer: Never, Of: len(a.runs),
			Sentence: fmt.Sprintf("in none of %s a record is written to the old side", runs(len(a.runs)))})
	}
}

func (a *answers) wroteOf(w, n int, part *scriptPart, c int) Item {
	i := item("written", part.Partition)
	i.Producer, i.Cluster = a.plan.Producers[w].Name, a.plan.Clusters[c].Name
	i.Subject = i.Producer + " to " + i.Subject
	var t tally
	for _, run := range a.runs {
		sum := amount{}
		for _, x := range run.wrote {
			if x.producer == w && x.part == n && x.cluster == c {
				sum.records += x.records
			}
		}
		t.take(run, sum)
	}
	a.put(&i, &t)
	i.Sentence = fmt.Sprintf("%s %s written to %s after the stop", often(&i), amountOf(&i), i.Cluster)
	return i
}

// finished answers Q5: the state that every mirrored partition ended in, and what waits.
func (a *answers) finished(x *Answer) {
	for n, part := range a.parts() {
		for c := range letters {
			i := item("unfinished", part.Partition)
			i.Cluster = a.plan.Clusters[c].Name
			i.Subject += " on " + i.Cluster
			a.fate(&i, func(e *end) bool { return e.part == n && e.cluster == c })
			if i.Of > 0 {
				x.Items = append(x.Items, i)
			}
		}
	}
	if a.script != nil && len(x.Items) == 0 && len(a.runs) > 0 {
		x.not("", "no partition was mirrored at the end of a run: an empty list is not finished")
	}
	for k, s := range a.plan.Steps {
		i := Item{Subject: fmt.Sprintf("step %d, %s", k+1, s.Act), Step: k + 1, What: "unfinished"}
		if a.fate(&i, func(e *end) bool { return e.part < 0 && e.step == k }); i.Runs > 0 {
			i.Of = len(a.runs)
			x.Items = append(x.Items, i)
		}
	}
}

// fate counts the ends of one thing, and says what the first run with the longest list waits for.
func (a *answers) fate(i *Item, is func(*end) bool) {
	var t tally
	for _, run := range a.runs {
		for k := range run.ends {
			e := &run.ends[k]
			if !is(e) {
				continue
			}
			n := amount{records: 1}
			if e.finished {
				n.records = 0
			}
			t.take(run, n)
			i.endsIn(e)
			if !e.finished && i.Why == "" {
				i.State, i.Why = e.state, e.waits
			}
			break
		}
	}
	a.put(i, &t)
	i.Least, i.Most = 0, 0
	if i.Worst != nil {
		i.Worst.Records = 0
	}
	i.Sentence = a.ended(i)
}

func (i *Item) endsIn(e *end) {
	for k := range i.Ends {
		if x := &i.Ends[k]; x.State == e.state && x.Finished == e.finished {
			x.Runs++
			return
		}
	}
	i.Ends = append(i.Ends, EndState{e.state, e.finished, 1})
}

func (a *answers) ended(i *Item) string {
	if i.Step > 0 {
		return fmt.Sprintf("in %d of %s %s", i.Runs, runs(len(a.runs)), i.Why)
	}
	var parts []string
	for _, e := range i.Ends {
		word := "finished"
		if !e.Finished {
			word = "not finished"
		}
		parts = append(parts, fmt.Sprintf("%s, %s, in %d", e.State, word, e.Runs))
	}
	text := fmt.Sprintf("%s of %s", list(parts), runs(i.Of))
	if i.Why != "" {
		text += "; " + i.Why
	}
	return text
}
