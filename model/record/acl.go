package record

import (
	"cmp"
	"strings"

	"mirrorsim/model/id"
)

// ResourceType is what an ACL binding is about.
type ResourceType uint8

// The resource types. Those of users and the cluster are left out.
const (
	TopicResource ResourceType = iota
	GroupResource
	MirrorResource
	resourceTypes
)

// AclOperation is what an ACL binding allows or denies.
type AclOperation uint8

// The operations.
const (
	AclRead AclOperation = iota
	AclWrite
	AclCreate
	AclDelete
	AclAlter
	AclDescribe
	AclAll
	aclOperations
)

var (
	resourceNames  = [resourceTypes]string{"topic", "group", "mirror"}
	operationNames = [aclOperations]string{"read", "write", "create", "delete", "alter", "describe", "all"}
)

// Acl is an ACL binding: a resource by its literal name, and what a principal may do with it, or may not.
type Acl struct {
	Resource  ResourceType
	Name      string
	Principal string
	Operation AclOperation
	Deny      bool
}

// String is the binding in the words of a scenario: "topic:orders alice read", with "deny" behind it where it denies.
func (a Acl) String() string {
	if int(a.Resource) >= len(resourceNames) || int(a.Operation) >= len(operationNames) {
		return "?"
	}
	s := resourceNames[a.Resource] + ":" + a.Name + " " + a.Principal + " " + operationNames[a.Operation]
	if a.Deny {
		s += " deny"
	}
	return s
}

// ParseAcl reads the words of a binding, as String has them.
func ParseAcl(words ...string) (a Acl, ok bool) {
	if len(words) == 4 && words[3] == "deny" {
		words, a.Deny = words[:3], true
	}
	if len(words) != 3 {
		return Acl{}, false
	}
	kind, name, _ := strings.Cut(words[0], ":")
	resource, known := ParseResourceType(kind)
	operation := position(operationNames[:], words[2])
	a.Resource, a.Name, a.Principal, a.Operation = resource, name, words[1], AclOperation(max(operation, 0))
	return a, known && operation >= 0 && a.Valid()
}

// ParseResourceType is the resource type of that name.
func ParseResourceType(name string) (ResourceType, bool) {
	i := position(resourceNames[:], name)
	return ResourceType(max(i, 0)), i >= 0
}

func position(list []string, s string) int {
	for i := range list {
		if list[i] == s {
			return i
		}
	}
	return -1
}

// ResourceTypes are the names of the resource types.
func ResourceTypes() []string { return append([]string(nil), resourceNames[:]...) }

// AclOperations are the names of the operations.
func AclOperations() []string { return append([]string(nil), operationNames[:]...) }

// Valid tells whether the binding names a resource and a principal.
func (a Acl) Valid() bool { return a.Name != "" && a.Principal != "" }

// Compare orders bindings by resource, principal and operation; of two that differ in nothing else the one that allows is first.
func (a Acl) Compare(b Acl) int {
	return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Principal, b.Principal),
		cmp.Compare(a.Operation, b.Operation), cmp.Compare(id.Bit64(a.Deny), id.Bit64(b.Deny)))
}

// Word is the binding as a number.
func (a Acl) Word() uint64 { return TextWord(a.String()) }

// AclRecord adds an ACL binding, or removes it: Kafka's AccessControlEntryRecord, and RemoveAccessControlEntryRecord.
type AclRecord struct {
	Acl     Acl
	Removed bool
	Mirror  id.Mirror // whose mirror-wide work has written it; 0: a user. For histories only
}

// Words of the record; see Metadata.
func (r *AclRecord) Words(dst []uint64) []uint64 {
	return append(dst, 11, r.Acl.Word(), id.Bit64(r.Removed), uint64(r.Mirror))
}

// AclWords appends a word for each binding of a list, and their number.
func AclWords(dst []uint64, list []Acl) []uint64 {
	for _, a := range list {
		dst = append(dst, a.Word())
	}
	return append(dst, uint64(len(list)))
}
