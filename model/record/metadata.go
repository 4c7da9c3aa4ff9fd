package record

import "mirrorsim/model/id"

// Metadata is a record of a cluster's metadata log. Records are pointers, immutable once appended.
type Metadata interface{ metadata() }

// TopicRecord creates a topic.
type TopicRecord struct {
	Topic         id.Topic
	Name          string
	Partitions    uint16
	MinISR        uint8 // min.insync.replicas
	Unclean       bool  // unclean.leader.election.enable
	MirrorUnclean bool  // mirror.support.unclean.leader.election
	Internal      bool  // __mirror_state
}

// PartitionRecord is the whole registration of a partition after a change: created, elected, bumped, ISR altered.
type PartitionRecord struct {
	Partition      id.Partition
	Replicas       []id.Node // in assignment order; shared, never changed
	ISR            id.Set
	Leader         id.Node // id.None: nobody is electable
	LeaderEpoch    int32
	PartitionEpoch int32
	Cause          uint8 // an event.ChangeCause: why the registration changed
}

// MirrorRecord creates the resource MIRROR/<name>: where the source is.
type MirrorRecord struct {
	Mirror    id.Mirror
	Name      string
	Source    id.Cluster // the source's cluster id
	Bootstrap []id.Node  // brokers of the source that are asked first
}

// MirrorTopicRecord is the desired state of a topic: the ConfigRecord mirror.name of the seeds.
type MirrorTopicRecord struct {
	Topic   id.Topic
	Mirror  id.Mirror
	Desired Desired
}

// BrokerRecord registers a broker's incarnation, fenced or not.
type BrokerRecord struct {
	Broker      id.Node
	Incarnation uint32 // counts the starts of the broker
	Fenced      bool
}

// ProducerIdsRecord reserves producer ids: those below Next are given out.
type ProducerIdsRecord struct{ Next int64 }

func (*TopicRecord) metadata()       {}
func (*PartitionRecord) metadata()   {}
func (*MirrorRecord) metadata()      {}
func (*MirrorTopicRecord) metadata() {}
func (*BrokerRecord) metadata()      {}
func (*ProducerIdsRecord) metadata() {}
