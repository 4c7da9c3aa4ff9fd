package scenarios

import (
	"strings"
	"testing"

	"mirrorsim/checkers"
)

// lostSource is B mirroring A, whose topic t has three records, and C, which has had two of them from A as well and was stopped then.
// Topic u of C is another one than that of A and B.
const lostSource = `scenario lost-source
cluster A brokers=2
cluster B brokers=2
cluster C brokers=2
topic t on A partitions=1 replicas=2
topic u on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A
topic u on B partitions=1 replicas=2 id-of=A
topic t on C partitions=1 replicas=2 id-of=A
topic u on C partitions=1 replicas=2
topic v on C partitions=1 replicas=2
topic v on B partitions=1 replicas=2 id-of=C absent
client p producer on A
client q producer on C
mirror m from A to B
mirror n from A to C
produce p A/t-0 2
produce p A/u-0 2
start t in n
until state C/t-0=MIRRORING
until leo C/t-0=2
stop t in n
until state C/t-0=STOPPED
produce p A/t-0 1
start t u in m
until state B/t-0=MIRRORING
until leo B/t-0=3
until leo B/u-0=2
produce q C/t-0 4
produce q C/u-0 1
`

// lostSourceWith is lostSource with an option of a decision.
func lostSourceWith(option string) string {
	return strings.Replace(lostSource, "cluster A", "set "+option+"\ncluster A", 1)
}

// anew loses A, and gives B's mirror C for its source.
const anew = `fault isolate A
stop t u in m
until state B/t-0=STOPPED
until state B/u-0=STOPPED
delete m
expect error last=NONE
create m from C
expect error last=NONE
`

func TestSourceReplacedByAnother(t *testing.T) {
	for _, c := range []struct{ name, lines string }{
		// C has never mirrored from B, so that it tells of no position. Records that stand in a log of which it says nothing may be
		// nobody else's: the partition is FAILED, and its log stays as it is.
		{"another history under the same id", lostSource + anew + `start t in m
expect error last=NONE
until state B/t-0=FAILED within 1m
expect reason B/t-0=position-missing
expect log B/t-0=0-2@0 3:reset@1 on-schedule calm
`},
		// Where an answer without a row counts as -1 nothing is taken to be in common: B's log is cut to nothing and C's is copied. What
		// C had not got from A is gone from B too, and nothing accounts for it: case C10 has this for a wrong option.
		{"another history, copied anew", lostSourceWith("lookup-missing=minus-one") + anew + `start t in m
expect error last=NONE
until state B/t-0=MIRRORING
until leo B/t-0=7
expect log C/t-0=0-1@0 2:reset@1 3-6@1 on-schedule calm
expect log B/t-0=0-1@0 2:reset@1 3-6@1 on-schedule calm
expect unexplained B/t-0=1
expect copied-again B/t-0=2
`},
		{"a copy that is deleted first", lostSourceWith("start-topic=create") + anew + `start t in m
until state B/t-0=FAILED
stop t in m
until state B/t-0=STOPPED
delete-topics t on B
expect error last=NONE
start t in m
expect error last=NONE
until state B/t-0=MIRRORING
until leo B/t-0=7
expect log B/t-0=0-1@0 2:reset@1 3-6@1 on-schedule calm
`},
		{"another topic of the name", lostSource + anew + `start u in m
expect error last/u=INCONSISTENT_TOPIC_ID
expect log B/u-0=0-1@0 2:reset@1 on-schedule calm
`},
		{"a topic that only the new source has", lostSourceWith("start-topic=create") + anew + `produce q C/v-0 2
start v in m
expect error last=NONE
until leo B/v-0=2
`},
		{"as long as the old mirror is there it is not created anew", lostSource + `fault isolate A
create m from C
expect error last=CLUSTER_MIRROR_ALREADY_EXISTS
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := play(t, c.lines, nil)
			for _, f := range r.Failures {
				t.Errorf("line %d: %s: %s", f.Line, f.Text, f.Got)
			}
			for _, v := range r.Verdicts {
				if wrong := strings.Contains(c.lines, "minus-one") && v.Property == checkers.LossAccounted.String(); (v.Status == checkers.Violated) != wrong {
					t.Errorf("%s: %v", v.Property, v.Violations)
				}
			}
		})
	}
}

// A lookup asks along the chain whether it is a loop (D20). Where the source mirrors from a cluster that is lost, nobody answers that,
// and the lookup waits: a limit, which is reported as such. The way out is to stop the source's own mirror.
func TestSourceThatMirrorsALostCluster(t *testing.T) {
	const chain = `scenario chain
protocol hardened
cluster A brokers=2
cluster B brokers=2
cluster C brokers=2
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A
topic t on C partitions=1 replicas=2 id-of=A
client q producer on B
mirror m from B to A
mirror n from B to C
produce q B/t-0 2
start t in n
until state C/t-0=MIRRORING
until leo C/t-0=2
fault isolate B
delete m
create m from C
start t in m
expect error last=NONE
until state A/t-0=MIRRORING within 1m or-go-on
expect state A/t-0=PREPARING
`
	const lost = "live core=a0,a1,c0,c1\n"
	r := play(t, chain+lost, nil)
	if s := r.Summary(); s != "" {
		t.Error(s)
	}
	if text := strings.Join(r.Accepted, "\n"); !strings.Contains(text, "reaches-desired: A/t-0 is PREPARING") || !strings.Contains(text, "lag-drains: A/t-0") {
		t.Errorf("accepted are %q", text)
	}
	met(t, chain+`stop t in n
until state C/t-0=STOPPED
until state A/t-0=MIRRORING within 1m
until leo A/t-0=3
`+lost)
	for _, v := range play(t, strings.Replace(chain, "protocol hardened", "protocol hardened\nset reverse-check=unchecked", 1), nil).Failures {
		if v.Got == "the state of A/t-0 is MIRRORING" {
			return
		}
	}
	t.Error("where reverse mirrors are not checked the lookup waits too")
}
