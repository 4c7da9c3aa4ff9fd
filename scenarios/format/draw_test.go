package format

import (
	"strings"

	"pgregory.net/rapid"

	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/sim/choice"
)

// drawScenario makes a scenario of at most 30 steps that uses every statement.
func drawScenario(t *rapid.T) *Scenario {
	s := &Scenario{Name: drawName(t), Story: drawNote(t), EndNote: drawNote(t)}
	drawProtocol(t, s)
	drawTopology(t, s)
	n := rapid.IntRange(0, 12).Draw(t, "steps")
	for range n {
		s.Steps = append(s.Steps, drawStep(t, s, 0))
		if rapid.IntRange(0, 2).Draw(t, "expect") == 0 {
			s.Expect = append(s.Expect, drawExpect(t, s))
		}
	}
	if rapid.Bool().Draw(t, "second phase") {
		live := &Live{Core: rapid.SampledFrom([][]string{nil, {"b0"}, {"a1", "b1", "a0"}}).Draw(t, "core")}
		if rapid.Bool().Draw(t, "within") {
			live.Within = drawTime(t)
		}
		s.Steps = append(s.Steps, Step{Pos: drawPos(t), Do: live})
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "deviations") {
		s.Schedule = append(s.Schedule, choice.Deviation{
			Key: choice.Key{Label: choice.Label(rapid.IntRange(0, choice.Labels-1).Draw(t, "label")),
				Subject: rapid.Uint32().Draw(t, "subject"), Nth: uint32(i)},
			Value: rapid.Uint32Min(1).Draw(t, "value")})
	}
	if len(s.Schedule) > 0 {
		s.ScheduleNote = drawNote(t)
	}
	for range rapid.IntRange(0, 2).Draw(t, "wrong") {
		w := Wrong{Pos: drawPos(t), Property: rapid.SampledFrom(Properties()).Draw(t, "property")}
		w.Sets = withoutPlaces(drawSets(t))
		switch {
		case rapid.Bool().Draw(t, "revision"):
			w.Revision = rapid.SampledFrom([]string{"add-remove", "start-stop", "aligned"}).Draw(t, "wrong revision")
			w.Mend = withoutPlaces(drawSets(t))
		case len(w.Sets) == 0:
			w.Defect = drawName(t)
		}
		s.Wrong = append(s.Wrong, w)
	}
	return s
}

// withoutPlaces are the decisions of a wrong line, which have no place of their own.
func withoutPlaces(sets []Set) []Set {
	for i := range sets {
		sets[i].Pos = Pos{}
	}
	return sets
}

func drawName(t *rapid.T) string {
	return rapid.StringMatching(`[A-Za-z0-9_-][A-Za-z0-9._-]{0,5}`).Draw(t, "name")
}

func drawNote(t *rapid.T) string {
	lines := rapid.SliceOfN(rapid.StringMatching(`[ -~]{0,12}[!-~]`), 0, 2).Draw(t, "note")
	return strings.Join(lines, "\n")
}

func drawPos(t *rapid.T) Pos {
	if rapid.IntRange(0, 3).Draw(t, "noted") > 0 {
		return Pos{}
	}
	return Pos{Note: drawNote(t)}
}

func drawSets(t *rapid.T) (sets []Set) {
	for _, d := range protocol.Decisions() {
		if rapid.IntRange(0, 40).Draw(t, "set") == 0 {
			key := rapid.SampledFrom([]string{d.ID, d.Name, strings.ToLower(d.ID)}).Draw(t, "key")
			c, err := protocol.Revision("aligned")
			if err != nil {
				t.Fatal(err)
			}
			token := c.Get(d.ID)
			if d.ID != "D3" { // its options are not alternatives: it takes all of them in an order
				token = rapid.SampledFrom(d.Options).Draw(t, "option").Token
			}
			sets = append(sets, Set{drawPos(t), key, token})
		}
	}
	return sets
}

func drawProtocol(t *rapid.T, s *Scenario) {
	if rapid.Bool().Draw(t, "revision") {
		s.Revision = rapid.SampledFrom([]string{"first", "start-stop", "add-remove", "aligned"}).Draw(t, "name")
		s.RevisionAt = drawPos(t)
	}
	s.Sets = drawSets(t)
	for _, set := range []Set{{Key: "replica-lag", Token: "5s"}, {Key: "state-partitions", Token: "3"}} {
		if rapid.Bool().Draw(t, "setting") {
			set.Pos = drawPos(t)
			s.Settings = append(s.Settings, set)
		}
	}
}

