package checkers

import (
	"cmp"
	"slices"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
)

// aclBinding is an ACL binding that a cluster has, or had.
type aclBinding struct {
	word   uint64 // the binding, as record.Acl has it
	there  bool
	since  id.Duration // when it was added or removed last
	index  uint64      // of the event that says so
	mirror id.Mirror   // whose work did so; 0 for a user
	asked  id.Duration // when a user added or removed it last
}

// foldAcl takes in that an ACL binding was added or removed on cluster c.
func (l *Ledger) foldAcl(e *event.Event, c id.Cluster) {
	i, found := findAcl(l.acls[c], e.Digest)
	if !found {
		l.acls[c] = slices.Insert(l.acls[c], i, aclBinding{word: e.Digest})
	}
	x := &l.acls[c][i]
	l.was.acl = *x
	x.there, x.since, x.index, x.mirror = e.To == 1, e.At, e.Index, e.Mirror
	if e.Mirror == 0 {
		x.asked = e.At
	}
}

func findAcl(list []aclBinding, word uint64) (int, bool) {
	return slices.BinarySearchFunc(list, word, func(x aclBinding, word uint64) int { return cmp.Compare(x.word, word) })
}

// acl is a binding on cluster c.
func (l *Ledger) acl(c id.Cluster, word uint64) aclBinding {
	if i, found := findAcl(l.acls[c], word); found {
		return l.acls[c][i]
	}
	return aclBinding{word: word}
}

// HasAcl tells whether a cluster has an ACL binding; word is the binding's, as record.Acl has it.
func (l *Ledger) HasAcl(c id.Cluster, word uint64) bool { return l.acl(c, word).there }
