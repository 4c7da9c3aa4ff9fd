package wire

import (
	"reflect"
	"slices"
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// bodies are one of each message, all fields zero but for what must not be nil.
func bodies() []Body {
	batch := record.NewData(1, 0, 0, []record.Record{{Key: 1, Value: 2}})
	return []Body{&ProduceRequest{Batch: batch}, &ProduceResponse{}, &FetchRequest{}, &FetchResponse{}, &ListOffsetsRequest{},
		&ListOffsetsResponse{}, &MetadataRequest{}, &MetadataResponse{}, &InitProducerIdRequest{}, &InitProducerIdResponse{},
		&ElectLeadersRequest{}, &ElectLeadersResponse{}, &MirrorTopicsRequest{}, &MirrorTopicsResponse{},
		&CreateMirrorRequest{Mirror: &record.MirrorRecord{}}, &CreateMirrorResponse{}, &DeleteMirrorRequest{}, &DeleteMirrorResponse{},
		&DescribeMirrorsRequest{}, &DescribeMirrorsResponse{}, &DeleteTopicsRequest{}, &DeleteTopicsResponse{},
		&CreatePartitionsRequest{}, &CreatePartitionsResponse{}, &DeleteRecordsRequest{}, &DeleteRecordsResponse{},
		&FindCoordinatorRequest{}, &FindCoordinatorResponse{}, &AddPartitionsToTxnRequest{}, &AddPartitionsToTxnResponse{},
		&EndTxnRequest{}, &EndTxnResponse{}, &WriteTxnMarkersRequest{}, &WriteTxnMarkersResponse{}, &TransactionCommand{}, &GroupCommand{},
		&JoinGroupRequest{}, &JoinGroupResponse{}, &HeartbeatRequest{}, &HeartbeatResponse{}, &LeaveGroupRequest{}, &LeaveGroupResponse{},
		&OffsetCommitRequest{}, &OffsetCommitResponse{}, &OffsetFetchRequest{}, &OffsetFetchResponse{}, &ListGroupsRequest{},
		&ListGroupsResponse{}, &BoundOffsetRequest{}, &BoundOffsetResponse{}, &LowerOffsetsRequest{}, &LowerOffsetsResponse{},
		&LastMirroredPositionRequest{}, &LastMirroredPositionResponse{},
		&ReadMirrorStatesRequest{}, &ReadMirrorStatesResponse{}, &WriteMirrorStatesRequest{}, &WriteMirrorStatesResponse{},
		&AlterPartitionRequest{}, &AlterPartitionResponse{}, &BumpLeaderEpochRequest{}, &BumpLeaderEpochResponse{},
		&BrokerHeartbeatRequest{}, &BrokerHeartbeatResponse{}, &AllocateProducerIdsRequest{}, &AllocateProducerIdsResponse{},
		&ControllerHeartbeatRequest{}, &ControllerHeartbeatResponse{}, &AppendMetadataRequest{}, &AppendMetadataResponse{},
		&MetadataFetchRequest{}, &MetadataFetchResponse{}, &IncrementalAlterConfigsRequest{}, &IncrementalAlterConfigsResponse{},
		&DescribeConfigsRequest{}, &DescribeConfigsResponse{}, &DescribeTopicPartitionsRequest{}, &DescribeTopicPartitionsResponse{},
		&CreateTopicsRequest{}, &CreateTopicsResponse{}, &CreateAclsRequest{}, &CreateAclsResponse{}, &DeleteAclsRequest{}, &DeleteAclsResponse{}, &DescribeAclsRequest{}, &DescribeAclsResponse{},
		&ProduceCommand{}, &ConsumeCommand{}, &MoveCommand{},
		&AdminCommand{&ElectLeadersRequest{}}, &ReportCommand{}}
}

// Every field of every message but its correlation is among its words.
func TestWordsCoverEveryField(t *testing.T) {
	for _, b := range bodies() {
		before := b.Words(nil)
		v := reflect.ValueOf(b).Elem()
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			set(t, v.Field(i))
			after := b.Words(nil)
			if same := slices.Equal(before, after); same != (name == "Correlation") {
				t.Errorf("%T: changing %s changed its words: %v", b, name, !same)
			}
			before = after
		}
	}
}

// set gives a field another value.
func set(t *testing.T, v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case **record.Batch:
		*x = (*x).At(5, 1)
	case *[]*record.Batch:
		*x = []*record.Batch{record.NewReset()}
	case *[]id.Partition:
		*x = []id.Partition{{Topic: 3}}
	case *[]id.Topic:
		*x = []id.Topic{3}
	case *[]ActualState:
		*x = []ActualState{{State: 1}}
	case *[]TopicResult:
		*x = []TopicResult{{Code: 1}}
	case *[]record.Metadata:
		*x = []record.Metadata{&record.ProducerIdsRecord{}}
	case *[]SourceTopic:
		*x = []SourceTopic{{Partitions: 1}}
	case *[]AbortedTransaction:
		*x = []AbortedTransaction{{First: 1}}
	case *[]NewTopic:
		*x = []NewTopic{{Record: &record.TopicRecord{}}}
	case *[]record.Acl:
		*x = []record.Acl{{Name: "t", Deny: true}}
	case *[]TopicConfig:
		*x = []TopicConfig{{Value: "1"}}
	case *[]string:
		*x = []string{"p"}
	case *string:
		*x = "name"
	case **record.MirrorRecord:
		*x = &record.MirrorRecord{Mirror: 2}
	case *record.MirrorState:
		x.Run++
	case *record.Group:
		x.Name += "g"
	case *[]record.Group:
		*x = []record.Group{{Name: "g"}}
	case *id.Partition:
		x.Index++
	case *Body:
		*x = &DescribeMirrorsRequest{}
	case *bool:
		*x = !*x
	default:
		switch {
		case v.CanInt():
			v.SetInt(v.Int() + 1)
		case v.CanUint():
			v.SetUint(v.Uint() + 1)
		default:
			t.Fatalf("a field of type %s is not known to this test", v.Type())
		}
	}
}

// Every message has an API of its own, and the name says which it is.
func TestApis(t *testing.T) {
	seen := map[API]Body{}
	for _, b := range bodies() {
		a := b.API()
		if other, ok := seen[a]; ok {
			t.Errorf("%T and %T have one API", b, other)
		}
		seen[a] = b
		want := reflect.TypeOf(b).Elem().Name()
		if got := a.String(); got != want && got+"Body" != want {
			t.Errorf("%T is called %s", b, got)
		}
	}
}

func TestCodes(t *testing.T) {
	for c := OK; c < codes; c++ {
		if got, ok := ParseCode(c.String()); !ok || got != c {
			t.Errorf("%d prints as %s, which parses as %d", c, c, got)
		}
	}
	if codes.String() != "?" || codes.Doc() != "" {
		t.Errorf("a code that does not exist is called %s, %s", codes, codes.Doc())
	}
	if _, ok := ParseCode("NO_SUCH_CODE"); ok {
		t.Error("a code that does not exist parses")
	}
}
