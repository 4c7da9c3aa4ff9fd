package scenarios

import (
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
)

// recreating is B mirroring three records of topic t of A; l is a topic that is absent at first.
const recreating = `scenario recreating
set start-topic=create
set source-deleted=fail
set stop-from=any
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=1 replicas=2
topic l on A partitions=1 replicas=2 absent
topic t on B partitions=1 replicas=2 id-of=A
client p producer on A
client q producer on B
mirror m from A to B
produce p A/t-0 3
start t in m
until state B/t-0=MIRRORING
until leo B/t-0=3
`

const again = "delete-topics t on A\ncreate-topics t on A\nexpect error last=NONE\n"

// A topic that was deleted and created anew is another one: what stood in it is gone, what is written to it does not reach the
// copy of the one before, and a start that names it is refused as long as that is there.
func TestRecreatedAtTheSource(t *testing.T) {
	for _, c := range []struct{ name, again, behind string }{
		{"it is empty", again, "expect leo A/t-0=0\n"},
		{"its records do not reach the old copy", again, `produce p A/t-0 2
until state B/t-0=FAILED within 1m
expect reason B/t-0=source-deleted
expect log A/t-0=0-1@0
expect log B/t-0=0-2@0
`},
		{"the old copy stops, and is not started under the new id", again, `produce p A/t-0 2
until state B/t-0=FAILED within 1m
stop t in m
until state B/t-0=STOPPED
start t in m
expect error last/t=INCONSISTENT_TOPIC_ID
expect log B/t-0=0-2@0 3:reset@1
`},
		{"once the old copy is deleted a start brings the new topic", again, `produce p A/t-0 2
stop t in m
until state B/t-0=STOPPED
delete-topics t on B
start t in m
expect error last/t=NONE
until state B/t-0=MIRRORING
until leo B/t-0=2
expect log B/t-0=0-1@0
`},
		{"deleted and created in one moment", "at 9s delete-topics t on A\nat 9s create-topics t on A\n", `after 1s produce p A/t-0 1
expect log A/t-0=0@0
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			met(t, recreating+c.again+c.behind)
			if r := play(t, recreating+c.behind, nil); len(r.Failures) == 0 {
				t.Error("of the old topic the same is so")
			}
		})
	}
}

// A name stands for another topic from the creation on: not while there is none, and not where the creation is refused.
func TestNamesOfTopicsCreatedAnew(t *testing.T) {
	met(t, recreating+`create-topics t on A
expect error last/t=TOPIC_ALREADY_EXISTS
expect leo A/t-0=3
produce p A/t-0 1
until leo B/t-0=4
create-topics l on A
expect error last=NONE
produce p A/l-0 2
delete-topics l on A
expect leader A/l-0=none
create-topics l on A
repeat 3
  produce p A/l-0 1
  delete-topics l on A
  create-topics l on A
end
expect leo A/l-0=0
`)
	var created []string
	r := play(t, recreating+"create-topics l on A\nrepeat 2\n  delete-topics l on A\n  create-topics l on A\nend\n"+again, func(e *event.Event) {
		if e.Kind == event.TopicCreated && e.At > 0 {
			created = append(created, e.Kind.String())
		}
	})
	var names []string
	for _, x := range r.Ledger.Partitions() {
		if name := r.Names.Topic(x.Topic); !strings.HasPrefix(name, "__") {
			names = append(names, name)
		}
	}
	if got := strings.Join(names, " "); len(created) != 4 || got != "t l l#2 l#3 t#2" {
		t.Errorf("%d topics were created, and the run had %s", len(created), got)
	}
}

// No checker takes the two topics of a name for one, also where failover and failback go on under the new one.
func TestTwoTopicsOfANameDoNotMeet(t *testing.T) {
	both := strings.NewReplacer("mirror m from A to B\n", "mirror m from A to B\nmirror m from B to A\n", " in m\n", " in B/m\n").Replace(recreating)
	r := play(t, both+again+`produce p A/t-0 2
stop t in B/m
until state B/t-0=STOPPED
delete-topics t on B
start t in B/m
until leo B/t-0=2
stop t in B/m
until state B/t-0=STOPPED
produce q B/t-0 2
start t in A/m
until state A/t-0=MIRRORING
until lag A/t-0=0
expect log A/t-0=0-1@0 2:reset@1 3-4@1 on-schedule calm
`, nil)
	for _, f := range r.Failures {
		t.Errorf("line %d: %s: %s", f.Line, f.Text, f.Got)
	}
	for _, v := range r.Verdicts {
		if v.Status == checkers.Violated || v.Property == checkers.TopicIdentity.String() && v.Status != checkers.Holds {
			t.Errorf("%s: %v %v", v.Property, v.Status, v.Violations)
		}
	}
	var reports []string
	for _, x := range r.Ledger.LossReports() {
		reports = append(reports, strings.SplitN(string(x.AppendText(nil, r.Names)), ":", 2)[0])
	}
	if got := strings.Join(reports, ", "); got != "partition t-0, partition t#2-0" {
		t.Errorf("there are loss reports of %s", got)
	}
}
