package scenarios

import (
	"slices"
	"strings"
	"testing"
)

// Case E4: under unclean-election support a destination that has cut its log waits for every replica, for one that is down for good
// for ever (section 13 of the design). The run says so, and violates nothing by it.
func TestAcceptedLimitIsTold(t *testing.T) {
	r := play(t, `scenario s
set divergence=fail-or-recover
cluster A brokers=2
cluster B brokers=2
topic t on A partitions=1 replicas=2 assign=a0,a1 unclean
topic t on B partitions=1 replicas=2 id-of=A assign=b0,b1 mirror-unclean
topic __mirror_state on B partitions=1 replicas=1 assign=b0
client p producer on A
client q producer on A
mirror m from A to B
produce p A/t-0 20
until quiet
fault cut a1>a0
until isr A/t-0=1
produce p A/t-0 10
start t in m
until lag B/t-0=0
fault crash b1
until isr B/t-0=1
elect A/t-0 to=a1 unclean
fault heal a1>a0
produce q A/t-0 5
until state B/t-0=ULE_RECOVERY
live core=a0,a1,b0 within 30s
`, nil)
	violated, _ := verdicts(r, true)
	if len(violated) > 0 {
		t.Errorf("violated: %v", violated)
	}
	for _, want := range []string{"reaches-desired: B/t-0 is ULE_RECOVERY, wanted is MIRRORING, 30s after the last fault; b0 says: B/t-0 in ULE_RECOVERY: ",
		"lag-drains: B/t-0 "} {
		if !slices.ContainsFunc(r.Accepted, func(x string) bool { return strings.HasPrefix(x, want) }) {
			t.Errorf("no accepted limit begins with %q:\n%s", want, strings.Join(r.Accepted, "\n"))
		}
	}
}
