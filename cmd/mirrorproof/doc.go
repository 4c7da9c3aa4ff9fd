// Command mirrorproof shows that every property can fail: that its checker sees it fall when the design or the code is wrong.
//
//	go run ./cmd/mirrorproof
//	go run ./cmd/mirrorproof exact-cut durability
//	go run ./cmd/mirrorproof -tell cut-keeps-log-start
//
// Three kinds of files say what is wrong. checkers/defects has small wrong changes of the code, checkers/options has scenarios
// that an option of a decision spoils, and so have cases of the catalogue: their wrong lines. All defects are laid over the
// source by go build -overlay, each behind an environment variable, and so are the model's assertions, which are off; so one
// build serves all, and nothing in the tree changes. Every scenario is run without what is wrong, and must hold, and with it,
// and must violate the property by its id.
//
// It prints a table, and its exit status is 1 when something is not caught. The same runs are the tests of this package, which
// write checkers/PROOF.md too. Read proof.go first, then defect.go and overlay.go, prove.go, page.go.
package main
