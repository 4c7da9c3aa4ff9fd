package sim

import (
	"mirrorsim/model/disk"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/sim/choice"
)

// Crash takes n down: its memory, its timers and the messages to it are gone. With keep nil it is a process crash, and
// the disk keeps all that was written; otherwise a power loss, and keep says how much of each file is left
// (disk.PowerLoss). A pause ends with the process; a machine that is slow stays so. A node that is down stays as it is.
func (w *World) Crash(n id.Node, keep func(f disk.File, synced, written int64) int64) {
	if !w.nodes[n].alive {
		return
	}
	m := &w.nodes[n]
	m.node, m.alive, m.asked, m.print.known = nil, false, nil, false
	m.life++
	w.dropTimers(n)
	w.dropMessages(n)
	m.paused, m.suspended, m.backlog = false, false, nil
	w.await(n)
	cause := event.ProcessCrash
	if keep != nil {
		cause = event.PowerLoss
		w.own(n).disk.PowerLoss(keep)
	}
	w.report(n, event.Event{Kind: event.Crashed, Peer: id.None, Cause: uint8(cause)})
}

// Keep is a keep for Crash that asks the choices, once a file that has something to lose: calm is all that was written;
// odds/65536 is the chance that a drawn answer is less, evenly down to what was synced.
func (w *World) Keep(n id.Node, odds uint16) func(f disk.File, synced, written int64) int64 {
	return func(f disk.File, synced, written int64) int64 {
		lost := w.choices.Int(choice.PowerLossKeep, choice.Pair(uint8(n), uint8(f)), uint32(written-synced)+1, odds)
		return written - int64(lost)
	}
}

// Restart boots n from what its disk kept. A node that is up stays as it is.
func (w *World) Restart(n id.Node) {
	if !w.nodes[n].alive && !w.failed {
		w.nodes[n].alive = true
		w.start(n)
	}
}

// start boots n, which counts as up already: the disk's incarnation rises, Started is reported, then what the boot
// answers happens like a step.
func (w *World) start(n id.Node) {
	if w.failed {
		return
	}
	m := w.own(n)
	m.disk.Incarnation++
	w.report(n, event.Event{Kind: event.Started, Peer: id.None, Sequence: int32(m.disk.Incarnation)})
	out := &w.work().out
	out.Reset()
	x, text, ok := boot(w.boot[n], n, m.disk, out)
	if !ok {
		w.fail(n, text)
		return
	}
	m.node = x
	if w.apply(n) {
		w.input(n, node.Input{Resume: true, From: id.None})
	}
}

// boot is step for a boot.
func boot(b node.Boot, n id.Node, d *disk.Disk, out *node.Effects) (x node.Node, text string, ok bool) {
	defer func() {
		if !ok {
			text = asserted(recover())
		}
	}()
	return b(n, d, out), "", true
}
