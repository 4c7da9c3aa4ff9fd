package scenarios

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCoverage(t *testing.T) {
	const failback = stoppedSmall + `start t in A/m
until state A/t-0=MIRRORING
until lag A/t-0=0
until quiet
`
	table := []struct {
		name, steps string
		want        Coverage
	}{
		{"only mirroring", mirroring, Coverage{}},
		{"a stop", stoppedSmall + "until quiet\n", Coverage{FinishedStop: true}},
		{"a stop that is stored and not finished", mirroring + `fault crash b0 at-point stop.producers-reset
stop t in B/m
`, Coverage{FaultWhileAligningOrStopping: true, FinishedStop: true}},
		{"a stop that nobody finishes", mirroring + `fault crash b0 at-point stop.position-recorded
fault crash b1 at-point stop.position-recorded
stop t in B/m
`, Coverage{FaultWhileAligningOrStopping: true}},
		{"a failback", failback, Coverage{FinishedStop: true, FinishedFailback: true}},
		{"a failback that has not begun to fetch", stoppedSmall + "fault cut B>A\nstart t in A/m\nuntil state A/t-0=MIRRORING within 5s or-go-on\n",
			Coverage{FinishedStop: true, FaultWhileAligningOrStopping: true}},
		{"a slow link in a stop", mirroring + `fault delay b0>a0 by=1s
stop t in B/m
until state B/t-0=STOPPED
fault heal b0>a0
`, Coverage{FinishedStop: true, FaultWhileAligningOrStopping: true}},
		{"a slow node in a stop", mirroring + `fault slow b0 by=200ms
stop t in B/m
until state B/t-0=STOPPED
fault heal b0
until quiet
`, Coverage{FinishedStop: true, FaultWhileAligningOrStopping: true}},
		{"a message that is lost in a stop", mirroring + `fault drop b0 api=BumpLeaderEpochRequest
stop t in B/m
until quiet
`, Coverage{FinishedStop: true, FaultWhileAligningOrStopping: true}},
		{"a pause that ended with the process before the stop", mirroring + `fault pause b2
fault crash b2 for 1s
after 5s stop t in B/m
until quiet
`, Coverage{FinishedStop: true}},
		{"a fault that is over before the stop", mirroring + `fault cut b0>a0 for 1s
after 5s stop t in B/m
until quiet
`, Coverage{FinishedStop: true}},
		{"records that were not mirrored", mirroring + `fault cut A>B
produce p A/t-0 2
stop t in B/m
until state B/t-0=STOPPED
fault heal A>B
`, Coverage{FinishedStop: true, FaultWhileAligningOrStopping: true, LostAtFailover: true}},
		{"a broker that is down for good, and what happens after the last fault", mirroring + `stop t in B/m
live core=a0,a1,b0,b1
`, Coverage{FinishedStop: true, PermanentFault: true}},
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, play(t, c.steps, nil).Coverage); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}
