package scenarios

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

const transacting = `scenario transacting
cluster A brokers=3
cluster B brokers=2
topic t on A partitions=2 replicas=2
topic t on B partitions=2 replicas=2 id-of=A
client x transactional on A
client q consumer on A
client r consumer on B
mirror m from A to B
`

// transactions is the transacting world with what a test reads of its history.
type transactions struct {
	*run
	t      *testing.T
	events []event.Event
}

// newTransactions is a world whose mirror runs and whose readers read; a seed other than 0 makes the network bad.
func newTransactions(t *testing.T, seed uint64) *transactions {
	s, err := format.Parse("transacting", []byte(transacting))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, "first", nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := wireUp(s, d.Config)
	if err != nil {
		t.Fatal(err)
	}
	if seed%2 == 1 {
		w.settings.TxnTimeout = 3 * id.Second
	}
	x := &transactions{t: t}
	o := Options{Protocol: d.Config}
	if seed != 0 {
		o = o.WithSeed(seed)
	}
	o.Net, o.Listen = sim.Network{}, func(e *event.Event) { x.events = append(x.events, *e) }
	x.run = newRun(w, o)
	if err := x.boot(); err != nil {
		t.Fatal(err)
	}
	x.do(1, &format.Operate{Request: format.StartTopics, Topics: []string{"t"}, Mirror: format.MirrorRef{Cluster: "B", Name: "m"}})
	for i := range 2 {
		x.do(2, &format.Consume{Client: "q", From: format.TP{Cluster: "A", Topic: "t", Partition: i}, ReadCommitted: true})
		x.do(2, &format.Consume{Client: "r", From: format.TP{Cluster: "B", Topic: "t", Partition: i}, ReadCommitted: true})
	}
	x.pass(5 * id.Second)
	if seed != 0 {
		odds := uint16(1 << (8 + seed%4))
		x.world.SetNetwork(sim.Network{Drop: odds, Duplicate: odds, Reorder: odds, Delay: odds})
	}
	return x
}

func (x *transactions) produce(cluster string, partition, count int) {
	x.do(3, &format.Produce{Client: "x", To: format.TP{Cluster: cluster, Topic: "t", Partition: partition}, Count: count, Batch: 2, Acks: -1, PID: -1})
}

// end has the client commit or abort, and waits for the answer: its code.
func (x *transactions) end(cluster id.Cluster, commit bool) wire.Code {
	x.t.Helper()
	n := len(x.events)
	x.world.Inject(x.node["x"], &wire.TransactionCommand{Cluster: cluster, Commit: commit})
	at := -1
	x.until(func(*run) (string, bool) {
		at = slices.IndexFunc(x.events[n:], func(e event.Event) bool { return e.Kind == event.TransactionReturned })
		return "", at >= 0
	}, x.world.Now()+5*id.Minute)
	if at < 0 {
		x.t.Fatal("the transaction's end is not answered")
	}
	return wire.Code(x.events[n+at].To)
}

func (x *transactions) pass(d id.Duration) {
	x.until(func(*run) (string, bool) { return "", false }, x.world.Now()+d)
}

// log is what a replica holds by the history.
func (x *transactions) log(n id.Node, p id.Partition) []*record.Batch {
	var log []*record.Batch
	for _, e := range x.events {
		if e.Node != n || e.Partition != p {
			continue
		}
		switch e.Kind {
		case event.Appended:
			log = append(log, e.Batch)
		case event.Truncated:
			log = slices.DeleteFunc(log, func(b *record.Batch) bool { return b.Last >= e.Offset })
		case event.Recovered:
			log = slices.DeleteFunc(log, func(b *record.Batch) bool { return b.Last >= e.End })
		}
	}
	return log
}

// leaderLog is the log of the leader of t-i.
func (x *transactions) leaderLog(cluster string, i int) []*record.Batch {
	x.t.Helper()
	c, p := x.partition(format.TP{Cluster: cluster, Topic: "t", Partition: i})
	leader, _ := x.ledger().Leader(c, p)
	if leader == id.None {
		x.t.Fatalf("nobody leads %s/t-%d", cluster, i)
	}
	return x.log(leader, p)
}

// batches is a log in one line: the producer epoch of each data batch in a row, and the markers.
func batches(log []*record.Batch) string {
	var words []string
	for _, b := range log {
		words = append(words, fmt.Sprintf("%s/%d", b.Control, b.ProducerEpoch))
	}
	return strings.Join(words, " ")
}

// committed folds the log as a reader in read_committed is to see it: the records by value, and the first offset of a
// transaction that is open, the log end if none is.
func committed(log []*record.Batch) (values []uint64, stable int64) {
	open := map[int64][]uint64{}
	first := map[int64]int64{}
	for _, b := range log {
		switch {
		case b.Control == record.Commit:
			values = append(values, open[b.ProducerID]...)
			delete(open, b.ProducerID)
			delete(first, b.ProducerID)
		case !b.IsData():
			delete(open, b.ProducerID)
			delete(first, b.ProducerID)
		default:
			if _, ok := first[b.ProducerID]; !ok {
				first[b.ProducerID] = b.Base
			}
			for _, r := range b.Records {
				open[b.ProducerID] = append(open[b.ProducerID], r.Value)
			}
		}
		stable = b.Last + 1
	}
	for _, at := range first {
		stable = min(stable, at)
	}
	slices.Sort(values)
	return values, stable
}

