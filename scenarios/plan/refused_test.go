package plan

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mirrorsim/scenarios/format"
)

// sound is a plan that is accepted; what is refused is it with one thing changed.
const sound = `plan: sound
clusters:
  east: {down: [3]}
  west: {}
mirrors:
  to-west: {from: east, to: west}
  to-east: {from: west, to: east}
topics:
  orders:
    mirror: to-west
    partitions:
      0:
        east: {replicas: [1, 2, 3], isr: [1, 2], leader: 2, leader-epoch: 7, log-start: 10, end: 120, epochs: {5: 10, 7: 90}}
        west: {replicas: [11, 12], log-start: 10, end: 100}
        state: MIRRORING
        lag: 20
  users:
    mirror: to-west
    partitions:
      0:
        east: {replicas: [1, 2], log-start: 0, end: 50}
        west: {replicas: [11, 12], log-start: 0, end: 60}
        state: STOPPED
        mirrored-end: 40
groups:
  billing: {offsets: {orders: {0: {east: 90, west: 80}}}}
producers:
  checkout: {cluster: east, topics: [orders], rate: 5}
steps:
- stop: {mirror: to-west, topics: [orders]}
- wait-for-state: {mirror: to-west, topics: [orders], state: STOPPED}
- move-producers: {to: west}
- move-groups: {to: west}
- start: {mirror: to-east}
`

func TestSoundIsAccepted(t *testing.T) {
	p := parsed(t, "sound.yaml", sound)
	if s := p.Scenario(Schedule{}); s == "" || len(p.Topics) != 2 || len(p.Steps) != 5 || p.Groups[0].Offsets[0].At != [2]int64{90, 80} {
		t.Errorf("%+v\n%s", p, s)
	}
}

