// Package sim is one world: virtual clock, event queue, network, disks, crash and restart, named points, choices, fork
// and fingerprint. It knows nodes by their contract (model/node) only, and is tested with toy nodes.
//
// What enters: the boot functions of the nodes, a source of choices, a monitor, and what the runner does to the world
// (Inject, Crash, Restart, Link, Pause, Catch, Arm and their like). What leaves: the history, event by event, to the monitor
// and into a running hash. A world is a pure function of these: it has no goroutine and reads no clock but its own.
//
// Read world.go first, then step.go (how an input becomes effects), network.go, timer.go and crash.go; point.go has faults fall at
// the points that nodes reach, hinder.go and catch.go keep nodes and messages from their way, and corrupt.go changes what a log
// has on disk; explore.go, order.go, fork.go, fingerprint.go and key.go serve exploration, with lookahead.go and
// lookahead_bench.go (which orders lead to one state); queue.go and shrink.go stand alone.
package sim
