package scenarios

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// met runs a scenario in which every expectation is to be met and no property violated.
func met(t *testing.T, text string) {
	t.Helper()
	r := play(t, text, nil)
	if s := r.Summary(); s != "" {
		t.Error(s)
	}
}

// A chain and a fan-out, as a scenario file has them: two mirrors lead from A, and one goes on from B.
func TestThreeClusters(t *testing.T) {
	text := strings.ReplaceAll(three, "client tx transactional on A\n", "")
	text = strings.NewReplacer(" remote-storage", "", "cluster C brokers=2", "cluster C brokers=2\ncluster D brokers=2",
		"client p", "topic t on D partitions=1 replicas=2 id-of=A\nclient p", "mirror n", "mirror m from A to D\nmirror n").Replace(text)
	met(t, text+`produce p A/t-0 3
start t in B/m
start t in D/m
until lag B/t-0=0
start t in n
until lag C/t-0=0
until lag D/t-0=0
produce p A/t-0 2
until hw C/t-0=5
until leo D/t-0=5
expect log C/t-0=0-4@0
expect lag C/t-0=0
expect isr D/t-0=2
expect leader D/t-0=d0
stop t in B/m
until epoch B/t-0>=1
until position B/t-0=0
until leo C/t-0=6
until quiet
expect log C/t-0@c1=0-4@0 5:reset@1
expect aborted C/t-0=0
`)
}

// Case T5: a producer goes on against the cluster that took over. What was mirrored and not acknowledged stands there twice.
func TestMoveToAnotherCluster(t *testing.T) {
	met(t, mirroring+`produce p A/t-0 35 pid=9
until leo B/t-0=38
fault cut a0>p
produce p A/t-0 2 batch=2
at 5s stop t in B/m
until state B/t-0=STOPPED
expect log B/t-0=0-37@0 [38-39]@0 40:reset@1
move p A/t-0 to B/t-0
expect error last=NONE
expect error 8=REQUEST_TIMED_OUT
produce p B/t-0 1
expect log B/t-0=0-37@0 [38-39]@0 40:reset@1 [41-42]@1 43@1
expect duplicates B/t-0=2
`)
}

func TestMoveOfNothingIsDoneAtOnce(t *testing.T) {
	met(t, stoppedSmall+`move p A/t-0 to B/t-0
produce p B/t-0 1
expect error last=NONE
expect leo B/t-0=5
`)
}

// Each topic of a request has a result, and requests that overlap have theirs.
func TestResultsOfTopics(t *testing.T) {
	text := strings.Replace(mirroring, "client p", "topic u on B partitions=1 replicas=1\ntopic u on A partitions=1 replicas=1\nclient p", 1)
	met(t, text+`stop t u in B/m
expect error last/t=NONE
expect error last/u=TOPIC_NOT_IN_CLUSTER_MIRROR
expect error last=TOPIC_NOT_IN_CLUSTER_MIRROR
until state B/t-0=STOPPED
at 5s stop u in B/m
at 5s start t in B/m
at 5s stop t u in A/m
expect error 7=TOPIC_NOT_IN_CLUSTER_MIRROR
expect error 8/t=NONE
expect error 9/u=TOPIC_NOT_IN_CLUSTER_MIRROR
`)
}

func TestReadsAndLeaders(t *testing.T) {
	met(t, strings.Replace(mirroring, "client q", "client r consumer on B\nclient q", 1)+`consume r B/t-0
until read r=3
expect reads r=3
elect B/t-0 to=b1
until leader B/t-0=b1
until isr B/t-0=2
expect epoch B/t-0=1
expect attempts B/t-0=0
expect reason B/t-0=none
`)
}