func drawTopology(t *rapid.T, s *Scenario) {
	for _, name := range []string{"A", "B"} {
		s.Clusters = append(s.Clusters, Cluster{drawPos(t), name, rapid.IntRange(2, 4).Draw(t, "brokers"),
			rapid.IntRange(1, 3).Draw(t, "controllers")})
	}
	for i, name := range []string{"t", "my-topic", "x.y"} {
		a := Topic{Pos: drawPos(t), Name: name, On: "A", Partitions: i + 1, Replicas: 2}
		b := Topic{Pos: drawPos(t), Name: name, On: "B", Partitions: i + 1, Replicas: 2}
		b.IDOf = rapid.SampledFrom([]string{"", "A"}).Draw(t, "id-of")
		b.MinISR = rapid.IntRange(0, 2).Draw(t, "min-isr")
		if rapid.Bool().Draw(t, "assign") {
			b.Assign = []string{"b1", "b0"}
		}
		for _, flag := range []*bool{&b.Unclean, &b.MirrorUnclean, &a.RemoteStorage, &a.Absent} {
			*flag = rapid.Bool().Draw(t, "flag")
		}
		s.Topics = append(s.Topics, a, b)
	}
	if rapid.Bool().Draw(t, "state topic") {
		s.Topics = append(s.Topics, Topic{Name: StateTopic, On: "B", Partitions: 2, Replicas: 1, Assign: []string{"b1"}})
	}
	if rapid.Bool().Draw(t, "group topic") {
		s.Topics = append(s.Topics, Topic{Name: GroupTopic, On: "B", Partitions: 1, Replicas: 1})
	}
	if rapid.Bool().Draw(t, "transaction topic") {
		s.Topics = append(s.Topics, Topic{Name: TransactionTopic, On: "A", Partitions: 2, Replicas: 2, Unclean: true})
	}
	for k, name := range []string{"p", "tx", "r", "g"} {
		c := Client{Pos: drawPos(t), Name: name, Kind: ClientKind(k), On: "A"}
		c.Plain = c.Kind == Producer && rapid.Bool().Draw(t, "plain")
		s.Clients = append(s.Clients, c)
	}
	for _, m := range []Mirror{{Name: "m", From: "A", To: "B"}, {Name: "m", From: "B", To: "A"}, {Name: "n", From: "A", To: "B"}} {
		m.Pos, m.Absent = drawPos(t), rapid.Bool().Draw(t, "absent")
		m.Include, m.Exclude = drawPatterns(t), drawPatterns(t)
		m.Groups, m.NoGroups = drawPatterns(t), drawPatterns(t)
		m.Include, m.Exclude, m.ExcludeConfigs = drawPatterns(t), drawPatterns(t), drawPatterns(t)
		m.Acls = rapid.SampledFrom([][]string{nil, {"topic:t"}, {"group:.*", "topic:a{2}#|b"}}).Draw(t, "acls")
		s.Mirrors = append(s.Mirrors, m)
	}
}

// drawPatterns is a list for a mirror, which may be empty.
func drawPatterns(t *rapid.T) []string {
	return rapid.SampledFrom([][]string{nil, {"t"}, {"x[.]y", "my-.*"}, {"a{2}#|b", "__.*"}}).Draw(t, "patterns")
}

func drawTP(t *rapid.T, s *Scenario) TP {
	topic := rapid.SampledFrom(s.Topics[:6]).Draw(t, "topic")
	return TP{Cluster: topic.On, Topic: topic.Name, Partition: rapid.IntRange(0, topic.Partitions-1).Draw(t, "partition")}
}

func drawReplica(t *rapid.T, s *Scenario) TP {
	tp := drawTP(t, s)
	if rapid.Bool().Draw(t, "replica") {
		tp.Node = strings.ToLower(tp.Cluster) + "1"
	}
	return tp
}

func drawTime(t *rapid.T) id.Duration { return id.Duration(rapid.Int64Range(1, 1<<53).Draw(t, "time")) }

