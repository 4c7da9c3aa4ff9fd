package faults

import "mirrorsim/sim/choice"

// Arm is a strategy by which an adversary spends its budget on a run. No single one finds every bug: many faults of one kind
// hide what a single fault of another would show, and a fault at any time rarely falls between two effects.
type Arm uint8

// The arms.
const (
	Uniform    Arm = iota // of every kind equally often
	Weighted              // each kind has a weight of its own in this run
	Halved                // about half of the kinds are switched off, so that the others are not drowned
	Priorities            // nodes work by priorities that change now and then, in the manner of PCT; about half of the kinds beside
	AtPoints              // everything falls at points of the protocol; about half of the kinds
	arms
)

var armNames = [arms]string{"uniform", "weighted", "halved", "priorities", "at-points"}

// String is the word in reports.
func (a Arm) String() string {
	if a < arms {
		return armNames[a]
	}
	return "?"
}

// Arms are all of them, in the order of reports.
func Arms() []Arm { return []Arm{Uniform, Weighted, Halved, Priorities, AtPoints} }

// DrawArm deals one of the arms, all equally likely. It is the first question about a plan; with the choices of a seed it is
// the arm of that seed.
func DrawArm(c *choice.Source) Arm {
	return Arm(c.Int(choice.Plan, uint32(armOf), uint32(arms), even(uint32(arms))))
}