// What an expectation finds instead is what the run shows.
func TestUnmetFacts(t *testing.T) {
	r := play(t, stoppedSmall+`expect leader B/t-0=none
expect lag B/t-0=0
expect attempts B/t-0=1
expect reason B/t-0=storage-error
expect described B/t-0 lag=0
expect copied-again A/t-0=1
`, nil)
	var got []string
	for _, f := range r.Failures {
		got = append(got, f.Got)
	}
	want := []string{"the leader of B/t-0 is b0", "the lag of B/t-0 is unknown", "the attempts of B/t-0 are 0",
		"the reason of B/t-0 is none", "no describe of B/t-0 was answered",
		"the loss report has 0 records of A/t-0 as copied-again"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// Every request of an admin, in a life of a mirror from its creation to its deletion. B has no topic line: the starts create
// its topics.
func TestLifeOfAMirror(t *testing.T) {
	met(t, `scenario life
set start-topic=create
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=1 replicas=2
topic u on A partitions=1 replicas=2
client p producer on A
client q producer on B
mirror m from A to B absent include=t.*
create m
expect error last=NONE
create m
expect error last=CLUSTER_MIRROR_ALREADY_EXISTS
start t u in m
expect error last=NONE
produce p A/t-0 3
until state B/t-0=MIRRORING
until leo B/t-0=3
until quiet
describe B/t-0 in m
expect described B/t-0 in m desired=mirroring state=MIRRORING reason=none attempts=0 lag=0 position=-1
pause t in m
until state B/t-0=PAUSED
describe B/t-0 in m
expect error last=NONE
expect described B/t-0 desired=paused state=PAUSED
produce q B/t-0 1
expect error last=READ_ONLY_TOPIC
delete-topics t u on B
expect error last/t=MIRROR_TOPIC_NOT_STOPPED
expect error last/u=MIRROR_TOPIC_NOT_STOPPED
delete-records B/t-0
expect error last=MIRROR_TOPIC_NOT_STOPPED
create-partitions t on B partitions=2
expect error last=MIRROR_TOPIC_NOT_STOPPED
resume t in m
until state B/t-0=MIRRORING
create-partitions u on A partitions=3
expect error last=NONE
produce p A/u-2 1
expect error last=NONE
delete-records A/t-0 before=2
expect start A/t-0=2
stop in m pattern=u
expect error last=NONE
until state B/u-0=STOPPED
expect state B/t-0=MIRRORING
delete m
expect error last=CLUSTER_MIRROR_NOT_EMPTY
stop t in m
until state B/t-0=STOPPED
delete m
expect error last=NONE
until position B/t-0=-1
until state B/t-0=UNKNOWN
delete-topics u on B
expect error last=NONE
until leader B/u-0=none
produce q B/t-0 1
expect error last=NONE
`)
}

// Case S9: a source that is down long enough is given up, and only the operator's recover brings the partition on again.
func TestFailureAndRecovery(t *testing.T) {
	met(t, strings.Replace(mirroring, "cluster A", "setting failure-attempts=2\ncluster A", 1)+`fault cut A>B
until state B/t-0=FAILED
until attempts B/t-0=3
expect reason B/t-0=source-unreachable
describe B/t-0 in B/m
expect described B/t-0 desired=mirroring state=FAILED reason=source-unreachable attempts=3 lag=unknown
after 2m fault heal A>B
after 2m produce p A/t-0 1
expect state B/t-0=FAILED
recover t in B/m
expect error last=NONE
until state B/t-0=MIRRORING
until lag B/t-0=0
until attempts B/t-0=0
expect reason B/t-0=none
expect leo B/t-0=4
`)
}

// A transaction that is open at the stop is aborted there, though the source commits it later.
func TestTransactionTurnedRound(t *testing.T) {
	text := strings.Replace(mirroring, "client q", "client tx transactional on A\nclient ty transactional on A\nclient r consumer on B\nclient q", 1)
	met(t, text+`produce tx A/t-0 2
commit tx
expect error last=NONE
produce ty A/t-0 1
abort ty
expect aborted A/t-0=1
produce tx A/t-0 1
until hw B/t-0=9
expect lso B/t-0=8
stop t in B/m
until state B/t-0=STOPPED
expect aborted B/t-0=2
commit tx
expect error last=NONE
expect turned-round B/t-0=1
expect turned-round A/t-0=0
expect hanging B/t-0=0
consume r B/t-0 read-committed
until read r=5
expect reads r=5
produce tx A/t-0 1
commit tx on B
expect error last=INVALID_PRODUCER_ID_MAPPING
`)
}