func drawStep(t *rapid.T, s *Scenario, depth int) Step {
	step := Step{Pos: drawPos(t)}
	switch n := rapid.IntRange(0, 9).Draw(t, "kind of step"); {
	case n == 0 && depth < 2:
		r := &Repeat{Count: rapid.IntRange(1, 5).Draw(t, "count"), EndNote: drawNote(t)}
		for range rapid.IntRange(1, 3).Draw(t, "body") {
			r.Body = append(r.Body, drawStep(t, s, depth+1))
		}
		step.Do = r
	case n < 3:
		until := &Until{Cond: drawCondition(t, s)}
		if rapid.Bool().Draw(t, "within") {
			until.Within = drawTime(t)
		}
		until.OrGoOn = rapid.Bool().Draw(t, "or go on")
		step.Do = until
	default:
		step.Do = drawAct(t, s)
		if step.When.Kind = WhenKind(rapid.IntRange(0, 2).Draw(t, "when")); step.When.Kind != Then {
			step.When.Time = drawTime(t) - 1
		}
	}
	return step
}

func drawAct(t *rapid.T, s *Scenario) Act {
	switch rapid.IntRange(0, 14).Draw(t, "act") {
	case 14:
		return &Compact{drawTP(t, s), rapid.SampledFrom([][]int64{nil, {0}, {3, 7, 1 << 53}}).Draw(t, "keep")}
	case 13:
		return &Retention{drawTP(t, s), rapid.Int64Range(1, 1<<53).Draw(t, "before")}
	case 0:
		p := &Produce{Client: rapid.SampledFrom([]string{"p", "tx"}).Draw(t, "client"), To: drawTP(t, s),
			Count: rapid.IntRange(1, maxRecords).Draw(t, "count"), Acks: int8(rapid.IntRange(-1, 1).Draw(t, "acks")),
			PID: -1, Batch: rapid.IntRange(1, 9).Draw(t, "batch")}
		if p.Client == "tx" {
			p.Acks, p.PID = -1, rapid.Int64Range(-1, 1<<53).Draw(t, "pid")
		}
		return p
	case 1:
		client := rapid.SampledFrom([]string{"r", "g"}).Draw(t, "client")
		return &Consume{client, drawTP(t, s), rapid.Bool().Draw(t, "committed"),
			Reset(rapid.IntRange(0, 2).Draw(t, "reset"))}
	case 2:
		return &Commit{rapid.SampledFrom([]string{"tx", "g"}).Draw(t, "client"), rapid.SampledFrom([]string{"", "B"}).Draw(t, "on")}
	case 3:
		on := rapid.SampledFrom([]string{"", "B"}).Draw(t, "on")
		return rapid.SampledFrom([]Act{&Abort{"tx", on}, &Leave{"g", on}, &ResetOffset{"g", drawTP(t, s), rapid.Int64Range(0, 99).Draw(t, "to")}}).Draw(t, "end")
	case 4:
		return &Fault{drawFault(t, s)}
	case 5:
		tp := rapid.SampledFrom([]TP{drawTP(t, s), {"A", TransactionTopic, 1, ""}}).Draw(t, "partition")
		e := &Elect{Partition: tp, Unclean: rapid.Bool().Draw(t, "unclean")}
		if e.Partition.Cluster == "B" && rapid.Bool().Draw(t, "coordinator") {
			e.Coordinator = MirrorRef{Name: "n"}
		}
		e.To = rapid.SampledFrom([]string{"", strings.ToLower(e.Partition.Cluster) + "1"}).Draw(t, "to")
		return e
	}
	return drawRequest(t, s)
}

// drawRequest is a request of an admin for a mirror, topics or records, or a move of a producer.
func drawRequest(t *rapid.T, s *Scenario) Act {
	ref := rapid.SampledFrom([]MirrorRef{{"A", "m"}, {"B", "m"}, {"", "n"}, {"B", "n"}}).Draw(t, "mirror")
	topics := rapid.SampledFrom([][]string{{"t"}, {"x.y", "my-topic"}, {"t", "x.y", "my-topic"}}).Draw(t, "topics")
	on := rapid.SampledFrom([]string{"A", "B"}).Draw(t, "on")
	switch rapid.IntRange(0, 10).Draw(t, "request") {
	case 0:
		return &CreateMirror{Mirror: ref}
	case 1:
		return &DeleteMirror{ref}
	case 2:
		tp := drawTP(t, s)
		if ref.Name == "n" {
			ref = MirrorRef{"B", "n"}
		}
		tp.Cluster = ref.Cluster
		return &Describe{tp, ref}
	case 3:
		return &DeleteTopics{topics, on}
	case 4:
		return &CreatePartitions{topics, on, rapid.IntRange(1, maxPartitions).Draw(t, "partitions")}
	case 5:
		return &DeleteRecords{drawTP(t, s), rapid.Int64Range(-1, 1<<53).Draw(t, "before")}
	case 10:
		return &CreateTopics{topics, on}
	case 9:
		return &AlterAcl{rapid.Bool().Draw(t, "remove"), drawAcl(t), on}
	case 8:
		return &Config{topics, on, rapid.SampledFrom([]string{"retention.ms", "mirror.name"}).Draw(t, "key"),
			rapid.SampledFrom([]string{"", "1000", "x=y,*"}).Draw(t, "value")}
	case 6:
		if shared := sharedTopic(s); shared != nil {
			tp := TP{Cluster: "A", Topic: shared.Name, Partition: rapid.IntRange(0, shared.Partitions-1).Draw(t, "partition")}
			to := tp
			to.Cluster = "B"
			return &Move{"p", tp, to}
		}
	}
	a := &Operate{Request: Request(rapid.IntRange(0, 4).Draw(t, "which")), Topics: topics, Mirror: ref}
	if a.Request == StopTopics {
		if a.Patterns = drawPatterns(t); len(a.Patterns) > 0 && rapid.Bool().Draw(t, "patterns only") {
			a.Topics = nil
		}
	}
	return a
}

