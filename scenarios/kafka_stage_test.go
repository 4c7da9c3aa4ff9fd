package scenarios

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/checkers"
	"mirrorsim/model/controller"
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// staging is what a stage is set up with.
type staging struct {
	brokers, replicas, controllers int // 2, as many as brokers, and 1 where it is 0
	settings                       string
	epoch                          int32    // the leader epoch of A/t-0 at first
	scripted                       []string // brokers for which the test speaks
	more                           string   // clients and topics beside those of every stage
	late                           late
}

// late is the how-manieth message from one node to another, from 0, that those behind it overtake; none from no node.
type late struct {
	from, to string
	nth      uint32
}

// stageClients are the clients of every stage: x is scripted.
const stageClients = `client p producer on A plain
client i producer on A
client r consumer on A
client s consumer on A
client u consumer on A
client x consumer on A
`

// stage is a world with one cluster and the partition A/t-0, whose run a test drives step by step: it plays lines of a
// scenario, stops between any two inputs, and speaks for scripted nodes. What happened it reads from the history and from
// the ledger.
type stage struct {
	*testing.T
	*run
	topology string
	tp       id.Partition
	history  []event.Event
	mail     []letter // all messages that were delivered
	mark     int      // what is asked of the history is asked of the events from here on
	asked    uint32
}

func newStage(t *testing.T, set staging) *stage {
	t.Helper()
	orElse := func(n *int, otherwise int) {
		if *n == 0 {
			*n = otherwise
		}
	}
	orElse(&set.brokers, 2)
	orElse(&set.replicas, set.brokers)
	orElse(&set.controllers, 1)
	s := &stage{T: t, topology: fmt.Sprintf("scenario stage\n%s\ncluster A brokers=%d controllers=%d\n"+
		"topic t on A partitions=1 replicas=%d min-isr=1\n%s%s\n", set.settings, set.brokers, set.controllers, set.replicas, stageClients, set.more)}
	parsed, err := format.Parse("stage.scn", []byte(s.topology))
	if err != nil {
		t.Fatal(err)
	}
	config, err := parsed.Config(DefaultRevision)
	if err != nil {
		t.Fatal(err)
	}
	w, err := wireUp(parsed, config)
	if err != nil {
		t.Fatal(err)
	}
	_, s.tp = w.partition(format.TP{Cluster: "A", Topic: "t"})
	s.rewire(w, set)
	s.run = newRun(w, Options{Protocol: config, Choices: set.late.chooser(w),
		Listen:  func(e *event.Event) { s.history = append(s.history, *e) },
		Deliver: func(_ id.Duration, from, to id.Node, b wire.Body) { s.mail = append(s.mail, letter{from, to, b}) }})
	if err := s.boot(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.judged)
	s.pass(id.Second) // the brokers have their metadata: a client that asks too early would turn to the next, which may be scripted
	return s
}

func (l late) chooser(w *wiring) choice.Chooser {
	if l.from == "" {
		return nil
	}
	k := choice.Key{Label: choice.NetReorder, Subject: choice.Pair(uint8(w.node[l.from]), uint8(w.node[l.to])), Nth: l.nth}
	return choice.Replay([]choice.Deviation{{Key: k, Value: 16}}, new(int))
}

// rewire puts actors in the places of the scripted nodes, and has the partition begin in its first leader epoch.
func (s *stage) rewire(w *wiring, set staging) {
	var controllers []id.Node
	for i := range w.scenario.Clusters[0].Controllers {
		controllers = append(controllers, w.node[w.scenario.Clusters[0].Controller(i)])
	}
	for _, name := range set.scripted {
		w.boots[w.node[name]] = bootActor(controllers)
	}
	w.boots[w.node["x"]] = bootActor(nil)
	records := w.firstRecords(0)
	for i, r := range records {
		if p, ok := r.(*record.PartitionRecord); ok && p.Partition == s.tp {
			first := *p
			first.LeaderEpoch = set.epoch
			records[i] = &first
		}
	}
	w.boots[w.node[w.scenario.Clusters[0].Log()]] = controller.BootLog(records, &w.settings)
}

