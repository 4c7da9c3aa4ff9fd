package protocol

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readers says which one method reads a field.
var readers = map[string]string{
	"Marker": "MarkerParts", "EpochSource": "RecordedEpoch", "StopOrder": "StopStep",
	"StopTransactions": "OpenTransactionsAtStop", "MarkerRerun": "KeepsFirstPosition", "MarkerWrite": "AwaitsPosition",
	"OffsetClamp": "OffsetAtMost", "OffsetReclamp": "LowersOffsets", "OffsetAfterStop": "OffsetsAfterStop", "OffsetFloor": "OffsetAtLeast",
	"StopBump": "BumpTarget", "BatchEpoch": "MirroredEpoch", "ProducerIDs": "MirroredProducer",
	"FetchBound": "FetchesCommittedOnly", "Divergence": "OnDivergence", "AlignmentWait": "AlignmentWaits", "AbsentReplica": "AbsentReplicas",
	"LookupFailure": "RetriesLookup", "LookupAbove": "AboveKeepsAll", "EpochFloor": "Floor", "FailureState": "FailureIsState",
	"PersistOrder": "PersistsFirst", "SourceDeleted": "OnSourceDeleted",
	"CoordinatorFence": "WriteFenced", "StopFrom": "StopAccepted",
	"ReverseCheck": "ChecksReverse", "ResetScope": "ResetClearsTransactions", "LookupMirrors": "LookupOver",
	"AbortFailure": "RetriesAbort", "UnknownState": "UnknownIsWritable", "StoppedWhen": "StoppedAfterReset",
	"BumpDone": "BumpAwaitsMetadata", "CoordinatorAck": "AcksAfterCommit", "Followed": "FollowedMeans",
	"FetchAbove": "AnswersNewestAbove", "ISRJoin": "JoinsByLastEpoch", "FirstBatch": "UnknownProducer",
	"IllegalEdge": "IllegalEdgeIsError", "PositionFence": "FencesPosition", "PositionEnd": "PositionAwaitsHW",
	"LoadingAnswer": "ReadsWhileLoading", "BumpCompare": "BumpSeen", "UnknownStop": "StopsUnknown",
	"RepeatRequest": "OnRepeat", "StateCheck": "ChecksActual", "LookupMissing": "MissingRowFails",
	"LSOMoment": "CutAwaitsDrain", "LeaderCut": "ForgetsFollowers", "ResetRerun": "ResetsAgain",
	"CoordinatorRead": "ReadsCommitted", "EarlyPause": "OnEarlyPause", "StartTopic": "OnMissingTopic",
	"PatternStop": "PatternStopsPaused", "LagSign": "LagShown", "Naming": "Names",
}

// fieldsOf are the fields of Config in a file; nil when it declares no Config.
func fieldsOf(file *ast.File) []string {
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "Config" {
			return true
		}
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			for _, name := range f.Names {
				names = append(names, name.Name)
			}
		}
		return false
	})
	return names
}

// readsOf collects, for each field, the functions of the file that name it in a selector, but for the table of fields.
func readsOf(file *ast.File, fields []string, found map[string]string) {
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name == "fields" {
			continue
		}
		seen := map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(fields, s.Sel.Name) && !seen[s.Sel.Name] {
				seen[s.Sel.Name] = true
				found[s.Sel.Name] = strings.TrimPrefix(found[s.Sel.Name]+"+"+f.Name.Name, "+")
			}
			return true
		})
	}
}

// sources are the files of the package, without tests, by name.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = parser.ParseFile(token.NewFileSet(), name, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestEachFieldIsReadByItsOneMethod(t *testing.T) {
	files := sources(t)
	fields := fieldsOf(files["config.go"])
	if len(fields) != 55 {
		t.Fatalf("Config has %d fields, want 54 and Naming", len(fields))
	}
	found := map[string]string{}
	for _, file := range files {
		readsOf(file, fields, found)
	}
	if d := cmp.Diff(readers, found); d != "" {
		t.Errorf("readers of the fields (-want +got):\n%s", d)
	}
	methods := slices.Sorted(maps.Values(readers))
	if n := len(slices.Compact(methods)); n != len(readers) {
		t.Errorf("%d methods read %d fields", n, len(readers))
	}
}

// The table of fields holds each field of Config once, so that no decision is missing from Set, Get and Decisions.
func TestTheTableHoldsEveryField(t *testing.T) {
	files := sources(t)
	var got []string
	ast.Inspect(files["fields.go"], func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
			got = append(got, u.X.(*ast.SelectorExpr).Sel.Name)
		}
		return true
	})
	want := slices.DeleteFunc(fieldsOf(files["config.go"]), func(name string) bool { return name == "Naming" }) // no decision
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the table of fields (-Config +table):\n%s", d)
	}
}

// A misspelt word in a revision's table is a panic at its first use; it is not one that Set would swallow.
func TestARevisionWithAWrongWordPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a revision with a wrong word loads")
		}
	}()
	Preset{Name: "wrong", Changes: []Change{{Decision: "D1", Token: "epochs"}}}.config(nil)
}
