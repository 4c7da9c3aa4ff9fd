package checkers

import (
	"math/bits"
	"slices"

	"github.com/anishathalye/porcupine"

	"mirrorsim/model/id"
)

// The bounds of a window. Larger ones may take the search minutes.
const (
	windowOperations = 300
	windowClients    = 10
)

// specified is a state of an object as its sequential specification sees it, small and of constant size.
type specified interface {
	comparable
	describe(*id.Names) string
}

// act is one operation as the sequential specification sees it: what it makes of a state, and whether it may happen
// there and return what it did.
type act[S specified] interface {
	apply(S) (S, bool)
	String() string
}

// window is the operations of one object between two moments at which nothing of it is pending.
type window[S specified] struct {
	from    uint64 // the index of the first event that belongs to it
	ops     []porcupine.Operation
	clients [4]uint64 // the nodes that have operations in it
	large   bool      // it has outgrown the bounds, and is not judged
}

// tell adds an operation of a node that was called at the event call and had returned at the event ret. What was called
// before the window began took no effect before it, or the window would not have begun.
func (w *window[S]) tell(n id.Node, a act[S], call, ret uint64) {
	w.add(n, a, 2*int64(max(call, w.from)), 2*int64(ret))
}

// claim adds what is so right behind the event at.
func (w *window[S]) claim(n id.Node, a act[S], at uint64) { w.add(n, a, 2*int64(at)+1, 2*int64(at)+1) }

// add counts time in half events.
func (w *window[S]) add(n id.Node, a act[S], call, ret int64) {
	w.clients[n>>6] |= 1 << (n & 63)
	if w.large = w.large || len(w.ops) >= windowOperations || w.width() > windowClients; w.large {
		w.ops = nil
		return
	}
	w.ops = append(w.ops, porcupine.Operation{ClientId: int(n), Input: a, Call: call, Return: ret})
}

func (w *window[S]) width() int {
	n := 0
	for _, word := range w.clients {
		n += bits.OnesCount64(word)
	}
	return n
}

// close judges a window that begins in state init and ends at the event end, and empties it.
func (w *window[S]) close(c *CrossCheck, object string, init S, end uint64) {
	ops, from, large := w.ops, w.from, w.large
	*w = window[S]{from: end + 1}
	switch {
	case large:
		c.counts.NotChecked++
		return
	case len(ops) == 0:
		return
	}
	c.counts.Windows++
	c.counts.Operations += uint64(len(ops))
	if porcupine.CheckOperations(specification(init), ops) {
		return
	}
	p := picture(c, object, init, ops)
	c.anomaly = append(c.anomaly, Anomaly{Object: object, Sentence: p.sentence, Events: [2]uint64{from, end}})
	if len(c.pictures) < keptViolations {
		c.pictures = append(c.pictures, p)
	}
}

// drop gives up a window whose operations can no longer be judged.
func (w *window[S]) drop(c *CrossCheck, from uint64) {
	if w.large || len(w.ops) > 0 {
		c.counts.NotChecked++
	}
	*w = window[S]{from: from}
}

func specification[S specified](init S) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return init },
		Step: func(state, input, _ any) (bool, any) {
			next, ok := input.(act[S]).apply(state.(S))
			return ok, next
		},
	}
}

// complain says how far the search came: the operation that could be placed last, and the first one that could not.
func complain(object string, ops []porcupine.Operation, info porcupine.LinearizationInfo) string {
	var longest []int
	for _, list := range info.PartialLinearizations()[0] {
		if len(list) > len(longest) || len(list) == len(longest) && slices.Compare(list, longest) < 0 {
			longest = list
		}
	}
	stuck := -1
	for i := range ops {
		if !slices.Contains(longest, i) && (stuck < 0 || ops[i].Return < ops[stuck].Return) {
			stuck = i
		}
	}
	text := "no order of the " + num(int64(len(ops))) + " operations on " + object + " explains them: "
	if n := len(longest); n > 0 {
		text += "after " + spoken(ops[longest[n-1]])
	} else {
		text += "at the beginning"
	}
	return text + " there is no place for " + spoken(ops[stuck])
}

func spoken(o porcupine.Operation) string { return o.Input.(interface{ String() string }).String() }