// judged ends the run: no property may be violated in it.
func (s *stage) judged() {
	if s.Failed() {
		return
	}
	s.finish()
	for _, v := range s.result.Verdicts {
		if v.Status == checkers.Violated {
			s.Errorf("%s is violated: %s", v.Property, v.Violations[0].Sentence)
		}
	}
	if s.result.Assertion != "" {
		s.Errorf("an assertion of the model fired: %s", s.result.Assertion)
	}
}

// play plays lines of a scenario, each of which must complete, with their expectations.
func (s *stage) play(lines string) {
	s.Helper()
	parsed, err := format.Parse("stage.scn", []byte(s.topology+lines+"\n"))
	if err != nil {
		s.Fatal(err)
	}
	for _, due := range parsed.Unroll() {
		if due.Step != nil {
			s.until(never, s.dueAt(due.Step.When))
			done := s.do(0, due.Step.Do)
			if waits, ok := s.until(done.met, s.world.Now()+done.limit); !ok {
				s.Fatalf("%s: %s", due.Step.Do.AppendText(nil), waits)
			}
		}
		s.judge(due.Expect)
	}
	for _, f := range s.result.Failures {
		s.Fatalf("%s: %s", f.Text, f.Got)
	}
}

// wait lets things happen, one input at a time, until met; for ten virtual minutes at most.
func (s *stage) wait(what string, met func() bool) {
	s.Helper()
	_, ok := s.until(func(*run) (string, bool) { return "", met() }, s.world.Now()+stepLimit)
	if !ok {
		s.Fatalf("it never happens that %s", what)
	}
}

// pass lets a span of time go by.
func (s *stage) pass(d id.Duration) {
	s.until(func(*run) (string, bool) { return "", false }, s.world.Now()+d)
}

// send has producer p write n records as one batch, and waits for nothing.
func (s *stage) send(n int32, acks int8) {
	s.world.Inject(s.node["p"], &wire.ProduceCommand{Partition: s.tp, Count: n, Batch: n, Acks: acks, ProducerID: record.NoProducer})
}

// apart cuts the links between two nodes, both ways; together heals them.
func (s *stage) apart(a, b string) { s.play("fault cut " + a + ">" + b + "\nfault cut " + b + ">" + a) }
func (s *stage) together(a, b string) {
	s.play("fault heal " + a + ">" + b + "\nfault heal " + b + ">" + a)
}

// losePower takes a broker down and keeps so many batches of each log, and so many entries of each leader-epoch checkpoint.
func (s *stage) losePower(name string, batches, epochs int64) {
	s.world.Crash(s.node[name], func(f disk.File, synced, written int64) int64 {
		if f == disk.LogFile {
			return max(synced, min(batches, written))
		}
		return max(synced, min(epochs, written))
	})
}

// elect moves the leadership by a request to the controller itself, so that it does not matter which broker is cut off.
func (s *stage) elect(to string, unclean bool) {
	s.Helper()
	res := ask[*wire.ElectLeadersResponse](s, "x", "a-c0", &wire.ElectLeadersRequest{Partition: s.tp, Unclean: unclean,
		Target: s.node[to], Client: id.None})
	if res.Code != wire.OK {
		s.Fatalf("the election of %s is answered %v", to, res.Code)
	}
}

// lead elects a broker and waits until it leads.
func (s *stage) lead(to string, unclean bool) {
	s.Helper()
	s.elect(to, unclean)
	_, epoch := s.ledger().Leader(0, s.tp)
	s.wait(to+" leads", func() bool {
		return slices.ContainsFunc(s.events(event.BecameLeader, to), func(e event.Event) bool { return e.LeaderEpoch == epoch })
	})
}

// log is the log of a broker as its events tell it.
func (s *stage) log(name string) *checkers.Shadow {
	if log := s.ledger().Log(s.node[name], s.tp); log != nil {
		return log
	}
	return &checkers.Shadow{}
}

// inSync tells whether the broker is in the ISR of the metadata log.
func (s *stage) inSync(name string) bool { return s.ledger().ISR(0, s.tp).Has(s.node[name]) }

