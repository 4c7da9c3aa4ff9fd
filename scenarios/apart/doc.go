// Package apart is for tests of AppendState: it finds what a state does not tell apart. Worlds are compared by their states, so
// two nodes that differ in anything on which the future depends must not have the same one.
//
// Read apart.go, the only file.
package apart
