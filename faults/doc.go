// Package faults is what can go wrong with nodes, disks, links and messages: crashes, pauses, cuts, lost answers, full disks
// and so on, each as text and as an act upon a world. A fault's target is text too, such as "leader B/orders-0": whoever runs
// the scenario resolves it to nodes at the moment the fault falls, and Apply does the rest. Read kind.go first, then fault.go;
// level.go and adversary.go say how many of each fall upon a generated run, arm.go and portfolio.go by which strategy;
// one.go draws a single one.
package faults
