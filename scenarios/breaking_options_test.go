package scenarios

import (
	"testing"

	"mirrorsim/checkers"
)

// oneOfThree is a mirror of three records from A to B, which has two brokers and its coordinator on the first of them. The
// second then leads, and its requests to the first take long: it does not know its mirror state for a while.
const oneOfThree = `cluster A brokers=1
cluster B brokers=2
topic t on A partitions=1 replicas=1
topic t on B partitions=1 replicas=2 id-of=A
topic __mirror_state on B partitions=1 replicas=1
client p producer on A
client q producer on B plain
client r consumer on B
mirror m from A to B
mirror m from B to A
produce p A/t-0 3
start t in B/m
until lag B/t-0=0
fault delay b1>b0 by=3s
elect B/t-0 to=b1
`

// readAtTheOldSource is a failover to B, behind which a group goes on at A, reads two records there, and comes back when A has
// been aligned to B.
const readAtTheOldSource = `cluster A brokers=2
cluster B brokers=2
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A
client p producer on A
client q producer on B
client g group on A
mirror m from A to B
mirror m from B to A
produce p A/t-0 3
start t in B/m
until lag B/t-0=0
stop t in B/m
until state B/t-0=STOPPED
elect A/t-0
produce p A/t-0 2
consume g A/t-0
until read g=5
leave g
produce q B/t-0 2
start t in A/m
until lag A/t-0=0
consume g A/t-0
until read g=6
`

// A whole run in which one option of a decision makes a property fall, and another keeps it.
func TestOptionsThatBreakAProperty(t *testing.T) {
	for _, c := range []struct {
		property     checkers.ID
		wrong, right string // right is "" where no built option keeps it
		steps        string
		want         string
	}{
		{checkers.OneWritableSide, "unknown-state=writable", "unknown-state=read-only",
			oneOfThree + "produce q B/t-0 1\nafter 5s produce p A/t-0 1\n",
			"B/t-0 is a mirror of A, where a0 takes client writes; but B/t-0@b1 takes them too, in leader epoch 1"},
		{checkers.NoLoop, "reverse-check=unchecked", "reverse-check=checked",
			oneOfThree + "start t in A/m\nafter 10s produce p A/t-0 1\n",
			"A/t-0@a0 appended 0@0 (record 8/1) from its mirror of B, which has it from there: A→B→A"},
		{checkers.ClientEpoch, "epoch-floor=unconstrained", "epoch-floor=fenced",
			`cluster A brokers=2
cluster B brokers=1
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=1 id-of=A
client p producer on A
client r consumer on B
mirror m from A to B
elect A/t-0 to=a1
produce p A/t-0 1
start t in B/m
consume r B/t-0
until read r=1
`, "r took epoch 1 for its position 1 in B/t-0, where the leader epoch is 0"},
		{checkers.GroupOffset, "offset-reclamp=no", "offset-reclamp=all",
			readAtTheOldSource, "g resumed at 5 in A/t-0, and passes over 1 records that it has never read, the first of them 4@1 (record 10/1)"},
	} {
		t.Run(c.property.String(), func(t *testing.T) {
			for _, set := range []string{c.wrong, c.right} {
				if set == "" {
					continue
				}
				violated, occasions := verdicts(play(t, "scenario s\nprotocol start-stop\nset "+set+"\n"+c.steps, nil), false)
				want := ""
				if set == c.wrong {
					want = c.want
				}
				if got := violated[c.property.String()]; got != want {
					t.Errorf("%s: %q, want %q", set, got, want)
				}
				if set == c.right && c.property != checkers.NoLoop && occasions[c.property.String()] == 0 {
					t.Errorf("%s: no occasion to fail", set)
				}
			}
		})
	}
}
