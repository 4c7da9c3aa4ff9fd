package scenarios

import (
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/scenarios/format"
)

// mirrored is two clusters of which B mirrors t of A, and a group of A that has committed 3.
const mirrored = `scenario x
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A
client p producer on A
client q producer on B
client g group on A
client h group on B
mirror m from A to B`

const commits3 = `
produce p A/t-0 3
start t in m
until lag B/t-0=0
consume g A/t-0
until committed g A/t-0=3
`

// playGroups runs steps below a head on the calm schedule, and answers the commits that a mirror has had stored.
func playGroups(t *testing.T, text string) (synced int) {
	t.Helper()
	s, err := format.Parse("x.scn", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Choose(s, "start-stop", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, Options{Protocol: d.Config, Listen: func(e *event.Event) {
		if e.Kind == event.OffsetStored && e.Cause == 1 {
			synced++
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Failures {
		t.Errorf("line %d: %s: %s", f.Line, f.Text, f.Got)
	}
	return synced
}

// TestGroupSync: a pass brings an offset of the source, and one without a change writes nothing.
func TestGroupSync(t *testing.T) {
	if n := playGroups(t, mirrored+commits3+`
until committed g B/t-0=3
expect committed g B/t-0=3@0
expect committed h B/t-0=none
after 5m describe B/t-0 in m`); n != 1 {
		t.Errorf("%d commits were stored", n)
	}
}

// TestGroupLists: mirror.groups.include and mirror.groups.exclude choose the groups, and exclude wins.
func TestGroupLists(t *testing.T) {
	for list, want := range map[string]int{" groups=g": 1, " groups=h": 0, " groups=[f-g]": 1, " groups=g exclude-groups=g": 0,
		" exclude-groups=h.*": 1, " exclude-groups=g|h": 0} {
		if n := playGroups(t, mirrored+list+commits3+"after 2m describe B/t-0 in m"); n != want {
			t.Errorf("%s: %d commits were stored", list, n)
		}
	}
}

// TestGroupSyncHalts: nothing is written for a topic that is paused, and again once it is resumed.
func TestGroupSyncHalts(t *testing.T) {
	playGroups(t, mirrored+commits3+`
pause t in m
until state B/t-0=PAUSED
after 3m describe B/t-0 in m
expect committed g B/t-0=none
resume t in m
until committed g B/t-0=3 within 2m`)
}

// TestGroupActiveHere: a group that is active at the destination is not overwritten.
func TestGroupActiveHere(t *testing.T) {
	playGroups(t, mirrored+`
produce p A/t-0 3
start t in m
until lag B/t-0=0
consume g B/t-0
until committed g B/t-0=3
reset-offset g A/t-0 to=1
after 3m leave g on B
expect committed g B/t-0=3@0
until committed g B/t-0=1 within 2m`)
}

// TestGroupTopicDeleted: the offsets of a topic go with it.
func TestGroupTopicDeleted(t *testing.T) {
	playGroups(t, mirrored+`
produce p A/t-0 3
consume g A/t-0
until committed g A/t-0=3
leave g
delete-topics t on A
until committed g A/t-0=none`)
}

// TestMembersOfOtherTopicsStay: leaders of a mirrored topic move, and each new one has group offsets lowered. The member of a group
// that reads a topic which is not mirrored stays in its generation; that of one which reads a partition of it joins again.
func TestMembersOfOtherTopicsStay(t *testing.T) {
	for topic, want := range map[string]int{"u": 1, "t": 2} {
		s, err := format.Parse("x.scn", []byte(`scenario x
set offset-reclamp=all
cluster A brokers=1
cluster B brokers=2
topic t on A partitions=1 replicas=1
topic t on B partitions=1 replicas=2 id-of=A
topic u on B partitions=1 replicas=2
topic __consumer_offsets on B partitions=1 replicas=2
client h group on B
mirror m from A to B
start t in m
until state B/t-0=MIRRORING
consume h B/`+topic+`-0
after 5s elect B/t-0
after 20s describe B/t-0 in m`))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Choose(s, "start-stop", nil)
		if err != nil {
			t.Fatal(err)
		}
		joins := 0
		if _, err = Run(s, Options{Protocol: d.Config, Listen: func(e *event.Event) {
			if e.Kind == event.GroupJoined {
				joins++
			}
		}}); err != nil {
			t.Fatal(err)
		}
		if joins != want {
			t.Errorf("%s: it has joined %d times, want %d", topic, joins, want)
		}
	}
}

// TestStopCutsBelowOffset: with a stop that cuts to the last stable offset, D31 lowers what stands above that too.
func TestStopCutsBelowOffset(t *testing.T) {
	for _, c := range []struct{ reclamp, want string }{{"no", "3@0"}, {"synced", "1@0"}, {"all", "1@0"}} {
		playGroups(t, `scenario x
set open-transactions=truncate-to-lso
set offset-reclamp=`+c.reclamp+`
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A
client p producer on A
client tx transactional on A
client g group on A
mirror m from A to B
setting transaction-timeout=10m
produce p A/t-0 1
produce tx A/t-0 1
produce p A/t-0 1
start t in m
until lag B/t-0=0
consume g A/t-0
until committed g B/t-0=3
stop t in m
until state B/t-0=STOPPED
expect leo B/t-0=2
expect committed g B/t-0=`+c.want)
	}
}