// from has the questions to the history begin here.
func (s *stage) from() { s.mark = len(s.history) }

// events are those of a kind that a node has reported of A/t-0.
func (s *stage) events(k event.Kind, name string) []event.Event {
	var list []event.Event
	for _, e := range s.history[s.mark:] {
		if e.Kind == k && e.Node == s.node[name] && e.Partition == s.tp {
			list = append(list, e)
		}
	}
	return list
}

// cuts are the truncations of a broker's log, such as "12→10".
func (s *stage) cuts(name string) []string {
	var list []string
	for _, e := range s.events(event.Truncated, name) {
		list = append(list, fmt.Sprintf("%d→%d", e.End, e.Offset))
	}
	return list
}

// marks are the high watermarks that a broker has reported.
func (s *stage) marks(name string) []int64 {
	var list []int64
	for _, e := range s.events(event.HighWatermark, name) {
		list = append(list, e.Offset)
	}
	return list
}

// refusals are what a leader has answered a fetcher besides data: "13@4 diverges: (3, 10)" to a fetch at 13 with last
// epoch 4, or "10@6 OFFSET_OUT_OF_RANGE".
func (s *stage) refusals(leader, fetcher string) []string {
	var list []string
	for _, e := range s.events(event.FetchAnswered, leader) {
		switch at := fmt.Sprintf("%d@%d", e.Offset, e.BatchEpoch); {
		case e.Peer != s.node[fetcher]:
		case e.Cause == 1:
			list = append(list, fmt.Sprintf("%s diverges: (%d, %d)", at, e.Sequence, e.End))
		case e.To != 0:
			list = append(list, at+" "+wire.Code(e.To).String())
		}
	}
	return list
}

// fetches are the offsets of a fetcher's fetches that a leader has answered.
func (s *stage) fetches(leader, fetcher string) []int64 {
	var list []int64
	for _, e := range s.events(event.FetchAnswered, leader) {
		if e.Peer == s.node[fetcher] {
			list = append(list, e.Offset)
		}
	}
	return list
}

// moves are where a consumer's position was set: "10@3", or with an error "10@3 LOG_TRUNCATION".
func (s *stage) moves(name string) []string {
	var list []string
	for _, e := range s.events(event.ConsumerMoved, name) {
		text := fmt.Sprintf("%d@%d", e.Offset, e.LeaderEpoch)
		if e.To != 0 {
			text += " " + wire.Code(e.To).String()
		}
		list = append(list, text)
	}
	return list
}

// equal compares a list or a value of the history with what it must be.
func (s *stage) equal(what string, got, want any) {
	s.Helper()
	if d := cmp.Diff(want, got); d != "" {
		s.Errorf("%s (-want +got)\n%s", what, d)
	}
}

// epochs are the leader-epoch cache of a broker, such as "3→0 5→10".
func (s *stage) epochs(name string) (text string) {
	for _, e := range s.log(name).Epochs() {
		text += fmt.Sprintf(" %d→%d", e.Epoch, e.Start)
	}
	return text
}

// actor is a node for which the test speaks: it says what it is told and keeps what it hears. A broker also keeps its
// session with the controllers.
type actor struct {
	controllers []id.Node
	heard       []letter
}

type letter struct {
	from, to id.Node
	body     wire.Body
}

// speech is a command of the test: say that.
type speech struct {
	wire.ReportCommand
	to   id.Node
	body wire.Body
}

var actorTimer = node.Timer{Kind: 1}

func bootActor(controllers []id.Node) node.Boot {
	return func(self id.Node, _ *disk.Disk, out *node.Effects) node.Node {
		a := &actor{controllers: controllers}
		a.Step(node.Input{Timer: actorTimer}, out)
		return a
	}
}

func (a *actor) Step(in node.Input, out *node.Effects) {
	switch b := in.Body.(type) {
	case nil:
		for _, c := range a.controllers {
			out.Send(c, &wire.BrokerHeartbeatRequest{Incarnation: 1})
		}
		out.Arm(actorTimer, id.Second, 0)
	case *speech:
		out.Send(b.to, b.body)
	case *wire.ReportCommand, *wire.BrokerHeartbeatResponse:
	default:
		a.heard = append(a.heard, letter{in.From, id.None, b})
	}
}

