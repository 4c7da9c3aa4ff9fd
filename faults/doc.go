// Package faults is what can go wrong with nodes and links: crashes, power losses, cuts and delays, each as text and as
// an act upon a world. A fault's target is text too, such as "leader B/orders-0": whoever runs the scenario resolves it
// to nodes at the moment the fault falls, and Apply does the rest. Read fault.go first.
package faults
