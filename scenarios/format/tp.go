package format

import (
	"strconv"
	"strings"
)

// TP is a partition of one cluster, and optionally the replica on one of its brokers:
//
//	B/orders-0
//	B/orders-0@b1
type TP struct {
	Cluster   string
	Topic     string
	Partition int
	Node      string // empty: the leader's replica, or the partition as a whole
}

// The internal topics: the mirror states (section 8 of the design) of a cluster that a mirror leads to, and the transactions
// and groups of every cluster in a scenario with a transactional or a group client, which may come to any of them.
const (
	StateTopic       = "__mirror_state"
	TransactionTopic = "__transaction_state"
	GroupTopic       = "__consumer_offsets"
)

// Internal tells whether a topic is one of the internal ones.
func Internal(topic string) bool {
	return topic == StateTopic || topic == TransactionTopic || topic == GroupTopic
}

// String is the text form.
func (t TP) String() string { return string(t.AppendText(nil)) }

// AppendText appends the text form.
func (t TP) AppendText(dst []byte) []byte {
	dst = append(dst, t.Cluster...)
	dst = append(dst, '/')
	dst = append(dst, t.Topic...)
	dst = append(dst, '-')
	dst = strconv.AppendInt(dst, int64(t.Partition), 10)
	if t.Node != "" {
		dst = append(dst, '@')
		dst = append(dst, t.Node...)
	}
	return dst
}

// ParseTP takes the text form apart; ok is false when it has not that form. It looks no name up.
func ParseTP(s string) (t TP, ok bool) {
	s, t.Node, ok = strings.Cut(s, "@")
	if ok && t.Node == "" {
		return TP{}, false
	}
	cluster, rest, found := strings.Cut(s, "/")
	i := strings.LastIndexByte(rest, '-')
	if !found || cluster == "" || i <= 0 {
		return TP{}, false
	}
	n, err := strconv.ParseUint(rest[i+1:], 10, 16)
	if err != nil {
		return TP{}, false
	}
	t.Cluster, t.Topic, t.Partition = cluster, rest[:i], int(n)
	return t, true
}

// MirrorRef names a mirror resource, with its destination cluster where the name alone would not do:
//
//	m
//	B/m
type MirrorRef struct {
	Cluster string // empty: the one cluster that has a mirror of that name
	Name    string
}

// String is the text form.
func (m MirrorRef) String() string {
	if m.Cluster == "" {
		return m.Name
	}
	return m.Cluster + "/" + m.Name
}

// ParseMirrorRef takes the text form apart. It looks no name up.
func ParseMirrorRef(s string) MirrorRef {
	if cluster, name, ok := strings.Cut(s, "/"); ok {
		return MirrorRef{cluster, name}
	}
	return MirrorRef{Name: s}
}
