package wire

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/id"
)

// forwarded are the messages that brokers forward, each request before its answer.
var forwarded = [][2]Body{
	{&MirrorTopicsRequest{}, &MirrorTopicsResponse{}}, {&CreateMirrorRequest{}, &CreateMirrorResponse{}},
	{&DeleteMirrorRequest{}, &DeleteMirrorResponse{}}, {&DeleteTopicsRequest{}, &DeleteTopicsResponse{}},
	{&CreatePartitionsRequest{}, &CreatePartitionsResponse{}}, {&ElectLeadersRequest{}, &ElectLeadersResponse{}},
	{&DescribeMirrorsRequest{}, &DescribeMirrorsResponse{}},
	{&IncrementalAlterConfigsRequest{}, &IncrementalAlterConfigsResponse{}},
	{&CreateTopicsRequest{}, &CreateTopicsResponse{}}, {&CreateAclsRequest{}, &CreateAclsResponse{}}, {&DeleteAclsRequest{}, &DeleteAclsResponse{}},
}

// filled is a message with its client and correlation set.
func filled(b Body, client id.Node, correlation uint32) Body {
	v := reflect.New(reflect.TypeOf(b).Elem())
	if f := v.Elem().FieldByName("Client"); f.IsValid() {
		f.SetUint(uint64(client))
	}
	v.Elem().FieldByName("Correlation").SetUint(uint64(correlation))
	return v.Interface().(Body)
}

// A copy differs from its original in what it is made for, and the original stays as it was.
func TestForwarding(t *testing.T) {
	same := func(what string, got, want any) {
		t.Helper()
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
	for _, pair := range forwarded {
		for _, b := range pair {
			original := filled(b, 3, 7)
			same("for client 4", ForClient(original, 4), filled(b, 4, 7))
			same("client", ClientOf(original), id.Node(3))
			same("numbered 9", Numbered(original, 9), filled(b, id.None, 9))
			same("the original", original, filled(b, 3, 7))
		}
		refused := Refuse(filled(pair[0], 3, 7), NotController)
		same("code", reflect.ValueOf(refused).Elem().FieldByName("Code").Interface(), NotController)
		reflect.ValueOf(refused).Elem().FieldByName("Code").SetUint(0)
		if f := reflect.ValueOf(refused).Elem().FieldByName("Leader"); f.IsValid() {
			same("leader", id.Node(f.Uint()), id.None)
			f.SetUint(0)
		}
		same("answer", refused, filled(pair[1], 3, 7))
	}
	records := &DeleteRecordsRequest{Partition: id.Partition{Topic: 1}, Offset: 5, Correlation: 7}
	same("DeleteRecords", Numbered(records, 9), Body(&DeleteRecordsRequest{Partition: records.Partition, Offset: 5, Correlation: 9}))
	same("DeleteRecords refused", Refuse(records, NotLeaderOrFollower),
		Body(&DeleteRecordsResponse{Partition: records.Partition, Code: NotLeaderOrFollower, LogStart: -1, Correlation: 7}))
	same("its client", ClientOf(records), id.None)
	same("no admin's request", []any{ForClient(&FetchRequest{}, 1), Numbered(&FetchRequest{}, 1), Refuse(&FetchRequest{}, 1)}, []any{nil, nil, nil})
}
