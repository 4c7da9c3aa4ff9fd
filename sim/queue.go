package sim

import "mirrorsim/model/id"

// entry is something that will happen: the message or the timer in that slot. It is stale when the slot is not waiting
// for this seq any more.
type entry struct {
	at   id.Duration
	seq  uint64
	slot uint32
	kind Kind
}

// before is the calm order: earliest, then oldest. Equal seqs do not occur.
func (e *entry) before(f *entry) bool { return e.at < f.at || e.at == f.at && e.seq < f.seq }

// queue is a heap of which each entry has four children: half as deep as a binary one, and the children of an entry lie
// side by side.
type queue []entry

func (q *queue) push(e entry) {
	h := append(*q, e)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if h[parent].before(&e) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
	*q = h
}

// pop takes the first entry out. The queue must not be empty.
func (q *queue) pop() entry {
	h := *q
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	if len(h) > 0 {
		h.sink(0, last)
	}
	*q = h
	return first
}

// sink puts e into the subtree at i, whose root is free.
func (q queue) sink(i int, e entry) {
	for {
		child := 4*i + 1
		if child >= len(q) {
			break
		}
		least, end := child, min(child+4, len(q))
		for c := child + 1; c < end; c++ {
			if q[c].before(&q[least]) {
				least = c
			}
		}
		if e.before(&q[least]) {
			break
		}
		q[i] = q[least]
		i = least
	}
	q[i] = e
}

// keep drops the entries that live does not know any more.
func (q *queue) keep(live func(*entry) bool) {
	h := (*q)[:0]
	for i := range *q {
		if live(&(*q)[i]) {
			h = append(h, (*q)[i])
		}
	}
	for i := (len(h) - 2) / 4; i >= 0 && len(h) > 1; i-- {
		h.sink(i, h[i])
	}
	*q = h
}
