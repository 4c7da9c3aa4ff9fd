package scenarios

import (
	"slices"

	"mirrorsim/checkers"
)

// snapshot is a run at a moment at which it had entered a coarse state that was rare then.
type snapshot struct {
	run      *run // is forked, and never goes on itself
	seed     uint64
	branches []Branch // that led to it
	turns    int      // of its run
	state    checkers.Coarse
	used     int // extensions so far
}

// poolSize bounds how many snapshots are kept: each holds what its run has changed since the one before.
const poolSize = 64

// mostUsed is how often one snapshot is extended at most.
const mostUsed = 8

// pool is the snapshots of the states that were seen in the fewest runs, oldest first.
type pool []*snapshot

// weight is the lower the sooner a snapshot is extended: those of states that few runs have seen, and that were extended less
// often.
func (s *snapshot) weight(seen map[checkers.Coarse]int) int { return seen[s.state] * (1 + s.used) }

// add adds a snapshot. One of the same state makes way for it if it was extended already; else, where the pool is full, that of
// the state that most runs have seen, the oldest of these.
func (p *pool) add(s *snapshot, seen map[checkers.Coarse]int) {
	if i := slices.IndexFunc(*p, func(o *snapshot) bool { return o.state == s.state }); i >= 0 {
		if (*p)[i].used == 0 {
			return
		}
		*p = slices.Delete(*p, i, i+1)
	}
	*p = append(*p, s)
	if len(*p) > poolSize {
		worst := 0
		for i, o := range *p {
			if o.weight(seen) > (*p)[worst].weight(seen) {
				worst = i
			}
		}
		*p = slices.Delete(*p, worst, worst+1)
	}
}

// pick is the snapshot of the lowest weight, the oldest of these; nil if there is none. One that has been extended often enough
// leaves the pool with it.
func (p *pool) pick(seen map[checkers.Coarse]int) *snapshot {
	if len(*p) == 0 {
		return nil
	}
	best := 0
	for i, o := range *p {
		if o.weight(seen) < (*p)[best].weight(seen) {
			best = i
		}
	}
	s := (*p)[best]
	if s.used+1 == mostUsed {
		*p = slices.Delete(*p, best, best+1)
	}
	return s
}
