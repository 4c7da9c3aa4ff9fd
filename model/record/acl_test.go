package record_test

import (
	"slices"
	"strings"
	"testing"

	"mirrorsim/model/record"
)

// A binding parses from the words that it prints, and its number is its own.
func TestAclWords(t *testing.T) {
	list := []record.Acl{{Name: "a", Principal: "p"}, {Name: "a", Principal: "p", Deny: true}, {Name: "a", Principal: "p", Operation: record.AclWrite},
		{Name: "a", Principal: "q"}, {Name: "b:c", Principal: "p"}, {Resource: record.GroupResource, Name: "a", Principal: "p"},
		{Resource: record.MirrorResource, Name: "a", Principal: "p", Operation: record.AclAll}}
	if !slices.IsSortedFunc(list, record.Acl.Compare) {
		t.Error("the list is not in order")
	}
	seen := map[uint64]bool{}
	for i, a := range list {
		if got, ok := record.ParseAcl(strings.Fields(a.String())...); !ok || got != a {
			t.Errorf("%v parses as %v", a, got)
		}
		if seen[a.Word()] {
			t.Errorf("%v has the number of another one", a)
		}
		seen[a.Word()] = true
		if i > 0 && (list[i-1].Compare(a) != -1 || a.Compare(list[i-1]) != 1 || a.Compare(a) != 0) {
			t.Errorf("%v and %v are not in order", list[i-1], a)
		}
	}
	for _, words := range []string{"", "topic:a p", "topic:a p read allow", "topic p read", "topic: p read", "cluster:a p read", "topic:a p fly", "topic:a p read deny x"} {
		if a, ok := record.ParseAcl(strings.Fields(words)...); ok {
			t.Errorf("%q parses as %v", words, a)
		}
	}
}
