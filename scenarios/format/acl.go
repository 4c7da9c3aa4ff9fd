package format

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/model/record"
)

// AlterAcl has a cluster's admin add an ACL binding, or remove it:
//
//	acl add topic:orders alice read on A
//	acl add group:billing bob all deny on A
//	acl remove topic:orders alice read on A
//
// It has completed when the admin has the result.
type AlterAcl struct {
	Remove bool
	Acl    record.Acl
	On     string
}

func parseAlterAcl(l *line) Act {
	a := &AlterAcl{Remove: l.oneOf("unknown change of an ACL", "add", "remove") == 1}
	a.Acl, a.On = l.acl()
	return a
}

// acl reads an ACL binding and the cluster that it is on.
func (l *line) acl() (a record.Acl, cluster string) {
	var words []string
	for l.err == nil && !l.skip("on") {
		words = append(words, l.word("on CLUSTER"))
	}
	cluster = l.cluster().Name
	l.checkAcl(words)
	a, ok := record.ParseAcl(words...)
	if l.err == nil && !ok {
		l.fail("on", "no ACL binding stands before on CLUSTER", "TYPE:NAME PRINCIPAL OPERATION [deny]")
	}
	return a, cluster
}

// checkAcl points at the first word that cannot stand where it does in an ACL binding.
func (l *line) checkAcl(words []string) {
	for i, w := range words {
		kind, name, _ := strings.Cut(w, ":")
		_, known := record.ParseResourceType(kind)
		switch {
		case i == 0 && (!known || name == ""):
			l.fail(w, "not a resource: its type, a colon, and its name", aclResources()...)
		case i == 2 && !slices.Contains(record.AclOperations(), w):
			l.fail(w, "unknown operation of an ACL", record.AclOperations()...)
		case i == 3 && w != "deny":
			l.fail(w, "unexpected word", "deny", "on CLUSTER")
		case i > 3:
			l.fail(w, "unexpected word", "on CLUSTER")
		}
	}
}

// aclResources are the forms of a resource.
func aclResources() []string {
	list := record.ResourceTypes()
	for i := range list {
		list[i] += ":NAME"
	}
	return list
}

// Keyword is acl.
func (a *AlterAcl) Keyword() string { return "acl" }

// AppendText appends the line.
func (a *AlterAcl) AppendText(dst []byte) []byte {
	what := "add"
	if a.Remove {
		what = "remove"
	}
	return fmt.Appendf(dst, "acl %s %v on %s", what, a.Acl, a.On)
}

// Simpler is nothing.
func (a *AlterAcl) Simpler() []Act { return nil }

// AclIs is that a cluster has an ACL binding by its metadata log, or has not:
//
//	expect acl topic:orders alice read on B
//	expect no-acl topic:orders bob read on B
type AclIs struct {
	Absent bool
	Acl    record.Acl
	On     string
}

func parseAclIs(l *line) Expectation {
	e := AclIs{Absent: l.words[l.next-1] == "no-acl"}
	e.Acl, e.On = l.acl()
	return e
}

// AppendText appends the expectation.
func (e AclIs) AppendText(dst []byte) []byte {
	word := "acl"
	if e.Absent {
		word = "no-acl"
	}
	return fmt.Appendf(dst, "%s %v on %s", word, e.Acl, e.On)
}

// Check asks for the binding.
func (e AclIs) Check(v View) error {
	switch has := v.HasAcl(e.On, e.Acl); {
	case has && e.Absent:
		return fmt.Errorf("%s has the ACL %v", e.On, e.Acl)
	case !has && !e.Absent:
		return fmt.Errorf("%s has no ACL %v", e.On, e.Acl)
	}
	return nil
}
