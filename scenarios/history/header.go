package history

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// Schema names the format and its version.
const Schema = "mirrorsim.history/1"

// Header is the first line: what the checkers must know before the first event. Nodes, topics and mirrors are named by it;
// events name nothing else.
type Header struct {
	Schema   string   `json:"schema"`
	About    string   `json:"about,omitzero"` // for people: where the history is from
	Clusters []string `json:"clusters"`
	Nodes    []Node   `json:"nodes"`
	Topics   []Topic  `json:"topics,omitempty"`
	Mirrors  []Mirror `json:"mirrors,omitempty"`
	Design   *Design  `json:"design"` // required: what is promised depends on it
}

// Node is a broker, or whatever else an event may come from.
type Node struct {
	Name    string `json:"name"`
	Cluster string `json:"cluster"`
	Role    string `json:"role"`
}

// Topic is a topic id. A mirrored topic has one on both clusters; two topics of one name have two.
type Topic struct {
	ID   string `json:"id"`            // by which events name it
	Name string `json:"name,omitzero"` // the id where it is left out
	On   string `json:"on"`            // the cluster that created it first
}

// Mirror is what the work of a mirror on cluster To is to synchronise. A mirror without To is a name only.
type Mirror struct {
	Name            string   `json:"name"`
	To              string   `json:"to,omitzero"`
	ExcludedConfigs []string `json:"excluded_configs,omitempty"`
	Acls            []Acl    `json:"acls,omitempty"`
}

// Acl is an ACL binding that a mirror is to carry on.
type Acl struct {
	Acl    string   `json:"acl"`
	Topics []string `json:"topics,omitempty"` // the ids of the topics that have had the name that it is about
}

// Design is what the design of the system promises, and what changes what a correct history looks like.
type Design struct {
	PositionEpoch           bool  `json:"position_epoch,omitzero"`
	PositionOffset          bool  `json:"position_offset,omitzero"`
	RewritesEpochs          bool  `json:"rewrites_epochs,omitzero"`
	RewritesProducers       bool  `json:"rewrites_producers,omitzero"`
	ResetClosesTransactions bool  `json:"reset_closes_transactions,omitzero"`
	DropsEarlyPauses        bool  `json:"drops_early_pauses,omitzero"`
	StopsDeleted            bool  `json:"stops_deleted,omitzero"`
	RefusesFailed           bool  `json:"refuses_failed,omitzero"`
	ChecksReverse           bool  `json:"checks_reverse,omitzero"`
	MetadataRefreshUs       int64 `json:"metadata_refresh_us,omitzero"`
}

// HeaderOf is the header of a run whose nodes have these roles. Its topics are in the order of their ids.
func HeaderOf(t *checkers.Topology, roles []Role, about string) *Header {
	h := &Header{Schema: Schema, About: about, Clusters: t.Names.Clusters}
	for n, c := range t.Cluster {
		h.Nodes = append(h.Nodes, Node{t.Names.Node(id.Node(n)), t.Names.Cluster(c), roles[n].String()})
	}
	ids := topicIDs(t.Names)
	for _, x := range sortedTopics(t.Names) {
		h.Topics = append(h.Topics, topicOf(x, ids[x], t.Names))
	}
	for i := range t.Sync {
		h.Mirrors = append(h.Mirrors, mirrorOf(&t.Sync[i], ids, t.Names))
	}
	h.Design = &Design{PositionEpoch: t.PositionEpoch, PositionOffset: t.PositionOffset, RewritesEpochs: t.RewritesEpochs,
		RewritesProducers: t.RewritesProducers, ResetClosesTransactions: t.ResetClosesTransactions,
		DropsEarlyPauses: t.DropsEarlyPauses, StopsDeleted: t.StopsDeleted, RefusesFailed: t.RefusesFailed, ChecksReverse: t.ChecksReverse,
		MetadataRefreshUs: int64(t.MetadataRefresh)}
	return h
}

func sortedTopics(n *id.Names) []id.Topic {
	var list []id.Topic
	for t := range n.Topics {
		list = append(list, t)
	}
	slices.Sort(list)
	return list
}

// topicIDs are by what events name the topics: by their names, and those of which there are two by their first cluster too.
func topicIDs(n *id.Names) map[id.Topic]string {
	count, ids := map[string]int{}, map[id.Topic]string{}
	for _, name := range n.Topics {
		count[name]++
	}
	for t, name := range n.Topics {
		if ids[t] = name; count[name] > 1 {
			ids[t] = name + "@" + n.Cluster(clusterOf(t))
		}
	}
	return ids
}

