package metadata

import (
	"slices"
	"strings"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// applyAcl adds an ACL binding, or removes it. Clones share the list, so that this image gets another one.
func (m *Image) applyAcl(r *record.AclRecord) {
	i, found := slices.BinarySearchFunc(m.Acls, r.Acl, record.Acl.Compare)
	switch {
	case r.Removed && found:
		m.Acls = slices.Delete(slices.Clone(m.Acls), i, i+1)
	case !r.Removed && !found:
		m.Acls = slices.Insert(slices.Clone(m.Acls), i, r.Acl)
	}
}

// HasAcl tells whether the binding is there.
func (m *Image) HasAcl(a record.Acl) bool {
	_, found := slices.BinarySearchFunc(m.Acls, a, record.Acl.Compare)
	return found
}

// AclIncluded tells whether the ACL include list of r matches the binding: an entry is a resource type, a colon, and a literal or
// a pattern for the name. ACLs on MIRROR resources are never synchronised, whatever the list says (section 9 of the design).
func AclIncluded(r *record.MirrorRecord, a record.Acl) bool {
	return a.Resource != record.MirrorResource && slices.ContainsFunc(r.Acls, func(entry string) bool {
		kind, name, _ := strings.Cut(entry, ":")
		resource, known := record.ParseResourceType(kind)
		return known && resource == a.Resource && Matches(name, a.Name)
	})
}

// ValidAclEntries tells whether each entry of an ACL include list is a resource type with a literal or a valid RE2 pattern.
func ValidAclEntries(entries []string) bool {
	return !slices.ContainsFunc(entries, func(entry string) bool {
		kind, name, _ := strings.Cut(entry, ":")
		_, known := record.ParseResourceType(kind)
		return !known || !ValidEntries([]string{name})
	})
}

// SynchronisesAcl tells whether the mirror-wide work of x is for the binding, by what this image holds: its list includes it,
// it is not about a topic that is paused or stopped, and x is to mirror a topic now. While it mirrors nothing it synchronises
// nothing: the two mirrors of a pair, of which one runs, would otherwise turn each other's ACLs back.
func (m *Image) SynchronisesAcl(x id.Mirror, a record.Acl) bool {
	r := m.Mirror(x)
	return r != nil && AclIncluded(r, a) && !m.halted(a) &&
		slices.ContainsFunc(m.Topics, func(t Topic) bool { return t.Mirror == x && t.Desired == record.WantMirroring })
}

// halted tells whether the binding is about a topic that is paused or stopped: its synchronisation halts, and resumes with the
// topic (section 9 of the design).
func (m *Image) halted(a record.Acl) bool {
	if a.Resource != record.TopicResource {
		return false
	}
	t := m.TopicNamed(a.Name)
	return t != nil && (t.Desired == record.WantPaused || t.Desired == record.WantStopped)
}