// sharedTopic is a topic of B that has the id of A's.
func sharedTopic(s *Scenario) *Topic {
	for i := range s.Topics {
		if s.Topics[i].IDOf != "" {
			return &s.Topics[i]
		}
	}
	return nil
}

func drawFault(t *rapid.T, s *Scenario) faults.Planned {
	text := rapid.SampledFrom([]string{"crash b1", "crash leader B/t-0 for 3s if-spared", "power-loss coordinator A/m A/my-topic-1", "cut a0>b1 for 1500ms",
		"cut A>b1", "delay a-log by=2s for 1m", "delay p>b-c0 by=1us", "heal b1", "heal A", "heal a0>B", "pause leader B/t-0 for 9s", "pause p",
		"slow coordinator n B/t-0 by=1s", "isolate A for 2s", "isolate B", "stale b1 for 3s", "stale a-c0 for 1h", "move-coordinator A/m A/my-topic-1",
		"move-coordinator n B/t-0 to=b1", "drop a0>b1 api=FetchRequest", "drop A>B api=WriteMirrorStatesResponse nth=7",
		"drop b0 api=MetadataFetchResponse for 4s", "late A>b1 by=3s api=BumpLeaderEpochResponse", "twice leader B/t-0 by=5ms api=ProduceRequest nth=2",
		"disk-slow b0 by=700ms for 10s", "disk-full leader B/t-0 for 3s", "disk-error b1", "disk-error b1 B/t-0 for 1s", "disk-error leader B/t-0 B/my-topic-1",
		"corrupt A/t-0 offset=4 for 10s", "corrupt A/t-0 offset=0", "fence-producer tx", "fence-producer tx on B", "repeat-request B", "repeat-request A nth=3"}).Draw(t, "fault")
	p, err := faults.Parse(strings.Fields(text))
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "at a point") {
		p.When = faults.When{Point: point.Point(rapid.IntRange(1, point.Points-1).Draw(t, "point")),
			Nth: rapid.Uint32Range(1, 5).Draw(t, "nth"),
			On:  rapid.SampledFrom([]faults.Target{{}, {Node: "b1"}, {Role: "leader B/t-0"}, {Role: "coordinator n B/t-0"}}).Draw(t, "on")}
	}
	return p
}

func drawCondition(t *rapid.T, s *Scenario) Condition {
	tp, n := drawTP(t, s), rapid.Int64Range(0, 16).Draw(t, "n")
	at, broker := drawReplica(t, s), strings.ToLower(tp.Cluster)+"1"
	return rapid.SampledFrom([]Condition{StateIs{tp, record.State(n) % record.State(record.States)}, LagIs{tp, n},
		ISRIs{tp, int(n)}, ReadIs{"r", n}, Quiet{}, Becomes{OffsetIs{Offset(n % 4), at, n, n%2 == 1}}, Becomes{LeaderIs{tp, broker}},
		Becomes{EpochIs{tp, comparisons[n%6], int32(n)}}, Becomes{PositionIs{tp, n - 1}}, Becomes{CommittedIs{"g", tp, n, int32(n - 1), true}},
		Becomes{AttemptsAre{tp, int(n) - 1}},
		Becomes{ReasonIs{tp, record.Reason(n) % record.Reason(record.Reasons)}}, Becomes{drawConfigIs(t, tp)},
		PassesAre{MirrorRef{"B", "m"}, n}, Becomes{drawAclIs(t, tp)}}).Draw(t, "condition")
}

