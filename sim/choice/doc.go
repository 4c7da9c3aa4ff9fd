// Package choice is the only source of nondeterminism of a run. Every question is asked by label, subject and
// how-manieth; 0 is the calm answer; a schedule is the list of the answers that are not calm. Read choice.go first.
package choice
