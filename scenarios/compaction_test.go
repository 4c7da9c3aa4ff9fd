package scenarios

import "testing"

// The coordinator's own topic is compacted before it moves, and before it restarts: the next one reads the same state and
// position, so that nothing begins again, and the failback finds its position.
func TestCompactedMirrorState(t *testing.T) {
	met(t, `scenario compacted-state
setting state-partitions=1
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=2 replicas=2
topic t on B partitions=2 replicas=2 id-of=A
client p producer on A
client q producer on B
mirror m from A to B
mirror m from B to A

produce p A/t-0 5
start t in B/m
until leo B/t-0=5
until state B/t-1=MIRRORING
pause t in B/m
until state B/t-0=PAUSED
until state B/t-1=PAUSED
compact B/__mirror_state-0
elect coordinator B/m B/t-0
until quiet
expect state B/t-0=PAUSED
resume t in B/m
until state B/t-0=MIRRORING
until state B/t-1=MIRRORING
stop t in B/m
until state B/t-0=STOPPED
until state B/t-1=STOPPED
compact B/__mirror_state-0
fault crash b1
fault heal b1
until isr B/__mirror_state-0=2
elect coordinator B/m B/t-0
until quiet
expect log B/t-0=0-4@0 5:reset@1
expect position B/t-0=0
produce q B/t-0 1
expect error last=NONE
start t in A/m
until state A/t-0=MIRRORING
until leo A/t-0=7
expect discarded A/t-0=0
expect copied-again A/t-0=0
`)
}

// A log with gaps is cut where the source's history differs, by offsets and epochs alone: B has copied a compacted A when A loses
// its newest records in an unclean election.
func TestGapsAndADivergence(t *testing.T) {
	met(t, `scenario gaps
cluster A brokers=3
cluster B brokers=2
topic t on A partitions=1 replicas=3 min-isr=1 unclean
topic t on B partitions=1 replicas=2 id-of=A
client p producer on A
mirror m from A to B

produce p A/t-0 6
until quiet
compact A/t-0 keep=1,5
fault cut a1>a0
until isr A/t-0=2
produce p A/t-0 4 acks=1
start t in m
until leo B/t-0=10
expect log B/t-0=1@0 5-9@0
elect A/t-0 unclean to=a1
produce p A/t-0 3
until leo B/t-0=9
until lag B/t-0=0
until quiet
expect log A/t-0=1@0 5@0 6-8@1
expect log B/t-0=1@0 5@0 6-8@1
compact A/t-0 keep=8
compact B/t-0 keep=1
expect log A/t-0=8@1
expect log B/t-0=1@0 8@1
elect B/t-0
until quiet
`)
}

// All that A held below the end of epoch 0 was compacted, and alignment cuts it there: its log ends in a gap, with no batch in it.
// There it is cut back to its start, for nobody could tell whether the gap is B's too: B has the records still, and its reset at 7.
func TestLogThatEndsInAGap(t *testing.T) {
	met(t, `scenario end-in-a-gap
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=1 replicas=2
topic t on B partitions=1 replicas=2 id-of=A
client p producer on A
client u producer on A plain
client q producer on B
mirror m from A to B
mirror m from B to A

produce u A/t-0 7
start t in B/m
until leo B/t-0=7
stop t in B/m
until state B/t-0=STOPPED
produce u A/t-0 5
until quiet
elect A/t-0
produce u A/t-0 2
until quiet
compact A/t-0 keep=13
expect log A/t-0=13@1
start t in A/m
until state A/t-0=MIRRORING
until leo A/t-0=8
until quiet
expect log A/t-0@a0=0-6@0 7:reset@1
expect log A/t-0@a1=0-6@0 7:reset@1
expect log B/t-0=0-6@0 7:reset@1
produce q B/t-0 1
until leo A/t-0=9
until quiet
`)
}
