package plan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mirrorsim/scenarios"
)

// unanswerable are changes of the sound plan after which something cannot be answered.
var unanswerable = []struct{ name, old, new string }{
	{"nothing", "plan: sound", "plan: sound"},
	{"nobody reads", "groups:\n  billing: {offsets: {orders: {0: {east: 90, west: 80}}}}", "groups: {}"},
	{"groups not said", "groups:\n  billing: {offsets: {orders: {0: {east: 90, west: 80}}}}", ""},
	{"nobody writes", "producers:\n  checkout: {cluster: east, topics: [orders], rate: 5}", "producers: {}"},
	{"producers not said", "producers:\n  checkout: {cluster: east, topics: [orders], rate: 5}", ""},
	{"one state in passing", "state: MIRRORING", "state: STOPPING"},
	{"unclean", "orders:\n    mirror", "orders:\n    configs: {east: {unclean.leader.election.enable: true}}\n    mirror"},
	{"no group moves", "- move-groups: {to: west}\n", ""},
	{"no producer moves", "- move-producers: {to: west}\n", ""},
	{"no stop", "- stop: {mirror: to-west, topics: [orders]}\n- wait-for-state: {mirror: to-west, topics: [orders], state: STOPPED}\n", ""},
	{"no failback", "- start: {mirror: to-east}\n", ""},
}

// A question that is not answered has a reason, whatever two things are so: of plans of which every partition, one or none can be run.
func TestUnansweredHasReason(t *testing.T) {
	all := strings.NewReplacer("state: MIRRORING", "state: STOPPING", "state: STOPPED\n        mirrored-end: 40", "state: PAUSING\n        lag: 0",
		"log-start: 0, end: 60", "log-start: 0, end: 50").Replace(sound)
	for _, base := range []string{sound, all} {
		for _, a := range unanswerable {
			for _, b := range unanswerable[:5] {
				src := strings.Replace(strings.Replace(base, a.old, a.new, 1), b.old, b.new, 1)
				if strings.Contains(src, "groups: {}") || !strings.Contains(src, "groups:\n") {
					src = strings.Replace(src, "- move-groups: {to: west}\n", "", 1)
				}
				if strings.Contains(src, "producers: {}") || !strings.Contains(src, "producers:\n") {
					src = strings.Replace(src, "- move-producers: {to: west}\n", "", 1)
				}
				p, err := Parse("mine.yaml", []byte(src))
				if err != nil {
					t.Fatalf("%s, %s: %v\n%s", a.name, b.name, err, src)
				}
				hasReasons(t, a.name+", "+b.name, p)
			}
		}
	}
}

func hasReasons(t *testing.T, name string, p *Plan) {
	t.Helper()
	r, err := p.Run(t.Context(), Options{Count: 1, Level: scenarios.NoFaults})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range r.Answers {
		if a.Answer == NotAnswered && (len(a.Unanswered) == 0 || a.Unanswered[0].Why == "") {
			t.Errorf("%s: %s is not answered and has no reason", name, a.Question)
		}
		if slices.ContainsFunc(a.Unanswered, func(u Unanswered) bool { return strings.Contains(u.Why, "see the other questions") }) {
			t.Errorf("%s: %s has only the reason of last resort", name, a.Question)
		}
	}
}

// Five mistakes of somebody who writes his first plan get five errors, each with its place and what would be accepted, and no sixth
// that one of them brings about.
func TestFiveMistakes(t *testing.T) {
	file := filepath.Join("testdata", "five-mistakes.yaml")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse(file, src)
	want := []string{
		file + `:11: "wst": not a cluster, also in line 12, perhaps west is meant; accepted: east, west`,
		file + `:24: "replica": unknown key of orders-0 on west, perhaps replicas is meant; accepted: replicas, isr, `,
		file + `:25: "RUNNING": not a state of a mirrored partition; accepted: MIRRORING, PAUSED, `,
		file + `:33: "1600000": group billing has committed this on east, beyond the end 1500020; accepted: 0 to 1500020`,
		file + `:36: "checkout": the file has no producers; accepted: producers: {NAME: {cluster: CLUSTER, `,
	}
	lines := strings.Split(err.Error(), "\n")
	for i := range max(len(lines), len(want)) {
		if i >= len(lines) || i >= len(want) || !strings.HasPrefix(lines[i], want[i]) {
			t.Fatalf("error %d is not as wanted:\n%v", i+1, err)
		}
	}
}
