package scenarios

import (
	"fmt"
	"os"
	"testing"

	"mirrorsim/scenarios/format"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

func TestZZCorpus(t *testing.T) {
	s, _ := format.Parse("rich.scn", []byte(richScenario))
	os.MkdirAll("testdata/fuzz/FuzzWorld", 0o755)
	for name, net := range map[string]sim.Network{
		"late": {Delay: 1 << 9}, "overtaken": {Reorder: 1 << 9}, "twice": {Duplicate: 1 << 9}, "lost": {Drop: 1 << 9}, "jitter": {Jitter: 1 << 12, Delay: 1 << 8},
	} {
		r := runUnder(t, s, Options{Choices: choice.Seeded(7), Net: net})
		d := r.Deviations
		if len(d) > 64 {
			d = d[:64]
		}
		b, err := choice.ToBytes(d)
		fmt.Println(name, len(r.Deviations), len(d), err, r.Deliveries, wrongs(r))
		os.WriteFile("testdata/fuzz/FuzzWorld/"+name, []byte(fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", b)), 0o644)
	}
}
