// Package overlay lays changed and added source files over the module for one build, as go build -overlay takes them: nothing in
// the tree changes. mirrorproof plants defects with it, and mirrormutants its mutants.
//
// Read overlay.go, the only file.
package overlay
