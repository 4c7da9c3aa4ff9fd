package scenarios

import (
	"slices"
	"time"
)

// ExplorePrices are what the parts of a move take, in microseconds of one core: the median of what was measured, which is one move
// in 61. The mean would count what other programs on the machine take.
type ExplorePrices struct {
	Fork        float64 `json:"fork_us"`        // of a run, before a move that another one follows
	Step        float64 `json:"step_us"`        // with the clones of the node and the monitor that it touches, and the checks
	Fingerprint float64 `json:"fingerprint_us"` // of the state that it led to, with the monitor's
	Monitor     float64 `json:"monitor_us"`     // a clone and a print of the monitor: what it takes of these two where a fork shares it
}

// parts of a move.
const (
	partFork = iota
	partStep
	partPrint
	partMonitor
	parts
)

// prices are what the parts of moves took on one core.
type prices struct {
	moves int
	bytes []byte // used again
	took  [parts][]time.Duration
}

const (
	sampleEvery = 61      // one move in how many is measured: reading the clock costs as much as a small part
	mostSamples = 1 << 14 // of one part and core
)

func (p *prices) sampled() bool {
	return p.moves%sampleEvery == 0 && len(p.took[partPrint]) < mostSamples
}

// begin is when a part begins that is measured.
func (p *prices) begin() (t time.Time) {
	if p.sampled() {
		t = time.Now()
	}
	return t
}

// end notes what a part took.
func (p *prices) end(part int, begin time.Time) {
	if p.sampled() {
		p.took[part] = append(p.took[part], time.Since(begin))
	}
}

// next measures what the monitor of the state takes that a move led to, and counts the move.
func (p *prices) next(s *state) {
	if p.sampled() {
		begin := p.begin()
		p.bytes = s.watch().Clone().AppendState(p.bytes[:0])
		p.end(partMonitor, begin)
	}
	p.moves++
}

// medians are the prices over all cores.
func medians(all []prices) ExplorePrices {
	us := func(part int) float64 {
		var took []time.Duration
		for i := range all {
			took = append(took, all[i].took[part]...)
		}
		if len(took) == 0 {
			return 0
		}
		slices.Sort(took)
		return float64(median(took).Nanoseconds()) / 1000
	}
	return ExplorePrices{Fork: us(partFork), Step: us(partStep), Fingerprint: us(partPrint), Monitor: us(partMonitor)}
}