// refusals are the plan above with one thing changed, and what is said of it.
var refusals = []struct {
	name, old, new string
	line           int
	word           string
	want           []string // of the message and of what is accepted
}{
	{"no clusters", "clusters:\n  east: {down: [3]}\n  west: {}\n", "", 1, "", []string{"a plan lacks clusters"}},
	{"no mirrors", "mirrors:\n  to-west: {from: east, to: west}\n  to-east: {from: west, to: east}\n", "", 1, "", []string{"a plan lacks mirrors"}},
	{"no topics", sound[strings.Index(sound, "topics:"):strings.Index(sound, "groups:")], "topics: {}\n", 8, "", []string{"there is no topic"}},
	{"no steps", sound[strings.Index(sound, "steps:"):], "steps: []\n", 29, "[...]", []string{"a list", "- stop:"}},
	{"no value", "plan: sound", "plan:", 1, "plan", []string{"no value"}},
	{"key at the top", "plan: sound", "plan: sound\nclutsers: {}", 2, "clutsers", []string{"unknown key of a plan", "clusters"}},
	{"key of a side", "log-start: 10, end: 100", "log-start: 10, end: 100, hw: 100", 14, "hw", []string{"orders-0 on west", "high-watermark"}},
	{"key twice", "plan: sound", "plan: sound\nplan: again", 2, "plan", []string{"already"}},
	{"alias", "to-west: {from: east, to: west}", "to-west: &m {from: east, to: west}\n  copy: *m", 7, "*m", []string{"aliases"}},
	{"three clusters", "  west: {}\n", "  west: {}\n  north: {}\n", 3, "", []string{"two clusters"}},
	{"no such cluster", "{from: east, to: west}", "{from: east, to: wets}", 6, "wets", []string{"east", "west"}},
	{"mirror to itself", "{from: west, to: east}", "{from: west, to: west}", 7, "west", []string{"the other cluster", "east"}},
	{"name of a mirror", "to-west: {from: east, to: west}", "m.paused: {from: east, to: west}", 6, "m.paused", []string{"not a name for a mirror"}},
	{"no such mirror", "mirror: to-west\n", "mirror: to-wets\n", 10, "to-wets", []string{"to-west", "to-east"}},
	{"revision", "plan: sound", "plan: sound\nprotocol: hardend", 2, "hardend", []string{"hardened", "start-stop"}},
	{"decision", "plan: sound", "plan: sound\nset: {marker: epok}", 2, "marker", []string{"epoch-and-offset"}},
	{"setting", "plan: sound", "plan: sound\nsettings: {replica-leg: 1s}", 2, "replica-leg", []string{"replica-lag"}},
	{"question", "plan: sound", "plan: sound\nask: [Q6]", 2, "Q6", []string{"Q1", "Q5"}},
	{"age", "plan: sound", "plan: sound\nmeasured: 5 minutes", 2, "5 minutes", []string{"such as 30s"}},
	{"one side only", "        west: {replicas: [11, 12], log-start: 10, end: 100}\n", "", 13, "", []string{"orders-0 lacks west"}},
	{"no end", "log-start: 10, end: 100}", "log-start: 10}", 14, "", []string{"orders-0 on west lacks end"}},
	{"no log start", "log-start: 10, end: 100}", "end: 100}", 14, "", []string{"orders-0 on west lacks log-start"}},
	{"no state", "        state: MIRRORING\n", "", 13, "", []string{"orders-0 lacks state"}},
	{"no replicas", "replicas: [11, 12], log-start: 10", "log-start: 10", 14, "", []string{"lacks replicas"}},
	{"state", "state: MIRRORING", "state: MIRORING", 15, "MIRORING", []string{"MIRRORING", "STOPPED"}},
	{"offset", "end: 100", "end: 1e2", 14, "1e2", []string{"a whole number"}},
	{"commas", "end: 120", "end: 1,500,020", 13, "1,500,020", []string{"a number has no commas; accepted: 1500020"}},
	{"commas before equal digits", "end: 120", "end: 1,500,500", 13, "1,500,500", []string{"no commas; accepted: 1500500"}},
	{"commas between quotes", "end: 120", "end: \"1,500,020\"", 13, "1,500,020", []string{"no commas; accepted: 1500020"}},
	{"commas on a line of its own", "lag: 20", "lag: 1,020", 16, "1,020", []string{"no commas; accepted: 1020"}},
	{"commas of an epoch", "{5: 10, 7: 90}", "{5: 1,000, 7: 90}", 13, "1,000", []string{"no commas; accepted: 1000"}},
	{"negative", "end: 100", "end: -1", 14, "-1", []string{"0 to"}},
	{"log start above the end", "log-start: 10, end: 100", "log-start: 110, end: 100", 14, "110", []string{"above its end 100"}},
	{"high watermark above the end", "end: 100", "end: 100, high-watermark: 101", 14, "101", []string{"not within its log", "10 to 100"}},
	{"mirror ahead", "end: 100", "end: 130", 14, "130", []string{"beyond its end 120 on east", "age:"}},
	{"lag", "lag: 20", "lag: 19", 16, "19", []string{"120 - 100", "20", "lag-age:"}},
	{"lag of a stopped one", "mirrored-end: 40", "mirrored-end: 40\n        lag: 3", 25, "3", []string{"STOPPED", "no lag"}},
	{"epochs", "{5: 10, 7: 90}", "{5: 10, 7: 10}", 13, "7", []string{"does not ascend"}},
	{"epochs fall", "{5: 10, 7: 90}", "{5: 10, 4: 90}", 13, "4", []string{"does not ascend"}},
	{"epoch beyond the end", "{5: 10, 7: 90}", "{5: 10, 7: 121}", 13, "121", []string{"above its end 120"}},
	{"leader epoch", "leader-epoch: 7", "leader-epoch: 6", 13, "6", []string{"below its newest epoch", "7 or more"}},
	{"ISR", "isr: [1, 2]", "isr: [1, 2, 4]", 13, "4", []string{"no replica"}},
	{"leader out of the ISR", "leader: 2", "leader: 3", 13, "3", []string{"no in-sync replica that is up", "none"}},
	{"nobody leads", "leader: 2", "leader: none", 13, "none", []string{"nobody leads orders-0 on east", "1, 2"}},
	{"no mirrored end", "        mirrored-end: 40\n", "", 23, "STOPPED", []string{"mirrored-end: OFFSET"}},
	{"mirrored end at the end", "mirrored-end: 40", "mirrored-end: 60", 24, "60", []string{"producer reset", "0 to 59"}},
	{"last epoch of a mirroring one", "lag: 20", "lag: 20\n        last-mirrored-epoch: 7", 17, "7", []string{"only a STOPPED partition"}},
	{"mirrored end of a mirroring one", "lag: 20", "lag: 20\n        mirrored-end: 40", 17, "40", []string{"only a STOPPED partition"}},
	{"group without offsets", "offsets: {orders: {0: {east: 90, west: 80}}}", "offsets: {}", 26, "", []string{"group billing has no offsets"}},
	{"group of one side", "{east: 90, west: 80}", "{east: 90}", 26, "", []string{"lacks west"}},
	{"group beyond the end", "{east: 90, west: 80}", "{east: 121, west: 80}", 26, "121", []string{"beyond the end 120"}},
	{"group without reset", "{east: 90, west: 80}", "{east: 90, west: none}", 26, "none", []string{"reset: earliest"}},
	{"group of no topic", "{orders: {0: {east: 90", "{order: {0: {east: 90", 26, "order", []string{"orders", "users"}},
	{"group of no partition", "{orders: {0: {east: 90", "{orders: {1: {east: 90", 26, "1", []string{"no such partition of topic orders"}},
	{"producer on the read-only side", "checkout: {cluster: east", "checkout: {cluster: west", 28, "west", []string{"read-only", "east"}},
	{"rate", "rate: 5", "rate: 0", 28, "0", []string{"1 to"}},
	{"unknown act", "- stop: {", "- stopp: {", 30, "stopp", []string{"unknown key of a step", "stop-producers"}},
	{"two acts", "- move-groups: {to: west}", "- move-groups: {to: west}\n  wait: 5s", 34, "wait", []string{"one thing"}},
	{"step of no mirror", "- start: {mirror: to-east}", "- start: {mirror: back}", 34, "back", []string{"to-west", "to-east"}},
	{"step of no topic", "topics: [orders]}", "topics: [order]}", 30, "order", []string{"orders, users"}},
	{"stop of a mirror that it is not in", "- start: {mirror: to-east}", "- stop: {mirror: to-east}", 34, "to-east", []string{"no topic is in this mirror"}},
	{"step of no group", "- move-groups: {to: west}", "- move-groups: {groups: [b], to: west}", 33, "b", []string{"billing"}},
	{"step on a cluster that is down", "down: [3]}", "down: [1, 2, 3]}", 13, "2", []string{"leader"}},
	{"internal topic", "  users:\n", "  __users:\n", 17, "__users", []string{"internal topics"}},
}