func drawExpect(t *rapid.T, s *Scenario) Expect {
	tp, at, n := drawTP(t, s), drawReplica(t, s), rapid.Int64Range(0, 1<<31-1).Draw(t, "n")
	small := int(n % maxRecords)
	list := []Expectation{
		LogIs{at, drawRuns(t)}, OffsetIs{Offset(n % 4), at, n, n%2 == 1}, Now{StateIs{tp, record.State(n % int64(record.States))}},
		EpochIs{tp, comparisons[n%6], int32(n)}, ReportIs{Heading(n % int64(len(headings))), tp, n}, PositionIs{tp, n - 1},
		Holds{rapid.SampledFrom(Properties()).Draw(t, "property")}, AttemptsAre{tp, small%1000 - 1},
		ReasonIs{tp, record.Reason(n % int64(record.Reasons))}, Now{ISRIs{tp, small % maxBrokers}}, ReadsAre{"g", n}, CommittedIs{Client: "g", TP: tp, Offset: n - 1}, GroupReadIs{n%2 == 0, "g", tp, n},
		LeaderIs{tp, rapid.SampledFrom([]string{noLeader, strings.ToLower(tp.Cluster) + "0"}).Draw(t, "leader")},
		LagWas{tp, rapid.SampledFrom([]string{unknownLag, "0", "-5", "12"}).Draw(t, "lag")}, Aborted{at, small}, drawDescribed(t, s),
		drawConfigIs(t, tp), AskedIs{MirrorRef{"", "n"}, n}, drawAclIs(t, tp),
	}
	last := len(s.Steps)
	if do := s.Steps[last-1].Do; answers(do) {
		e := ErrorIs{Step: last, Last: rapid.Bool().Draw(t, "last"), Code: wire.ReadOnlyTopic}
		if topics := TopicsIn(do); len(topics) > 0 && rapid.Bool().Draw(t, "of a topic") {
			e.Topic = topics[len(topics)-1]
		}
		list = append(list, e)
	}
	return Expect{drawPos(t), last, rapid.Bool().Draw(t, "calm"), rapid.SampledFrom(list).Draw(t, "expectation")}
}

func drawAcl(t *rapid.T) record.Acl {
	return record.Acl{Resource: record.ResourceType(rapid.IntRange(0, 2).Draw(t, "resource")), Name: "t", Principal: "alice",
		Operation: record.AclOperation(rapid.IntRange(0, 6).Draw(t, "operation")), Deny: rapid.Bool().Draw(t, "deny")}
}

func drawAclIs(t *rapid.T, tp TP) AclIs {
	return AclIs{rapid.Bool().Draw(t, "absent"), drawAcl(t), tp.Cluster}
}

func drawConfigIs(t *rapid.T, tp TP) ConfigIs {
	k := rapid.SampledFrom([]record.ConfigKey{record.RetentionMs, record.UncleanElection}).Draw(t, "config")
	return ConfigIs{tp.Topic, tp.Cluster, k, rapid.SampledFrom([]string{"", record.ConfigText(k, 1)}).Draw(t, "value")}
}

func drawDescribed(t *rapid.T, s *Scenario) DescribedIs {
	e := DescribedIs{TP: drawTP(t, s), Desired: "paused", State: "FAILED", Reason: "corrupt-batch", Attempts: "-1", Lag: "7", Position: "-1"}
	if e.TP.Cluster == "B" {
		e.Mirror = rapid.SampledFrom([]MirrorRef{{}, {"", "n"}, {"B", "m"}}).Draw(t, "in")
	}
	for _, option := range []*string{&e.Desired, &e.State, &e.Reason, &e.Attempts, &e.Lag} {
		if rapid.Bool().Draw(t, "left out") {
			*option = ""
		}
	}
	return e
}

func drawRuns(t *rapid.T) (runs []Run) {
	next, epoch := int64(0), int32(0)
	for range rapid.IntRange(0, 3).Draw(t, "runs") {
		next += rapid.Int64Range(0, 2).Draw(t, "gap")
		epoch += int32(rapid.IntRange(0, 2).Draw(t, "epochs"))
		r := Run{First: next, Last: next + rapid.Int64Range(0, 4).Draw(t, "more"), Epoch: epoch,
			Whole: rapid.Bool().Draw(t, "whole")}
		if rapid.IntRange(0, 3).Draw(t, "control") == 0 {
			r.Control, r.Last, r.Whole = rapid.SampledFrom(controls).Draw(t, "type"), r.First, false
		}
		next = r.Last + 1
		runs = append(runs, r)
	}
	return runs
}