// reads checks that a client in read_committed has come to the end of the log, and that all it was given are the batches
// that are neither control batches nor of an aborted transaction.
func (x *transactions) reads(client, cluster string, i int) {
	x.t.Helper()
	log := x.leaderLog(cluster, i)
	aborted := map[*record.Batch]bool{}
	for at, b := range log {
		for j := at - 1; b.Control == record.Abort && j >= 0 && (log[j].IsData() || log[j].ProducerID != b.ProducerID); j-- {
			aborted[log[j]] = aborted[log[j]] || log[j].ProducerID == b.ProducerID
		}
	}
	_, p := x.partition(format.TP{Cluster: cluster, Topic: "t", Partition: i})
	position := int64(0)
	for _, e := range x.events {
		if e.Kind != event.ConsumerRead || e.Node != x.node[client] || e.Partition != p {
			continue
		}
		digest := uint64(0)
		for _, b := range log {
			if b.Base >= e.Offset && b.Base < e.End && b.IsData() && !aborted[b] {
				digest = event.MixBatch(digest, b)
			}
		}
		if digest != e.Digest {
			x.t.Errorf("%s read [%d,%d) of %s/t-%d with a digest that %s does not have", client, e.Offset, e.End, cluster, i, batches(log))
		}
		position = e.End
	}
	if end := log[len(log)-1].Last + 1; position != end {
		x.t.Errorf("%s has read %s/t-%d to %d of %d", client, cluster, i, position, end)
	}
}

// holds has every property hold but client-epoch, which epoch-floor=unconstrained breaks once the source has had an election.
func (x *transactions) holds() {
	x.t.Helper()
	for _, v := range x.watch().suite.Verdicts() {
		if v.Status == checkers.Violated && v.Property != checkers.ClientEpoch.String() {
			x.t.Errorf("%s: %s", v.Property, v.Violations[0].Sentence)
		}
	}
}

// TestTransactions: a transactional client commits one transaction and aborts another, a leader crashing in between, and
// both clusters' readers in read_committed come to the end of the log.
func TestTransactions(t *testing.T) {
	x := newTransactions(t, 0)
	same := func(what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	x.produce("A", 0, 4)
	x.produce("A", 1, 2)
	same("the first commit", x.end(0, true), wire.OK)
	x.produce("A", 0, 2)
	x.pass(id.Second)
	c, p := x.partition(format.TP{Cluster: "A", Topic: "t"})
	leader, _ := x.ledger().Leader(c, p)
	x.world.Crash(leader, x.world.Keep(leader, 0))
	x.produce("A", 0, 2)
	x.pass(15 * id.Second)
	x.world.Restart(leader)
	same("the abort", x.end(0, false), wire.OK)
	x.produce("A", 0, 1)
	same("the second commit", x.end(0, true), wire.OK)
	x.pass(40 * id.Second)
	for i, want := range []string{"data/0 data/0 commit/1 data/1 abort/2 data/2 commit/3", "data/0 commit/1"} {
		same("A", batches(x.leaderLog("A", i)), want)
		same("B", batches(x.leaderLog("B", i)), want)
		x.reads("q", "A", i)
		x.reads("r", "B", i)
	}
	x.holds()
}

// TestTransactionsUnderFaults has a client end a dozen transactions while messages are lost, late and doubled and brokers
// crash, coordinators among them. What a commit has answered is committed, what any other end has answered is not, no
// transaction is left open, and readers on both sides see just that.
func TestTransactionsUnderFaults(t *testing.T) {
	alone(t)
	for seed := uint64(1); seed <= 30; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { transactUnderFaults(t, seed) })
	}
}

func transactUnderFaults(t *testing.T, seed uint64) {
	x := newTransactions(t, seed)
	draw := rand.New(rand.NewPCG(seed, 0))
	var want []uint64
	value, codes := uint64(0), []string{}
	for range 12 {
		first := value
		for range 1 + draw.IntN(3) {
			n := 1 + draw.IntN(4)
			x.produce("A", draw.IntN(2), n)
			value += uint64(n)
			if draw.IntN(2) == 0 {
				x.pass(id.Duration(draw.IntN(20)) * id.Millisecond)
			}
		}
		down := id.None
		if draw.IntN(3) == 0 {
			down = id.Node(draw.IntN(3))
			x.world.Crash(down, x.world.Keep(down, 0))
			x.pass(id.Duration(draw.IntN(15)) * id.Second)
		}
		if down != id.None && draw.IntN(2) == 0 {
			x.world.Restart(down)
		} else if down != id.None {
			x.after(30*id.Second, faults.Crash, func(*run) { x.world.Restart(down) })
		}
		commit := draw.IntN(3) > 0
		code := x.end(0, commit)
		codes = append(codes, fmt.Sprint(commit, " ", code))
		for v := first + 1; commit && code == wire.OK && v <= value; v++ {
			want = append(want, v)
		}
	}
	x.world.SetNetwork(sim.Network{})
	x.pass(3 * id.Minute)
	for _, cluster := range []string{"A", "B"} {
		var got []uint64
		for i := range 2 {
			log := x.leaderLog(cluster, i)
			if len(log) == 0 {
				continue
			}
			values, stable := committed(log)
			got = append(got, values...)
			if end := log[len(log)-1].Last + 1; stable != end {
				t.Errorf("%s/t-%d: a transaction is open at %d: %s", cluster, i, stable, batches(log))
			}
			x.reads(map[string]string{"A": "q", "B": "r"}[cluster], cluster, i)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: committed (-want +got):\n%s", cluster, diff)
		}
	}
	x.holds()
	if t.Failed() {
		t.Log(codes)
	}
}