func (a *actor) Clone(*disk.Disk) node.Node {
	c := *a
	c.heard = slices.Clone(a.heard)
	return &c
}

func (a *actor) AppendState(dst []byte) []byte { return append(dst, byte(len(a.heard))) }
func (a *actor) Waits(func(string) bool)       {}

// say has an actor send a message.
func (s *stage) say(from, to string, body wire.Body) {
	s.world.Inject(s.node[from], &speech{to: s.node[to], body: body})
}

// hears is the newest message of that type that an actor has heard from a node about A/t-0 since it was asked last. It waits
// for one.
func hears[T wire.Body](s *stage, name, from string) (found T) {
	s.Helper()
	s.wait(fmt.Sprintf("%s hears a %T from %s", name, found, from), func() bool {
		a := s.world.Node(s.node[name]).(*actor)
		for i, l := range slices.Backward(a.heard) {
			if m, ok := l.body.(T); ok && l.from == s.node[from] && s.concerns(m) {
				found, a.heard = m, a.heard[i+1:]
				return true
			}
		}
		return false
	})
	return found
}

// concerns leaves out what brokers say of internal topics.
func (s *stage) concerns(m wire.Body) bool {
	switch m := m.(type) {
	case *wire.FetchRequest:
		return m.Partition == s.tp
	case *wire.FetchResponse:
		return m.Partition == s.tp
	}
	return true
}

// ask has an actor send a request and waits for the answer.
func ask[T wire.Body](s *stage, from, to string, request wire.Body) T {
	s.Helper()
	s.world.Node(s.node[from]).(*actor).heard = nil
	s.say(from, to, request)
	return hears[T](s, from, to)
}

// delivered are the messages of one type that a node has had from another.
func delivered[T wire.Body](s *stage, from, to string) (list []T) {
	for _, l := range s.mail {
		if m, ok := l.body.(T); ok && l.from == s.node[from] && l.to == s.node[to] {
			list = append(list, m)
		}
	}
	return list
}

// fetch is a fetch of A/t-0 by a scripted broker, or by x as a consumer. It names no current leader epoch.
func (s *stage) fetch(from, leader string, offset int64, last int32, change ...func(*wire.FetchRequest)) *wire.FetchResponse {
	s.Helper()
	s.asked++
	req := &wire.FetchRequest{Partition: s.tp, Replica: s.node[from], CurrentLeaderEpoch: -1, LastFetchedEpoch: last,
		FetchOffset: offset, Correlation: s.asked}
	if from == "x" {
		req.Replica = id.None
	}
	for _, f := range change {
		f(req)
	}
	return ask[*wire.FetchResponse](s, from, leader, req)
}

// asks waits for the newest fetch of a follower to a scripted leader.
func (s *stage) asks(follower, leader string) *wire.FetchRequest {
	s.Helper()
	return hears[*wire.FetchRequest](s, leader, follower)
}

// answer has a scripted leader answer a fetch.
func (s *stage) answer(leader, follower string, req *wire.FetchRequest, res wire.FetchResponse) {
	res.Partition, res.LeaderEpoch, res.FetchOffset, res.Correlation = s.tp, req.CurrentLeaderEpoch, req.FetchOffset, req.Correlation
	s.say(leader, follower, &res)
}

// dataBatch is a batch of n records without a producer, not yet at an offset.
func dataBatch(n int, value uint64) *record.Batch {
	records := make([]record.Record, n)
	for i := range records {
		records[i] = record.Record{Key: 99, Value: value + uint64(i)}
	}
	return record.NewData(record.NoProducer, -1, record.NoSequence, records)
}

// batchesFrom are n batches of one record each from offset base on, in one leader epoch.
func batchesFrom(base int64, n int, epoch int32) (list []*record.Batch) {
	for o := base; o < base+int64(n); o++ {
		list = append(list, dataBatch(1, uint64(o)).At(o, epoch))
	}
	return list
}
