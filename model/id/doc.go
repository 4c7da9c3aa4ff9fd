// Package id holds the small integers by which everything in a run is known. Names are put on only when something is
// printed, so that hashes, fingerprints and comparisons never depend on a string or a pointer. Read id.go first.
package id
