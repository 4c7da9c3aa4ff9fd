package plan

import "slices"

// The scaling rule. Between two offsets that mean something (ends, log starts, the first offsets of epochs, committed offsets,
// the boundary of a stop) a stretch of up to exactly records is kept record by record, and a longer one stands for itself as so
// few records, each of which is as many of the operator's.
const (
	exactly    = 50
	compressed = 10
)

// scale maps the operator's offsets of one log to the scenario's, which begin at 0, and back.
type scale struct {
	real, made []int64 // ascending, of one length; the offsets that mean something
}

// newScale is the scale of a log from the first of these offsets to the last.
func newScale(points []int64) *scale {
	s := &scale{real: slices.Compact(slices.Sorted(slices.Values(points)))}
	s.made = []int64{0}
	for i := 1; i < len(s.real); i++ {
		s.made = append(s.made, s.made[i-1]+shorten(s.real[i]-s.real[i-1]))
	}
	return s
}

// shorten is how many records stand for a stretch of n.
func shorten(n int64) int64 {
	if n > exactly {
		return compressed
	}
	return n
}

// to is the scenario's offset for one of the operator's, which must be one that means something.
func (s *scale) to(offset int64) int64 {
	i, found := slices.BinarySearch(s.real, offset)
	if !found {
		panic("plan: an offset that the scale does not have")
	}
	return s.made[i]
}

// end is the scenario's offset of the last one.
func (s *scale) end() int64 { return s.made[len(s.made)-1] }

// from is the operator's offset for one of the scenario's up to its end; exact tells whether it is that very offset, and not
// one within a stretch that was shortened.
func (s *scale) from(offset int64) (real int64, exact bool) {
	i, found := slices.BinarySearch(s.made, offset)
	if found || i == len(s.made) {
		i = min(i, len(s.made)-1)
		return s.real[i], true
	}
	long, short := s.real[i]-s.real[i-1], s.made[i]-s.made[i-1]
	return s.real[i-1] + (offset-s.made[i-1])*long/short, long == short
}

// weight is how many of the operator's records the one at that offset of the scenario stands for.
func (s *scale) weight(offset int64) int64 {
	a, _ := s.from(offset)
	b, _ := s.from(offset + 1)
	return b - a
}

// factor is how many records the most shortened stretch has one stand for; 1 where none is.
func (s *scale) factor() int64 {
	most := int64(1)
	for i := 1; i < len(s.real); i++ {
		short := s.made[i] - s.made[i-1]
		most = max(most, (s.real[i]-s.real[i-1]+short-1)/short)
	}
	return most
}

// scales are those of a partition's two logs. They are one where they hold the same records.
func (p *Plan) scales(ti, pi int) [2]*scale {
	x := &p.Topics[ti].Partitions[pi]
	m := &p.Mirrors[x.topic.Mirror]
	mirrored := p.mirrored(x)
	points := []int64{mirrored}
	for c := range x.Sides {
		points = append(points, x.Sides[c].Start)
	}
	low := slices.Min(points)
	var own [2][]int64 // beyond where it is mirrored to
	for c := range x.Sides {
		s := &x.Sides[c]
		end := s.End
		if x.MirroredEnd == nil {
			end = x.Sides[m.From].End // an offset of a group may be synchronised before its records are
		}
		add := func(offset int64) {
			switch {
			case offset < low || offset > end:
			case offset <= mirrored:
				points = append(points, offset)
			default:
				own[c] = append(own[c], offset)
			}
		}
		add(s.End)
		for _, e := range s.Epochs {
			add(e.Start)
		}
		for _, g := range p.Groups {
			for _, o := range g.Offsets {
				if o.Topic == ti && o.Partition == pi {
					add(o.At[c])
				}
			}
		}
	}
	var both [2]*scale
	for c := range both {
		list := slices.Concat(points, own[c])
		if x.MirroredEnd == nil {
			list = slices.Concat(points, own[0], own[1])
		} else if c == m.To {
			list = append(list, mirrored+1) // behind the producer reset
		}
		both[c] = newScale(list)
	}
	return both
}