// clusterOf is the cluster that created a topic first, which its id says.
func clusterOf(t id.Topic) id.Cluster { return id.Cluster(t >> 12) }

func topicOf(t id.Topic, as string, n *id.Names) Topic {
	x := Topic{ID: as, On: n.Cluster(clusterOf(t))}
	if name := n.Topic(t); name != as {
		x.Name = name
	}
	return x
}

func mirrorOf(s *checkers.SyncLists, ids map[id.Topic]string, n *id.Names) Mirror {
	m := Mirror{Name: n.Mirror(s.Mirror), To: n.Cluster(s.Cluster)}
	for k, excluded := range s.Excluded {
		if excluded {
			m.ExcludedConfigs = append(m.ExcludedConfigs, record.ConfigKey(k).String())
		}
	}
	for _, a := range s.Acls {
		x := Acl{Acl: n.Acl(a.Word)}
		for _, t := range a.Topics {
			x.Topics = append(x.Topics, ids[t])
		}
		m.Acls = append(m.Acls, x)
	}
	return m
}

// parseHeader reads the first line; the error has no file and line yet.
func parseHeader(line []byte) (*Header, *format.SyntaxError) {
	var head struct {
		Schema string `json:"schema"`
	}
	err := json.Unmarshal(line, &head)
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		word, _, _ := strings.Cut(string(line), " ")
		return nil, &format.SyntaxError{Word: word, Message: "the first line is a header in JSON", Want: []string{`{"schema":"` + Schema + `",...}`}}
	}
	if err != nil {
		return nil, headerError(err)
	}
	if head.Schema != Schema {
		return nil, &format.SyntaxError{Word: head.Schema, Message: "the first line is not a header of this schema",
			Want: []string{`{"schema":"` + Schema + `",...}`}}
	}
	h := &Header{}
	if err := json.Unmarshal(line, h, json.RejectUnknownMembers(true)); err != nil {
		return nil, headerError(err)
	}
	return h, nil
}

// headerFields are what would be accepted in a header.
var headerFields = []string{"schema", "about", "clusters", "nodes", "topics", "mirrors", "design"}

// headerError says in one clause what is wrong with a header.
func headerError(err error) *format.SyntaxError {
	x := &format.SyntaxError{Message: "not a header: " + strings.TrimPrefix(err.Error(), "json: "), Want: headerFields}
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		x.Word = string(semantic.JSONPointer)
		x.Message = "not a header: "
		switch {
		case errors.Is(err, json.ErrUnknownName):
			x.Message += "the field is not known"
		case semantic.GoType != nil:
			x.Message += "a " + jsonKind(semantic.GoType.Kind().String()) + " belongs here"
		default:
			x.Message += "it does not belong here"
		}
	}
	return x
}

// jsonKind is what a Go type is in JSON.
func jsonKind(kind string) string {
	switch kind {
	case "struct":
		return "object"
	case "slice":
		return "list"
	case "bool":
		return "true or false"
	case "int64":
		return "whole number"
	}
	return kind
}

// topology is what the header says, with the names for reading and writing events.
func (h *Header) topology() (*checkers.Topology, *names, *format.SyntaxError) {
	b := &headerBuilder{names: newNames(), t: &checkers.Topology{}}
	b.clusters(h.Clusters)
	b.nodes(h.Nodes)
	b.topics(h.Topics)
	b.mirrors(h.Mirrors)
	d := h.Design
	if d == nil {
		b.fail("design", "the header has none, and what is promised depends on it", `"design":{"position_epoch":true,"position_offset":true} and the like`)
		return nil, nil, b.err
	}
	if d.MetadataRefreshUs < 0 || d.MetadataRefreshUs > maxTime {
		b.fail(fmt.Sprint(d.MetadataRefreshUs), "design.metadata_refresh_us is not a time", "microseconds from 0 to 2^53")
	}
	if b.err != nil {
		return nil, nil, b.err
	}
	t := b.t
	t.Cluster, t.Names = b.names.cluster, b.names.of
	t.PositionEpoch, t.PositionOffset = d.PositionEpoch, d.PositionOffset
	t.RewritesEpochs, t.RewritesProducers = d.RewritesEpochs, d.RewritesProducers
	t.ResetClosesTransactions, t.DropsEarlyPauses, t.StopsDeleted = d.ResetClosesTransactions, d.DropsEarlyPauses, d.StopsDeleted
	t.RefusesFailed, t.ChecksReverse = d.RefusesFailed, d.ChecksReverse
	t.MetadataRefresh = id.Duration(d.MetadataRefreshUs)
	return t, b.names, nil
}
