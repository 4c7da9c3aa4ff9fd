package scenarios

import (
	"maps"
	"math"
	"math/bits"
	"slices"
)

// overviewOf is how many parts of equal length the overview has.
const overviewOf = 8

// overview measures some moments all over the run, the first and the last one among them. Where they rise and fall more than
// chance would have it, halving alone would not show that.
func (d *dooming) overview() {
	last := len(d.list) - 2
	for i := range overviewOf + 1 {
		d.measure(last * i / overviewOf)
	}
}

// about is about how many continuations there will be.
func (d *dooming) about() int {
	halvings := 2 * (bits.Len(uint(len(d.list)/overviewOf)) + 1)
	return max(d.runs, d.options.Runs*min(len(d.list), overviewOf+1+halvings))
}

// measure measures a moment once.
func (d *dooming) measure(at int) {
	if d.measured[at] != nil {
		return
	}
	if fail, group, ok := d.count(at, 0, d.options.Runs); ok {
		d.measured[at] = &sample{fail: fail, group: group}
	}
}

// again measures a moment by as many other continuations, once.
func (d *dooming) again(at int) {
	m := d.measured[at]
	if m.twice {
		return
	}
	if fail, _, ok := d.count(at, d.options.Runs, 2*d.options.Runs); ok {
		m.again, m.twice = fail, true
	}
}

// narrow finds the two edges and measures them again. Where an edge does not stand up to that, it is looked for once more, and
// whatever seems to lie beyond it is measured twice.
func (d *dooming) narrow() {
	if at := d.firstDoomed(); at < len(d.list)-1 && d.ctx.Err() == nil {
		d.again(at)
		if !d.doomed(at) {
			d.doubtDoomed = true
			d.firstDoomed()
		}
	}
	if at := d.lastSafe(); at >= 0 && d.ctx.Err() == nil {
		d.again(at)
		if !d.safe(at) {
			d.doubtSafe = true
			d.lastSafe()
		}
	}
}

// firstDoomed is the first moment from which on all that were measured are doomed; the failure itself if none is.
func (d *dooming) firstDoomed() int { return d.edge(d.doomed) }

// lastSafe is the last moment that is safe, -1 if none is.
func (d *dooming) lastSafe() int { return d.edge(func(at int) bool { return !d.safe(at) }) - 1 }

// edge is the first moment from which on all that were measured are so: the last entry of the list if none is, and 0 if all are.
// What lies before it is measured until it is next to one that is not so.
func (d *dooming) edge(so func(at int) bool) int {
	all := d.all()
	i := len(all)
	for i > 0 && so(all[i-1]) {
		i--
	}
	low, high := -1, len(d.list)-1
	if i > 0 {
		low = all[i-1]
	}
	if i < len(all) {
		high = all[i]
	}
	for low >= 0 && high-low > 1 && d.ctx.Err() == nil {
		mid := (low + high) / 2
		d.measure(mid)
		if d.measured[mid] != nil && so(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// all are the moments that were measured, in order.
func (d *dooming) all() []int { return slices.Sorted(maps.Keys(d.measured)) }

// doomed: every continuation fails, also those of a second measuring.
func (d *dooming) doomed(at int) bool {
	m := d.measured[at]
	if m.fail == d.options.Runs && d.doubtDoomed {
		d.again(at)
	}
	return m.fail == d.options.Runs && (!m.twice || m.again == d.options.Runs)
}

// safePercent is how many continuations of a moment may fail that is called safe.
const safePercent = 10

// safe: few continuations fail, also of a second measuring.
func (d *dooming) safe(at int) bool {
	m, most := d.measured[at], d.options.Runs*safePercent/100
	if m.fail <= most && d.doubtSafe {
		d.again(at)
	}
	return m.fail <= most && m.again <= most
}

// counts are how many continuations failed, of how many.
func (d *dooming) counts(m *sample) (fail, of int) {
	if m.twice {
		return m.fail + m.again, 2 * d.options.Runs
	}
	return m.fail, d.options.Runs
}

// fall is the pair of moments, the earlier first, of which the later one is the safer by most, where that is more than chance
// would have it: their intervals of 95 % do not meet. ok is false if there is none.
func (d *dooming) fall() (before, after int, ok bool) {
	most := 0.0
	all := d.all()
	for i, at := range all {
		for _, later := range all[i+1:] {
			low, _ := interval(d.counts(d.measured[at]))
			_, high := interval(d.counts(d.measured[later]))
			if low-high > most {
				before, after, ok, most = at, later, true, low-high
			}
		}
	}
	return before, after, ok
}

// interval is the 95 % confidence interval of a probability of which fail of so many trials came true, by Wilson's score.
func interval(fail, of int) (low, high float64) {
	const z = 1.96
	n := float64(of)
	p := float64(fail) / n
	middle := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (middle-half)/(1+z*z/n)), min(1, (middle+half)/(1+z*z/n))
}
