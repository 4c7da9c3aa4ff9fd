package scenarios

import "mirrorsim/faults"

// Level is how much goes wrong in a generated run.
type Level = faults.Level

// NoFaults is the level at which nothing goes wrong.
const NoFaults = faults.None

// ParseLevel is the level of that name. The error lists the names.
func ParseLevel(name string) (Level, error) { return faults.ParseLevel(name) }

// Levels are the names of the levels.
func Levels() []string { return faults.Levels() }
