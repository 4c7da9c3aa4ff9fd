package scenarios

import (
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/scenarios/format"
)

// fencing is a cluster whose transactional client has written two records and not ended their transaction; B has been given the
// first of them.
const fencing = `scenario fencing
cluster A brokers=3
cluster B brokers=2
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A
client tx transactional on A
mirror m from A to B
start t in m
until state B/t-0=MIRRORING
produce tx A/t-0 2
`

// What a zombie finds, with the fence and without it.
func TestFencedProducer(t *testing.T) {
	for _, c := range []struct{ name, fault, calm, behind string }{
		{"its transaction is aborted", "fault fence-producer tx\n", "", `until lso A/t-0=3 within 10s or-go-on
expect log A/t-0=0-1@0 2:abort@0
until leo B/t-0=3
expect aborted B/t-0=1
`},
		{"its commit is refused", "fault fence-producer tx\n", "", `after 5s commit tx
expect error last=PRODUCER_FENCED
expect log A/t-0=0-1@0 2:abort@0
`},
		{"none of its later records stands in the log", "fault fence-producer tx\n", "", `after 5s produce tx A/t-0 3
expect error last=INVALID_PRODUCER_EPOCH
expect log A/t-0=0-1@0 2:abort@0
`},
		{"behind a commit it adds no partition", "commit tx\nfault fence-producer tx\n", "commit tx\n", `after 5s produce tx A/t-0 3
commit tx
expect error last=PRODUCER_FENCED
expect log A/t-0=0-1@0 2:commit@0
`},
		{"the application goes on with a new producer", "fault fence-producer tx\n", "", `after 5s commit tx
expect error last=PRODUCER_FENCED
produce tx A/t-0 1
commit tx
expect error last=NONE
until lso A/t-0=5
expect log A/t-0=0-1@0 2:abort@0 3@0 4:commit@0
`},
		{"while its end is prepared", "fault fence-producer tx at-point transaction.end-prepared\n", "", `commit tx
expect error last=NONE
after 5s produce tx A/t-0 1
commit tx
expect error last=PRODUCER_FENCED
expect log A/t-0=0-1@0 2:commit@0
`},
		{"another cluster fences nobody here", "", "fault fence-producer tx on B\n", `after 5s commit tx
expect error last=NONE
until lso A/t-0=3
expect log A/t-0=0-1@0 2:commit@0
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			met(t, fencing+c.fault+c.behind)
			if c.fault == "" {
				met(t, fencing+c.calm+c.behind)
			} else if r := play(t, fencing+c.calm+c.behind, nil); len(r.Failures) == 0 {
				t.Error("without the fence the same is so")
			}
		})
	}
}

// The other instance finds the coordinator wherever it is, and behind one that is down.
func TestFenceFindsTheCoordinator(t *testing.T) {
	for _, leader := range []string{"a0", "a1", "a2"} {
		world := strings.Replace(fencing, "client tx", "topic __transaction_state on A partitions=1 replicas=3 assign="+leader+","+
			map[string]string{"a0": "a1,a2", "a1": "a0,a2", "a2": "a0,a1"}[leader]+"\nclient tx", 1)
		for _, fault := range []string{"", "fault crash " + leader + " for 20s\n"} {
			met(t, world+fault+"fault fence-producer tx\nuntil lso A/t-0=3 within 2m\nexpect aborted A/t-0=1\n")
		}
	}
}

// An admin that has started again is heard by the coordinator that has heard it before.
func TestFenceByAnAdminThatStartedAgain(t *testing.T) {
	met(t, fencing+`fault fence-producer tx
until lso A/t-0=3
after 5s commit tx
fault crash a-admin for 1s
after 5s produce tx A/t-0 1
fault fence-producer tx
until lso A/t-0=5 within 20s
expect log A/t-0=0-1@0 2:abort@0 3@0 4:abort@0
`)
}

// An old request that is sent again has its effect again; without it what was asked last holds.
func TestRepeatedRequests(t *testing.T) {
	for _, c := range []struct{ name, before, fault, behind string }{
		{"a start undoes a stop", hitMirroring + `stop t in B/m
until state B/t-0=STOPPED
`, "repeat-request B nth=2", `until state B/t-0=MIRRORING within 20s
produce p A/t-0 1
until leo B/t-0=4
`},
		{"a stop undoes a start", hitMirroring + `stop t in B/m
until state B/t-0=STOPPED
start t in B/m
until state B/t-0=MIRRORING
`, "repeat-request B nth=2", `until state B/t-0=STOPPED within 20s
`},
		{"a resume ends a pause", hitMirroring + `pause t in B/m
until state B/t-0=PAUSED
resume t in B/m
until state B/t-0=MIRRORING
pause t in B/m
until state B/t-0=PAUSED
`, "repeat-request B nth=2", `until state B/t-0=MIRRORING within 20s
`},
		{"a delete takes the mirror", hitMirroring + `stop t in B/m
until state B/t-0=STOPPED
delete B/m
create B/m
expect error last=NONE
`, "repeat-request B nth=2", `after 5s start t in B/m
expect error last=UNKNOWN_CLUSTER_MIRROR
`},
		{"at a point", hitMirroring + `stop t in B/m
until state B/t-0=STOPPED
`, "repeat-request B nth=2 at-point alignment.log-aligned", `start t in B/m
until state B/t-0=PREPARING
until state B/t-0=STOPPED within 20s
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			met(t, hit+c.before+"fault "+c.fault+"\n"+c.behind)
			if r := play(t, hit+c.before+c.behind, nil); len(r.Failures) == 0 {
				t.Error("without the repeat the same is so")
			}
		})
	}
}

