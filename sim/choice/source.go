package choice

import "fmt"

// Source is what a world asks. It counts how often each question has been asked and keeps the answers that were not
// calm.
type Source struct {
	chooser    Chooser
	asked      uint64
	deviations []Deviation
	// counts is an open-addressing table of the questions asked by Int; its length is a power of two, at least twice
	// used. A fork shares it until one side asks something.
	counts []count
	used   int
	shared bool
}

type count struct {
	subject, nth uint32 // nth 0: a free place, for a question that stands here has been asked once
	label        Label
}

// NewSource is a source that asks c.
func NewSource(c Chooser) *Source { return &Source{chooser: c, counts: make([]count, 64)} }

// Int asks the next question of that label and subject: 0 to n-1, 0 is calm, odds as in Chooser. With n <= 1 there is
// nothing to ask: the answer is 0 and the question is not counted.
func (s *Source) Int(l Label, subject, n uint32, odds uint16) uint32 {
	if n <= 1 {
		return 0
	}
	return s.Ask(Key{l, subject, s.next(l, subject)}, n, odds)
}

// Ask asks a question that the caller counts itself; it must not ask the same key twice, nor ask this label and subject
// by Int as well. With n <= 1 the answer is 0.
func (s *Source) Ask(k Key, n uint32, odds uint16) uint32 {
	if n <= 1 {
		return 0
	}
	s.asked++
	v := s.chooser.Choose(k, n, odds)
	if v == 0 {
		return 0
	}
	if v >= n {
		panic(fmt.Sprintf("choice: %v: the chooser answered %d of 0..%d", k, v, n-1))
	}
	s.deviations = append(s.deviations, Deviation{k, v})
	return v
}

// Note adds a deviation to the answers: what an explorer did to the world, in the place of an answer.
func (s *Source) Note(d Deviation) { s.deviations = append(s.deviations, d) }

// next is how often the question has been asked before, and counts it.
func (s *Source) next(l Label, subject uint32) uint32 {
	if s.shared {
		s.counts, s.shared = append([]count(nil), s.counts...), false
	}
	c := s.place(l, subject)
	if c.nth == 0 {
		if 2*(s.used+1) > len(s.counts) {
			s.grow()
			c = s.place(l, subject)
		}
		c.label, c.subject = l, subject
		s.used++
	}
	c.nth++
	return c.nth - 1
}

// place is where the question stands in the table, or the free place where it belongs.
func (s *Source) place(l Label, subject uint32) *count {
	mask := uint32(len(s.counts) - 1)
	i := ((subject<<4 ^ uint32(l)) * 0x9e3779b1) >> 12
	for {
		c := &s.counts[i&mask]
		if c.nth == 0 || c.subject == subject && c.label == l {
			return c
		}
		i++
	}
}

func (s *Source) grow() {
	old := s.counts
	s.counts = make([]count, 2*len(old))
	for _, c := range old {
		if c.nth != 0 {
			*s.place(c.label, c.subject) = c
		}
	}
}

// Deviations are the answers so far that were not calm, in the order in which they were given. The caller does not
// change them.
func (s *Source) Deviations() []Deviation { return s.deviations[:len(s.deviations):len(s.deviations)] }

// Count is how many questions have been asked.
func (s *Source) Count() uint64 { return s.asked }

// Fork is a source with the same counts and deviations that asks c from here on; nil keeps the chooser, which both then
// share.
func (s *Source) Fork(c Chooser) *Source {
	s.shared = true
	f := *s
	f.deviations = s.Deviations()
	if c != nil {
		f.chooser = c
	}
	return &f
}