// What is refused names the file, the line, the word, and what would be accepted.
func TestRefused(t *testing.T) {
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			src := strings.Replace(sound, c.old, c.new, 1)
			if src == sound {
				t.Fatal("nothing was changed")
			}
			_, err := Parse("mine.yaml", []byte(src))
			var e *format.SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("%v", err)
			}
			if e.File != "mine.yaml" || e.Line != c.line || e.Word != c.word {
				t.Errorf("line %d, word %q, want line %d, word %q: %v", e.Line, e.Word, c.line, c.word, err)
			}
			for _, w := range c.want {
				if !strings.Contains(e.Error(), w) {
					t.Errorf("it lacks %q: %v", w, err)
				}
			}
		})
	}
}

// An empty file, and one that is neither YAML nor JSON.
func TestNoPlan(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", "mine.yaml:1: the file is empty; accepted: plan, "},
		{"# nothing\n", "mine.yaml:1: the file is empty; accepted: plan, "},
		{"null", "mine.yaml:1: the file is empty; accepted: plan, "},
		{"{}", "mine.yaml:1: a plan lacks plan"},
		{"[1]", `mine.yaml:1: "[...]": a plan is a mapping`},
		{"x", `mine.yaml:1: "x": a plan is a mapping`},
		{"plan: x\ntopics: [\n", "mine.yaml:3: neither YAML nor JSON: "},
		{"plan: \"x\n", "mine.yaml:"},
		{"plan: x\nclusters:\n\teast: {}\n", `mine.yaml:3: "\t": YAML takes no tabs for indentation; accepted: spaces`},
		{"plan: x\nclusters:\n  \teast: {}\n", `mine.yaml:3: "\t": YAML takes no tabs for indentation; accepted: spaces`},
		{"plan: x\nclusters: {\n\teast: @x}\n", "mine.yaml:3: neither YAML nor JSON: "},
		{"plan: x\nsteps:\n-\tstop: {}\n", `mine.yaml:3: "\t": YAML takes no tabs for indentation; accepted: spaces`},
		{"plan: \x01", "mine.yaml:1: neither YAML nor JSON: "},
	} {
		if _, err := Parse("mine.yaml", []byte(c.src)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.src, err, c.want)
		}
	}
}

