package sim

import (
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/wire"
)

// Catch is a fault that waits for messages of one API on some links.
type Catch struct {
	Links  [][2]id.Node // from and to; never changed
	API    wire.API
	Nth    uint32 // falls upon the how-manieth of them from now on, counted from 1; 0: upon every one, until Release
	Effect event.Catch
	By     id.Duration // of Late and Twice: by how much later it, and what follows on its link, or its copy comes; above 0
}

// catch is one that waits.
type catch struct {
	Catch
	left uint32 // how many messages must still come; 0: every one is caught
}

func (c *Catch) same(d *Catch) bool {
	return c.API == d.API && c.Nth == d.Nth && c.Effect == d.Effect && c.By == d.By && slices.Equal(c.Links, d.Links)
}

func (c *catch) print(h *lanes) {
	h.word(uint64(c.API)<<40 | uint64(c.Effect)<<32 | uint64(c.left))
	h.word(uint64(c.By))
	for _, l := range c.Links {
		h.word(uint64(l[0])<<8 | uint64(l[1]))
	}
}

// Catch has c wait. A message counts when it is sent on a link that is up to a node that is up.
func (w *World) Catch(c Catch) { w.catches = append(w.catches, catch{c, c.Nth}) }

// Release ends one Catch that is the same as c; if none waits any more nothing changes.
func (w *World) Release(c Catch) {
	for i := range w.catches {
		if w.catches[i].same(&c) {
			w.catches = slices.Delete(w.catches, i, i+1)
			return
		}
	}
}

// ReleaseAll ends every Catch.
func (w *World) ReleaseAll() { w.catches = nil }

// catch says what those that wait do to a message: whether it is lost, by how much it is late, and by how much later than
// that a copy comes, 0 being no copy.
func (w *World) catch(from, to id.Node, b wire.Body) (lost bool, late, twice id.Duration) {
	for i := 0; i < len(w.catches); {
		c := &w.catches[i]
		if c.API != b.API() || !slices.Contains(c.Links, [2]id.Node{from, to}) {
			i++
			continue
		}
		if c.left > 1 {
			c.left--
			i++
			continue
		}
		switch c.Effect {
		case event.Lost:
			lost = true
		case event.Late:
			late += c.By
		case event.Twice:
			twice = c.By
		}
		w.report(from, event.Event{Kind: event.Caught, Peer: to, To: uint8(c.API), Cause: uint8(c.Effect), Offset: int64(c.By)})
		if c.left == 1 {
			w.catches = slices.Delete(w.catches, i, i+1)
		} else {
			i++
		}
	}
	return lost, late, twice
}
