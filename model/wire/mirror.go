package wire

import (
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// LastMirroredPositionRequest asks any broker of the new source for the last mirrored position, by the asker's own
// cluster id, mirror name, topic id and partition (section 6 of the design).
//
// With a Trace above 0 it is a question about a chain of mirrors (D20): a cluster that was asked, and that mirrors the
// topic itself, asks its own source whether the topic comes there from the asker. No position is read then. Trace is how
// many clusters the question may still go through, this one counted.
type LastMirroredPositionRequest struct {
	Asker       id.Cluster
	Mirror      id.Mirror
	Partition   id.Partition
	Trace       uint8
	Own         bool // a broker asks itself what its own cluster has recorded as mirrored from the asker (D22)
	Correlation uint32
}

// MaxTrace bounds the length of a chain of mirrors: the Trace of the first question about one.
const MaxTrace = 8

// LastMirroredPositionResponse is the answer over the mirrors whose source was the asker (D22). Without a row, Found is
// false and both numbers are -1. InvalidClusterMirrorState: the topic is mirrored from the asker, directly or by a chain.
type LastMirroredPositionResponse struct {
	Cluster     id.Cluster // the answering one
	Partition   id.Partition
	Code        Code
	Lacks       bool // the topic has fewer partitions there
	Found       bool
	Epoch       int32
	Offset      int64
	Correlation uint32
}

// ReadMirrorStatesRequest reads what the coordinator stores of one partition in the present life of mirror and topic
// (record.MirrorState.Life), as the reader's metadata show it. A coordinator whose metadata show another one answers
// NotCoordinator: one of the two is behind.
type ReadMirrorStatesRequest struct {
	Mirror      id.Mirror
	Partition   id.Partition
	Life        int64
	Correlation uint32
}

// ReadMirrorStatesResponse is the stored state and position. State is Unknown when none is stored.
type ReadMirrorStatesResponse struct {
	Mirror      id.Mirror
	Partition   id.Partition
	Code        Code
	State       record.MirrorState // of kind MirrorPartitionState
	HasPosition bool
	Position    record.MirrorState // of kind LastMirroredEpochs
	Correlation uint32
}

// WriteMirrorStatesRequest stores one record for one partition: a state or a position, as Record.Kind says.
// Record.LeaderEpoch is the writer's leader epoch for the data partition, for a position too; Record.StateEpoch is the
// state epoch that the writer has read last.
type WriteMirrorStatesRequest struct {
	Record      record.MirrorState
	KeepFirst   bool // a position: keep the one that this stop has stored already (D5)
	Correlation uint32
}

// WriteMirrorStatesResponse answers a write. Stored is what the coordinator holds of that kind after it.
type WriteMirrorStatesResponse struct {
	Mirror      id.Mirror
	Partition   id.Partition
	Code        Code
	Stored      record.MirrorState
	Correlation uint32
}

// API of each message.
func (*LastMirroredPositionRequest) API() API  { return LastMirroredPosition }
func (*LastMirroredPositionResponse) API() API { return LastMirroredPosition + 1 }
func (*ReadMirrorStatesRequest) API() API      { return ReadMirrorStates }
func (*ReadMirrorStatesResponse) API() API     { return ReadMirrorStates + 1 }
func (*WriteMirrorStatesRequest) API() API     { return WriteMirrorStates }
func (*WriteMirrorStatesResponse) API() API    { return WriteMirrorStates + 1 }