// All that is wrong with a file is told at once.
func TestAllErrors(t *testing.T) {
	src := strings.NewReplacer("lag: 20", "lag: 19", "mirrored-end: 40", "mirrored-end: 60", "rate: 5", "rate: x").Replace(sound)
	_, err := Parse("mine.yaml", []byte(src))
	var e *format.SyntaxError
	if !errors.As(err, &e) || e.Line != 16 || len(e.More) != 2 || e.More[0].Line != 24 || e.More[1].Line != 28 {
		t.Errorf("%v", err)
	}
}

// One mistake is one error, however many lines it makes wrong.
func TestOneErrorACause(t *testing.T) {
	east := sound[strings.Index(sound, "topics:"):strings.Index(sound, "groups:")]
	for _, c := range []struct{ name, old, new, want string }{
		{"no producers", "producers:\n  checkout: {cluster: east, topics: [orders], rate: 5}\n",
			"", `mine.yaml:30: the file has no producers; accepted: producers: {NAME: {cluster: CLUSTER, topics: [TOPIC], rate: RECORDS-A-SECOND}}`},
		{"no groups", "groups:\n  billing: {offsets: {orders: {0: {east: 90, west: 80}}}}\n", "",
			`mine.yaml:31: the file has no groups; accepted: groups: {NAME: `},
		{"no topics", east, "", `mine.yaml:1: a plan lacks topics; accepted: topics: {NAME: {mirror: MIRROR, partitions: {0: ...}}}`},
		{"no partitions", east[strings.Index(east, "    partitions:\n      0:\n        east: {replicas: [1, 2, 3]"):strings.Index(east, "  users:")], "",
			`mine.yaml:10: a topic lacks partitions; accepted: partitions: {0: {CLUSTER: {replicas`},
		{"mirror that leads nowhere", "to-west: {from: east, to: west}", "to-west: {from: east}", `mine.yaml:6: a mirror lacks to; accepted: to: CLUSTER`},
		{"misspelt key that must be there", "log-start: 10, end: 100", "log-start: 10, ends: 100",
			`mine.yaml:14: "ends": unknown key of orders-0 on west, perhaps end is meant; accepted: replicas, `},
		{"number with commas", "end: 120", "end: 1,500,020", `mine.yaml:13: "1,500,020": a number has no commas; accepted: 1500020`},
		{"name that is wrong throughout", "topics: [orders]", "topics: [order]",
			`mine.yaml:28: "order": there is no such topic, also in lines 30, 31, perhaps orders is meant; accepted: orders, users`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("mine.yaml", []byte(strings.ReplaceAll(sound, c.old, c.new)))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %s alone", err, c.want)
			}
		})
	}
}

// A step that needs a cluster of which every broker is down is refused, unless a step above brings it back.
func TestDarkCluster(t *testing.T) {
	dark := strings.NewReplacer("down: [3]}", "down: [1, 2, 3]}", "leader: 2, ", "").Replace(sound)
	if _, err := Parse("mine.yaml", []byte(dark)); err == nil || !strings.Contains(err.Error(), "mine.yaml:34: \"east\": start: every broker of this cluster is down at this step") {
		t.Errorf("%v", err)
	}
	if _, err := Parse("mine.yaml", []byte(strings.Replace(dark, "- start:", "- restore: east\n- start:", 1))); err != nil {
		t.Error(err)
	}
}

