package record

import "mirrorsim/model/id"

// Metadata is a record of a cluster's metadata log. Records are pointers, immutable once appended.
type Metadata interface {
	// Words are the record's fields as numbers, in a fixed order, appended to dst: what a fingerprint mixes.
	Words(dst []uint64) []uint64
}

// TopicRecord creates a topic.
type TopicRecord struct {
	Topic         id.Topic
	Name          string
	Partitions    uint16
	MinISR        uint8 // min.insync.replicas
	Unclean       bool  // unclean.leader.election.enable
	MirrorUnclean bool  // mirror.support.unclean.leader.election
	RemoteStorage bool  // remote.storage.enable: tiered storage, with which a topic cannot be mirrored
	Internal      Internal
}

// Internal says which internal topic a topic is.
type Internal uint8

// The internal topics. Their records are a coordinator's.
const (
	NotInternal           Internal = iota
	MirrorStateTopic               // __mirror_state
	TransactionStateTopic          // __transaction_state
	ConsumerOffsetsTopic           // __consumer_offsets
)

// RemoveTopicRecord deletes a topic with its partitions and its desired mirror state.
type RemoveTopicRecord struct{ Topic id.Topic }

// TopicPartitionsRecord grows a topic to Partitions; the registrations of the new ones follow it.
type TopicPartitionsRecord struct {
	Topic      id.Topic
	Partitions uint16
	Mirror     id.Mirror // whose mirror-wide work has grown it; 0: a user. For histories only
}

// PartitionRecord is the whole registration of a partition after a change: created, elected, bumped, ISR altered.
type PartitionRecord struct {
	Partition      id.Partition
	Replicas       []id.Node // in assignment order; shared, never changed
	ISR            id.Set
	Offline        id.Set  // replicas whose log directory has failed since their broker started; none of them is elected
	Leader         id.Node // id.None: nobody is electable
	LeaderEpoch    int32
	PartitionEpoch int32
	Cause          uint8 // an event.ChangeCause: why the registration changed
}

// MirrorRecord creates the resource MIRROR/<name>: where the source is. One of a mirror that exists changes its lists.
type MirrorRecord struct {
	Mirror    id.Mirror
	Name      string
	Source    id.Cluster // the source's cluster id
	Bootstrap []id.Node  // brokers of the source that are asked first
	Include   []string   // mirror.topics.include: literals and RE2 patterns; shared, never changed
	Exclude   []string   // mirror.topics.exclude, which wins; empty: the default, "__.*"; shared, never changed
	// mirror.groups.include, all where it is empty, and mirror.groups.exclude, which wins; shared, never changed.
	Groups, NoGroups []string

	ExcludeConfigs []string // topic configs that are not synchronised; empty: DefaultConfigExclude; shared, never changed
	Acls           []string // ACLs that are synchronised: a resource type, a colon, and a literal or pattern; shared, never changed
}

// RemoveMirrorRecord deletes the resource MIRROR/<name>.
type RemoveMirrorRecord struct{ Mirror id.Mirror }

// MirrorTopicRecord is the desired state of a topic: the ConfigRecord mirror.name of the seeds.
type MirrorTopicRecord struct {
	Topic   id.Topic
	Mirror  id.Mirror
	Desired Desired // WantNone: the topic leaves its mirror
	// Recovery counts the RecoverMirrorTopics requests for the topic: a partition whose FAILED was stored before the
	// newest one returns to the state that it failed from.
	Recovery int32
	// Discovered: mirror-wide work has started it, and no user. For histories only.
	Discovered bool
	// Number is that of the request of Admin that asked for it (D47); 0: it is not kept, or no admin has asked.
	Admin  id.Node
	Number uint32
}

// BrokerRecord registers a broker's incarnation, fenced or not.
type BrokerRecord struct {
	Broker      id.Node
	Incarnation uint32 // counts the starts of the broker
	Fenced      bool
}

// ProducerIdsRecord reserves producer ids: those below Next are given out.
type ProducerIdsRecord struct{ Next int64 }

// Words of the record; see Metadata.
func (r *TopicRecord) Words(dst []uint64) []uint64 {
	return append(dst, 1, uint64(r.Topic), uint64(r.Partitions), uint64(r.MinISR), id.Bit64(r.Unclean), id.Bit64(r.MirrorUnclean), id.Bit64(r.RemoteStorage), uint64(r.Internal))
}

// Words of the record; see Metadata.
func (r *RemoveTopicRecord) Words(dst []uint64) []uint64 { return append(dst, 7, uint64(r.Topic)) }

// Words of the record; see Metadata.
func (r *TopicPartitionsRecord) Words(dst []uint64) []uint64 {
	return append(dst, 8, uint64(r.Topic), uint64(r.Partitions), uint64(r.Mirror))
}

// Words of the record; see Metadata.
func (r *RemoveMirrorRecord) Words(dst []uint64) []uint64 { return append(dst, 9, uint64(r.Mirror)) }

// Words of the record; see Metadata.
func (r *PartitionRecord) Words(dst []uint64) []uint64 {
	return append(dst, 2, uint64(r.Partition.Word()), uint64(id.SetOf(r.Replicas...)), uint64(r.ISR), uint64(r.Offline), uint64(r.Leader),
		uint64(uint32(r.LeaderEpoch)), uint64(uint32(r.PartitionEpoch)), uint64(r.Cause))
}

// Words of the record; see Metadata.
func (r *MirrorRecord) Words(dst []uint64) []uint64 {
	dst = append(dst, 3, uint64(r.Mirror), uint64(r.Source), uint64(id.SetOf(r.Bootstrap...)))
	for _, list := range [...][]string{r.Include, r.Exclude, r.Groups, r.NoGroups, r.ExcludeConfigs, r.Acls} {
		dst = TextWords(dst, list)
	}
	return dst
}

// Words of the record; see Metadata.
func (r *MirrorTopicRecord) Words(dst []uint64) []uint64 {
	return append(dst, 4, uint64(r.Topic), uint64(r.Mirror), uint64(r.Desired), uint64(uint32(r.Recovery)),
		uint64(r.Number)<<16|uint64(r.Admin)<<8|id.Bit64(r.Discovered))
}

// Words of the record; see Metadata.
func (r *BrokerRecord) Words(dst []uint64) []uint64 {
	return append(dst, 5, uint64(r.Broker), uint64(r.Incarnation), id.Bit64(r.Fenced))
}

// Words of the record; see Metadata.
func (r *ProducerIdsRecord) Words(dst []uint64) []uint64 { return append(dst, 6, uint64(r.Next)) }

// TextWords appends a word for each text of a list, and their number.
func TextWords(dst []uint64, list []string) []uint64 {
	for _, s := range list {
		dst = append(dst, TextWord(s))
	}
	return append(dst, uint64(len(list)))
}

// TextWord is a text as a number: FNV-1a, which is enough where texts are names and few.
func TextWord(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}
