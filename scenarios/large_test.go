package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mirrorsim/checkers"
	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// large is ten minutes of three clusters and four mirrors, a chain among them, with ten partitions each: producers write, a
// transaction is committed or aborted every few seconds, two groups move from cluster to cluster, configs and ACLs change and a
// topic grows, leaders move, and brokers crash or are cut off for a while.
func large() string {
	var b strings.Builder
	b.WriteString(`scenario large
cluster A brokers=3 controllers=2
cluster B brokers=3 controllers=2
cluster C brokers=2
topic a on A partitions=10 replicas=2
topic a on B partitions=10 replicas=2 id-of=A
topic a on C partitions=10 replicas=2 id-of=A
topic b on B partitions=10 replicas=2
topic b on A partitions=10 replicas=2 id-of=B
topic c on C partitions=10 replicas=2
topic c on A partitions=10 replicas=2 id-of=C
client p producer on A
client q producer on B
client r producer on C
client x transactional on A
client y consumer on C
client z consumer on B
client g group on A
client h group on B
mirror ab from A to B acls=topic:a,group:.*
mirror bc from B to C acls=topic:a
mirror ba from B to A
mirror ca from C to A

start a in ab
start a in bc
start b in ba
start c in ca
consume y C/a-3 read-committed
consume z B/a-4
consume g A/a-3
consume g A/a-5 read-committed
consume h B/a-4
`)
	for second := 5; second < 600; second += 5 {
		at, n := fmt.Sprintf("at %ds ", second), second/5
		fmt.Fprintf(&b, at+"produce p A/a-%d 4 batch=2\n"+at+"produce q B/b-%d 2\n"+at+"produce r C/c-%d 2\n", n%10, n%10, n*7%10)
		fmt.Fprintf(&b, at+"produce x A/a-%d 2\n"+at+"%s x\n", n*3%10, []string{"commit", "commit", "abort"}[n%3])
		for _, act := range atLarge[n] {
			b.WriteString(at + act + "\n")
		}
		switch n {
		case 12:
			b.WriteString(at + "elect B/a-3\n")
		case 20:
			b.WriteString(at + "fault crash b1 for 12s\n")
		case 40:
			b.WriteString(at + "fault cut A>B for 15s\n")
		case 60:
			b.WriteString(at + "retention A/a-2 before=6\n" + at + "compact A/a-1\n")
		case 80:
			b.WriteString(at + "fault crash leader C/a-0 for 8s\n")
		case 100:
			b.WriteString(at + "fault delay C>A by=400ms for 20s\n")
		}
	}
	b.WriteString("at 10m live\n")
	return b.String()
}

// atLarge are what groups and metadata do in the large run, by fives of seconds: members leave a cluster, and join on the next one,
// where the offsets that they have committed have come with the mirror.
var atLarge = map[int][]string{
	8:   {"config a on A retention.ms=9000000", "acl add topic:a alice read on A"},
	24:  {"commit g", "leave g"},
	26:  {"consume g B/a-3", "consume g B/a-5"},
	28:  {"config a on A max.message.bytes=9000", "acl add group:g bob read on A", "acl remove topic:a alice read on A"},
	34:  {"leave h on B"},
	36:  {"consume h C/a-4", "consume h C/a-6"},
	50:  {"create-partitions a on A partitions=11", "acl add topic:a carol write on B"},
	54:  {"consume g B/a-10", "produce p A/a-10 3"},
	70:  {"leave g on B", "config a on A retention.ms="},
	72:  {"consume g C/a-3", "consume g C/a-10"},
	84:  {"leave h on C", "reset-offset h B/a-4 to=3"},
	86:  {"consume h B/a-4"},
	104: {"config b on B retention.ms=8000000", "config c on C max.message.bytes=8000"},
	110: {"leave g on C", "consume g A/a-3"},
}

// A run of ten minutes comes to its end with every property held and both ends of each mirror equal, and to the same hash again.
func TestLargeRun(t *testing.T) {
	alone(t)
	s, err := format.Parse("large.scn", []byte(large()))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var first *Result
	for range 2 {
		res, err := Run(s, Options{Protocol: d.Config}.WithLevel(7, faults.Light))
		if err != nil {
			t.Fatal(err)
		}
		if first != nil {
			if res.Hash != first.Hash || res.Choices != first.Choices || res.Events != first.Events {
				t.Errorf("hash %016x, then %016x", first.Hash, res.Hash)
			}
			continue
		}
		first = res
	}
	if summary := first.Summary(); summary != "" {
		t.Error(summary)
	}
	for _, property := range []string{"convergence", "lag-drains", "transaction-isolation", "mirror-prefix", "isr-heals",
		"group-offset", "metadata-sync"} {
		i := slices.IndexFunc(first.Verdicts, func(v checkers.Verdict) bool { return v.Property == property })
		if v := first.Verdicts[i]; v.Status != checkers.Holds || v.Occasions < 5 {
			t.Errorf("%s: %v on %d occasions", property, v.Status, v.Occasions)
		}
	}
	if first.Virtual < 10*id.Minute {
		t.Errorf("it took %v", first.Virtual)
	}
	t.Logf("%d deliveries, %d events, %v", first.Deliveries, first.Events, first.Virtual)
}