// Why no scenario can begin with numbers that are accepted all the same.
func TestUnfit(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"state in passing", "state: MIRRORING", "state: STOPPING", "a state in passing"},
		{"failed otherwise", "state: MIRRORING", "state: FAILED\n        reason: corrupt-batch", "another reason than source-unreachable"},
		{"failed, and reachable", "state: MIRRORING", "state: FAILED\n        reason: source-unreachable", "has the source reachable"},
		{"high watermark", "end: 120", "end: 120, high-watermark: 118", "its high watermark on east is 2 below its end"},
		{"source has lost", "mirrored-end: 40", "mirrored-end: 55", "ends at 50, below 55"},
		{"departed", "west: {replicas: [11, 12], log-start: 10, end: 100}",
			"west: {replicas: [11, 12], log-start: 10, end: 100, epochs: {5: 10, 6: 95}}", "departed from each other below 100"},
		{"last mirrored epoch", "mirrored-end: 40", "mirrored-end: 40\n        last-mirrored-epoch: 3", ""},
		{"log start", "west: {replicas: [11, 12], log-start: 10, end: 100}", "west: {replicas: [11, 12], log-start: 11, end: 100}",
			"its log start on west is above that on east"},
		{"too few in sync", "topics:\n  orders:\n    mirror: to-west\n",
			"topics:\n  orders:\n    configs: {west: {min.insync.replicas: 3}}\n    mirror: to-west\n", "fewer in-sync replicas than min.insync.replicas"},
		{"single replica", "replicas: [1, 2, 3], isr: [1, 2], leader: 2", "replicas: [1]", "a single replica has had more than one leader epoch"},
		{"unclean and out of the ISR", "topics:\n  orders:\n    mirror: to-west\n",
			"topics:\n  orders:\n    configs: {east: {mirror.support.unclean.leader.election: true}}\n    mirror: to-west\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := strings.Replace(sound, c.old, c.new, 1)
			if src == sound {
				t.Fatal("nothing was changed")
			}
			p := parsed(t, "mine.yaml", src)
			why := p.Topics[0].Partitions[0].unfit + p.Topics[1].Partitions[0].unfit
			if !strings.Contains(why, c.want) || (c.want == "") != (why == "") {
				t.Errorf("%q, want %q", why, c.want)
			}
			if why != "" && strings.Count(p.Scenario(Schedule{}), "\ntopic ") != 2 { // those of the other topic
				t.Errorf("the partition is in the scenario all the same:\n%s", p.Scenario(Schedule{}))
			}
		})
	}
}

// A replica out of the ISR that may lead uncleanly lacks nobody knows what: with it, what was mirrored may be lost too.
func TestUnfitUnclean(t *testing.T) {
	unclean := []string{"orders:\n    mirror", "orders:\n    configs: {east: {unclean.leader.election.enable: true}}\n    mirror"}
	out := []string{"isr: [1, 2], leader: 2", "isr: [2], leader: 2"}
	for _, c := range []struct {
		name    string
		changes []string
		want    bool
	}{
		{"its broker is down", unclean, false},
		{"its broker is up", slices.Concat(unclean, out), true},
		{"its broker is up, and it may not lead", out, false},
		{"its broker is down, and comes back", append([]string{"- move-producers", "- restore: east\n- move-producers"}, unclean...), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := strings.NewReplacer(c.changes...).Replace(sound)
			why := parsed(t, "mine.yaml", src).Topics[0].Partitions[0].unfit
			if strings.Contains(why, "unclean.leader.election.enable may have it lead") != c.want || !c.want && why != "" {
				t.Errorf("%q, want %v", why, c.want)
			}
		})
	}
}

// A recorded position that is not of the last mirrored record is none that the stop of a scenario records.
func TestUnfitPosition(t *testing.T) {
	for epoch, want := range map[string]string{"2": "", "3": "its last mirrored epoch is 3, but the record below 40 is of epoch 2"} {
		src := strings.NewReplacer("log-start: 0, end: 50}", "log-start: 0, end: 50, epochs: {2: 0, 3: 40}}",
			"mirrored-end: 40", "mirrored-end: 40\n        last-mirrored-epoch: "+epoch).Replace(sound)
		if why := parsed(t, "mine.yaml", src).Topics[1].Partitions[0].unfit; !strings.HasPrefix(why, want) || (want == "") != (why == "") {
			t.Errorf("epoch %s: %q, want %q", epoch, why, want)
		}
	}
}

// Any bytes are a plan whose scenario parses, or an error with a place.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(Example))
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) < 7 {
		f.Fatalf("%v: %v", files, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := Parse("mine.yaml", src)
		if err != nil {
			var e *format.SyntaxError
			if !errors.As(err, &e) || e.Line < 1 || e.File != "mine.yaml" || e.Message == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		if text := p.Scenario(Schedule{}); text != "" {
			if _, err := format.Parse("mine.scn", []byte(text)); err != nil {
				t.Fatalf("%v\n%s\n%s", err, src, text)
			}
		}
	})
}
