package checkers

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/model/event"
)

// Checker judges one family of properties by the facts that it reads.
type Checker interface {
	Properties() []ID
	// Kinds are the kinds of events that Observe is called with.
	Kinds() []event.Kind
	// Observe judges e, which l has folded in already.
	Observe(l *Ledger, e *event.Event, r *Reporter)
	// Finish judges what can only be judged at the end. It changes nothing.
	Finish(l *Ledger, r *Reporter)
	// Clone is a copy of which neither side sees the other's changes.
	Clone() Checker
	// AppendState appends what a later verdict depends on, without indexes and times.
	AppendState(dst []byte) []byte
}

// makers is every checker, in the order in which they see an event.
var makers = []func() Checker{
	func() Checker { return &assertion{} },
	func() Checker { return &epochOrder{} },
	func() Checker { return &leaderEpoch{} },
	func() Checker { return &eraBoundary{} },
	func() Checker { return &logMatching{} },
	func() Checker { return &mirrorPrefix{} },
	func() Checker { return &convergence{} },
	func() Checker { return &exactCut{} },
	func() Checker { return &replicasAligned{} },
	func() Checker { return &durability{} },
	func() Checker { return &acknowledgement{} },
	func() Checker { return &cleanSwitch{} },
	func() Checker { return &readOnly{} },
	func() Checker { return &stopKeepsMirrored{} },
	func() Checker { return &intentObeyed{} },
	func() Checker { return &oneWritableSide{} },
	func() Checker { return &noLoop{} },
	func() Checker { return &topicIdentity{} },
	func() Checker { return &metadataSync{} },
	func() Checker { return &clientEpoch{} },
	func() Checker { return &groupOffset{} },
	func() Checker { return &producerReset{} },
	func() Checker { return &noOpenTransaction{} },
	func() Checker { return &transactionIsolation{} },
	func() Checker { return &legalState{} },
	func() Checker { return &positionDurable{} },
	func() Checker { return &noHotLoop{} },
	func() Checker { return &reads{} },
	func() Checker { return &lossAccounted{} },
}

// Suite is the ledger and the checkers: all that watches a run. It has the methods of sim.Monitor but for Clone, which
// answers a *Suite.
type Suite struct {
	ledger   *Ledger
	checkers []Checker
	byKind   *[event.Kinds][]uint8 // which checkers an event goes to; never changed, shared by clones
	reporter Reporter
	finished bool
	lived    bool // the second phase was judged
	accepted []string
}

// NewSuite watches the properties of the given ids, all of them when none is given. An id that does not exist is an
// error that lists those that do.
func NewSuite(t Topology, ids ...string) (*Suite, error) {
	s := &Suite{ledger: NewLedger(t), byKind: new([event.Kinds][]uint8)}
	if err := s.reporter.choose(ids); err != nil {
		return nil, err
	}
	for _, make := range makers {
		if c := make(); s.reporter.wants(c) {
			s.checkers = append(s.checkers, c)
			for _, k := range c.Kinds() {
				s.byKind[k] = append(s.byKind[k], uint8(len(s.checkers)-1))
			}
		}
	}
	return s, nil
}

func (r *Reporter) choose(ids []string) error {
	for i := range r.selected {
		r.selected[i] = len(ids) == 0
	}
	for _, name := range ids {
		found := false
		for i := range table {
			if table[i].ID == name {
				r.selected[i], found = true, true
			}
		}
		if !found {
			var all []string
			for i := range table {
				all = append(all, table[i].ID)
			}
			return fmt.Errorf("no property is called %q; there are %s", name, strings.Join(all, ", "))
		}
	}
	return nil
}

func (r *Reporter) wants(c Checker) bool {
	for _, p := range c.Properties() {
		if r.selected[p] {
			return true
		}
	}
	return false
}

// Observe takes in the next event of the history and judges it.
func (s *Suite) Observe(e *event.Event) {
	s.ledger.Fold(e)
	for _, i := range s.byKind[e.Kind] {
		s.checkers[i].Observe(s.ledger, e, &s.reporter)
	}
}

// Finish judges what can only be judged at the end of the run. Call it once, after the last event.
func (s *Suite) Finish() {
	for _, c := range s.checkers {
		c.Finish(s.ledger, &s.reporter)
	}
	s.finished = true
}

// Verdicts is what is known of each chosen property, in the order of Properties. Before Finish, a property that has not
// failed is Unknown. A run without a second phase has none on liveness.
func (s *Suite) Verdicts() []Verdict {
	var all []Verdict
	for i := range table {
		if s.reporter.selected[i] && (s.lived || !table[i].Liveness) && !table[i].Sampled {
			all = append(all, s.reporter.verdict(ID(i), s.finished))
		}
	}
	return all
}

// Violated tells whether a chosen property has been violated so far.
func (s *Suite) Violated() bool {
	return s.Fallen() > 0
}

// Fallen is how many of the chosen properties have been violated so far.
func (s *Suite) Fallen() int {
	n := 0
	for i := range table {
		if s.reporter.selected[i] && s.reporter.rows[i].violated > 0 {
			n++
		}
	}
	return n
}

// Count is how many violations of a property there are so far that count: those without an excuse.
func (s *Suite) Count(p ID) uint64 { return s.reporter.rows[p].violated }

// Ledger is the fold that the checkers read.
func (s *Suite) Ledger() *Ledger { return s.ledger }

// Clone is a copy of which neither side sees the other's events.
func (s *Suite) Clone() *Suite {
	c := &Suite{ledger: s.ledger.Clone(), byKind: s.byKind, reporter: s.reporter.clone(), finished: s.finished,
		lived: s.lived, accepted: slices.Clip(s.accepted)}
	c.checkers = make([]Checker, len(s.checkers))
	for i, x := range s.checkers {
		c.checkers[i] = x.Clone()
	}
	return c
}

// Share says that clones will be taken, by several goroutines at a time.
func (s *Suite) Share() { s.ledger.share() }

// AppendState appends all that a later verdict depends on, without indexes and times.
func (s *Suite) AppendState(dst []byte) []byte {
	dst = s.ledger.AppendState(dst)
	for _, x := range s.checkers {
		dst = x.AppendState(dst)
	}
	return s.reporter.appendState(dst)
}