// TestTransactionsFork: a fork of a world in the middle of transactions goes on to the same end, and a fork that goes
// another way does not show in its original.
func TestTransactionsFork(t *testing.T) {
	for seed := uint64(1); seed <= 60; seed++ {
		begin := func() *sim.World {
			x := newTransactions(t, seed)
			for i := range 4 {
				x.produce("A", i%2, 3)
				x.world.Inject(x.node["x"], &wire.TransactionCommand{Commit: i < 3})
			}
			return x.world
		}
		at, on := seed*61%400, uint64(400)
		alone, w := begin(), begin()
		advance(alone, at+on)
		advance(w, at)
		equal, other := w.Fork(nil), w.Fork(choice.Seeded(seed+1))
		other.Crash(id.Node(seed%3), other.Keep(id.Node(seed%3), 1<<15))
		advance(other, on)
		other.Restart(id.Node(seed % 3))
		advance(equal, on)
		advance(w, on)
		want := summary(alone)
		if got := summary(w); got != want {
			t.Fatalf("seed %d: the original came to\n%s, alone it comes to\n%s", seed, got, want)
		}
		if got := summary(equal); got != want {
			t.Fatalf("seed %d: the fork came to\n%s, the original to\n%s", seed, got, want)
		}
	}
}

// TestCrossingFailover is case T6: the failover comes in the middle of a transaction. What was mirrored of it is aborted at
// the stop; its next batch is refused at B, where the transactional id is unknown, and its commit fails. The client's next
// transaction, begun at B, is an ordinary one, though B's allocator gives it the id that it had at A.
func TestCrossingFailover(t *testing.T) {
	x := crossed(t, "1")
	x.produce("B", 0, 1)
	if code := x.end(1, true); code != wire.OK {
		t.Errorf("the next commit: %v", code)
	}
	x.pass(2 * id.Minute)
	if got, want := batches(x.leaderLog("B", 0)), "data/0 abort/0 reset/-1 data/0 commit/1"; got != want {
		t.Errorf("B holds %s, want %s", got, want)
	}
	if got, want := batches(x.leaderLog("A", 0)), "data/0 abort/1"; got != want {
		t.Errorf("A, whose coordinator has timed the transaction out, holds %s, want %s", got, want)
	}
	x.reads("r", "B", 0)
	x.holds()
}

// TestHangingTransaction is the other half of T6 and KIP-664: with verification off the batch is taken at B and hangs, for
// nobody ends its transaction. The report of the replicas lists it with its producer and where it starts.
func TestHangingTransaction(t *testing.T) {
	x := crossed(t, "0")
	x.pass(5 * id.Minute)
	log := x.leaderLog("B", 0)
	if got, want := batches(log), "data/0 abort/0 reset/-1 data/0"; got != want {
		t.Errorf("B holds %s, want %s", got, want)
	}
	from, hangs := len(x.events), log[len(log)-1]
	x.finish()
	_, p := x.partition(format.TP{Cluster: "B", Topic: "t"})
	for _, e := range x.events[from:] {
		if e.Kind == event.ProducerReported && e.Partition == p && x.cluster[e.Node] == 1 {
			got := [3]int64{e.ProducerID, int64(e.BatchEpoch), e.Offset}
			if diff := cmp.Diff([3]int64{hangs.ProducerID, int64(hangs.ProducerEpoch), hangs.Base}, got); diff != "" {
				t.Errorf("the report of %s (-want +got):\n%s", x.names.Node(e.Node), diff)
			}
			return
		}
	}
	t.Error("no report lists the producer")
}

// crossed is a world in which the client has crossed from A to B in the middle of a transaction, and its commit has failed.
func crossed(t *testing.T, verification string) *transactions {
	t.Helper()
	x := newTransactions(t, 0)
	if err := x.settings.Set("transaction-verification", verification); err != nil {
		t.Fatal(err)
	}
	x.produce("A", 0, 2)
	x.pass(5 * id.Second)
	x.do(4, &format.Operate{Request: format.StopTopics, Topics: []string{"t"}, Mirror: format.MirrorRef{Cluster: "B", Name: "m"}})
	x.pass(5 * id.Second)
	x.produce("B", 0, 1)
	x.pass(5 * id.Second)
	if code := x.end(1, true); code != wire.InvalidProducerIdMapping {
		t.Errorf("the commit that crossed: %v", code)
	}
	return x
}