// Where so many requests were not sent nothing is repeated; neither are requests of another kind, and repeats are none to repeat.
func TestNothingToRepeat(t *testing.T) {
	for _, lines := range []string{
		"fault repeat-request B\n" + hitMirroring,
		"elect B/t-0 to=b1\nconfig t on B retention.ms=1\nfault repeat-request B\n" + hitMirroring,
		hitMirroring + "fault repeat-request B nth=2\nafter 1s describe B/t-0 in B/m\n",
	} {
		calls := 0
		r := play(t, hit+lines, func(e *event.Event) {
			if e.Kind == event.AdminCalled {
				calls++
			}
		})
		want := strings.Count(lines, "in B/m") + strings.Count(lines, "on B ") + strings.Count(lines, "elect")
		if calls != want || len(r.Failures) > 0 {
			t.Errorf("%q: the admin has called %d times, want %d: %v", lines, calls, want, r.Failures)
		}
	}
	const stopped = hitMirroring + "stop t in B/m\nuntil state B/t-0=STOPPED\n"
	met(t, hit+stopped+"fault repeat-request B nth=2\nuntil state B/t-0=MIRRORING\nfault repeat-request B\nuntil state B/t-0=STOPPED\n"+
		"fault repeat-request B nth=2\nuntil state B/t-0=MIRRORING\n")
}

// An admin that is down sends nothing, and the results of the steps behind are their own.
func TestFaultOfAnAdminThatIsDown(t *testing.T) {
	for _, fault := range []string{"repeat-request B", "move-coordinator B/m B/t-0 to=b1"} {
		met(t, hit+hitMirroring+"fault crash b-admin for 1s\nfault "+fault+"\nafter 3s stop t in B/m\nexpect error last=NONE\n"+
			"until state B/t-0=STOPPED within 20s\nexpect leader B/__mirror_state-0=b2\n")
	}
}

// A repeat is an operation of its own: porcupine and the checkers of intents take its effect as that of a request made then.
func TestRepeatIsAnOperation(t *testing.T) {
	const lines = hitMirroring + "stop t in B/m\nuntil state B/t-0=STOPPED\nfault repeat-request B nth=2\nuntil state B/t-0=MIRRORING\n"
	s, err := format.Parse("test.scn", []byte(hit+lines))
	if err != nil {
		t.Fatal(err)
	}
	config, err := s.Config(DefaultRevision)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, Options{Protocol: config, CrossCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Failures) > 0 {
		t.Errorf("not as expected: %v", r.Failures)
	}
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated {
			t.Errorf("%s: %s", v.Property, v.Violations[0].Sentence)
		}
	}
}

// An old start that is repeated behind a failover begins to mirror the new source from the old one, which mirrors it: it is refused, and
// FAILED. A transaction that was open then is open on both sides until a stop: a limit, and no violation.
func TestOldStartBehindAFailover(t *testing.T) {
	const lines = `scenario old-start
protocol hardened
cluster A brokers=1
cluster B brokers=1
topic t on A partitions=1 replicas=1
topic t on B partitions=1 replicas=1 id-of=A
client tB transactional on B
client g0 group on A
mirror m from A to B
mirror m from B to A
consume g0 A/t-0 read-committed
start t in B/m
until state B/t-0=MIRRORING
stop t in B/m
until state B/t-0=STOPPED
start t in A/m
until state A/t-0=MIRRORING
produce tB B/t-0 1
until leo A/t-0=2
`
	r := play(t, lines+"fault repeat-request B nth=2\nuntil reason B/t-0=reverse-active within 1m\nlive\n", nil)
	if s := r.Summary(); s != "" {
		t.Error(s)
	}
	if text := strings.Join(r.Accepted, "\n"); !strings.Contains(text, "consumer-progress: A/t-0 has g0 at 1") {
		t.Errorf("accepted are %q", text)
	}
	// One that has read nothing yet, as it begins where the transaction does, is known to read committed records only.
	late := strings.NewReplacer("consume g0 A/t-0 read-committed\n", "", "produce tB",
		"consume g0 B/t-0 read-committed reset=latest\nuntil committed g0 B/t-0=1\nproduce tB").Replace(lines)
	r = play(t, late+"fault repeat-request B nth=2\nuntil reason B/t-0=reverse-active within 1m\nlive\n", nil)
	if text := strings.Join(r.Accepted, "\n"); r.Summary() != "" || !strings.Contains(text, "consumer-progress: B/t-0 has g0 at 1") {
		t.Errorf("%s, accepted are %q", r.Summary(), text)
	}
	if r := play(t, lines+"live\n", nil); len(r.Accepted) > 0 || r.Summary() != "" {
		t.Errorf("without the old start: %v %s", r.Accepted, r.Summary())
	}
}
