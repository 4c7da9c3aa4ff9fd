package format

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// withoutLines compares scenarios but for line numbers; nothing and an empty list are the same.
var withoutLines = cmp.Options{cmpopts.IgnoreFields(Pos{}, "Line"), cmpopts.EquateEmpty()}

func TestParseOfPrintGivesTheScenario(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawScenario(t)
		text := want.AppendText(nil)
		got, err := Parse("drawn.scn", text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if d := cmp.Diff(want, got, withoutLines); d != "" {
			t.Fatalf("(-drawn +parsed)\n%s\nin\n%s", d, text)
		}
		if again := got.AppendText(nil); string(again) != string(text) {
			t.Fatalf("printed\n%s\nand again\n%s", text, again)
		}
	})
}

func TestPrintIsCanonical(t *testing.T) {
	s, err := Parse("x.scn", []byte(messy))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(tidy, string(s.AppendText(nil))); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

const messy = `

#  A story,

#of two lines and one that is indented.
   scenario x
cluster A  controllers=1 brokers=2 # the source
cluster B controllers=3 brokers=2
client p producer on A idempotent
client r consumer on B
set D7=plus-one
# Slow disks.
setting replica-lag=60s
mirror m from A to B
mirror n from B to A acls=topic:t exclude-configs=c exclude-groups=h groups=g exclude=u include=t absent
topic t on A replicas=2 partitions=01
topic t on B partitions=1 replicas=2 min-isr=1 id-of=A
protocol aligned

choose net-delay 258 #3=2
expect leo A/t-0=0
produce p A/t-0 3 batch=1 acks=all
expect   leo A/t-0=3   on-schedule   calm # all of them
repeat 2
# within
after 1500ms start t in m
until lag B/t-0=0 within 60s # it drains
# nothing more
end
wrong   set marker=none   violates convergence
after 0s fault delay b0 by=1000ms
# the end
`

const tidy = `#  A story,
# of two lines and one that is indented.
scenario x
protocol aligned
set D7=plus-one
# Slow disks.
setting replica-lag=60s

# the source
cluster A brokers=2
cluster B brokers=2 controllers=3
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 min-isr=1 id-of=A
client p producer on A
client r consumer on B
mirror m from A to B
mirror n from B to A absent include=t exclude=u groups=g exclude-groups=h exclude-configs=c acls=topic:t

expect leo A/t-0=0
produce p A/t-0 3
# all of them
expect leo A/t-0=3 on-schedule calm
repeat 2
  # within
  after 1500ms start t in m
  # it drains
  until lag B/t-0=0 within 1m
  # nothing more
end
after 0s fault delay b0 by=1s
choose net-delay 258 #3=2
wrong set marker=none violates convergence
# the end
`
