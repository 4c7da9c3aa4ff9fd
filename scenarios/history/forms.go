package history

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mirrorsim/checkers"
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/record"
)

// Numbers in a history are at most 2^53, so that a program whose numbers are floating-point keeps them.
const (
	maxTime   = 1 << 53
	maxOffset = 1 << 53
)

// form is how the value of a field is written.
type form struct {
	accepts string // for the page
	// put appends v; false: the form has no text for it.
	put func(dst []byte, n *names, v int64) ([]byte, bool)
	// take reads a value; a refusal says what is wrong and what would be accepted.
	take func(raw jsontext.Value, n *names) (int64, *refusal)
}

// refusal says why a value is not accepted.
type refusal struct {
	message string
	want    []string
}

func refuse(message string, want ...string) *refusal { return &refusal{message, want} }

// text is a JSON string without its quotes; good until the next one.
func (n *names) text(raw jsontext.Value) ([]byte, bool) {
	if raw.Kind() != '"' {
		return nil, false
	}
	var err error
	n.scratch, err = jsontext.AppendUnquote(n.scratch[:0], raw)
	return n.scratch, err == nil
}

// quoted appends a JSON string.
func quoted(dst []byte, s string) []byte {
	dst, err := jsontext.AppendQuote(dst, s)
	if err != nil {
		panic(err) // only of text that is not UTF-8, which is replaced
	}
	return dst
}

// number is a whole number from least to most.
func number(least, most int64) form {
	accepts := fmt.Sprintf("a whole number from %d", least)
	if most != maxOffset {
		accepts = fmt.Sprintf("a whole number from %d to %d", least, most)
	}
	return form{accepts,
		func(dst []byte, _ *names, v int64) ([]byte, bool) {
			return strconv.AppendInt(dst, v, 10), v >= least && v <= most
		},
		func(raw jsontext.Value, _ *names) (int64, *refusal) {
			v, err := strconv.ParseInt(string(raw), 10, 64)
			if err != nil || v < least || v > most {
				return 0, refuse("not a number that is accepted here", accepts)
			}
			return v, nil
		}}
}

// The numbers of histories. Below 0 there is only -1, for none.
var (
	offset     = number(0, maxOffset)
	someOffset = number(-1, maxOffset)
	duration   = number(0, maxTime)
	epoch      = number(0, math.MaxInt32)
	someEpoch  = number(-1, math.MaxInt32)
	count      = number(0, math.MaxInt32)
	attempts   = number(record.NotRetryable, math.MaxInt16)
	operation  = number(0, math.MaxUint32)
	entries    = number(0, math.MaxUint16)
	producerID = number(-1, maxOffset)
	crc        = number(0, math.MaxUint32)
)

// flag is true or false.
var flag = form{"true or false",
	func(dst []byte, _ *names, v int64) ([]byte, bool) {
		return strconv.AppendBool(dst, v == 1), v == 0 || v == 1
	},
	func(raw jsontext.Value, _ *names) (int64, *refusal) {
		switch raw.Kind() {
		case 't':
			return 1, nil
		case 'f':
			return 0, nil
		}
		return 0, refuse("not a truth value", "true", "false")
	}}

// wordsOf is one word of a list; an empty one is never taken.
func wordsOf(list []string) form {
	numbers, want := map[string]int64{}, []string{}
	for i, w := range list {
		if w != "" {
			numbers[w] = int64(i)
			want = append(want, w)
		}
	}
	return form{strings.Join(want, ", "),
		func(dst []byte, _ *names, v int64) ([]byte, bool) {
			if v < 0 || v >= int64(len(list)) || list[v] == "" {
				return dst, false
			}
			return quoted(dst, list[v]), true
		},
		func(raw jsontext.Value, n *names) (int64, *refusal) {
			if word, ok := n.text(raw); ok {
				if v, ok := numbers[string(word)]; ok {
					return v, nil
				}
			}
			return 0, refuse("not a word that is accepted here", want...)
		}}
}

// flags are the words of the bits that are set.
var flags = form{"a list of " + strings.Join(flagWords, ", "),
	func(dst []byte, _ *names, v int64) ([]byte, bool) {
		dst = append(dst, '[')
		for i, w := range flagWords {
			if v&(1<<i) != 0 {
				dst = quoted(comma(dst, '['), w)
			}
		}
		return append(dst, ']'), v>>len(flagWords) == 0
	},
	func(raw jsontext.Value, n *names) (v int64, bad *refusal) {
		ok := each(raw, func(x jsontext.Value) bool {
			word, _ := n.text(x)
			i := slices.Index(flagWords, string(word))
			v |= 1 << max(i, 0)
			return i >= 0
		})
		if !ok {
			return 0, refuse("not a list of words that are accepted here", flagWords...)
		}
		return v, nil
	}}

// comma appends a comma unless dst ends with the bracket that opens the list.
func comma(dst []byte, open byte) []byte {
	if dst[len(dst)-1] == open {
		return dst
	}
	return append(dst, ',')
}

// each gives the values of a JSON list; it is false when raw is no list, or when a value is refused.
func each(raw jsontext.Value, take func(jsontext.Value) bool) bool {
	d := jsontext.NewDecoder(strings.NewReader(string(raw)))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '[' {
		return false
	}
	for d.PeekKind() != ']' {
		x, err := d.ReadValue()
		if err != nil || !take(x) {
			return false
		}
	}
	return true
}

// digest is a hash of 64 bits.
var digest = form{hexadecimal,
	func(dst []byte, _ *names, v int64) ([]byte, bool) {
		return fmt.Appendf(dst, `"%016x"`, uint64(v)), true
	},
	func(raw jsontext.Value, n *names) (int64, *refusal) {
		word, ok := n.text(raw)
		v, err := strconv.ParseUint(string(word), 16, 64)
		if !ok || err != nil || len(word) != 16 {
			return 0, refuse("not a digest", hexadecimal)
		}
		return int64(v), nil
	}}

const hexadecimal = "a string of 16 hexadecimal digits"

// acks is the acks of a produce request; the model keeps it in eight bits.
var acks = form{"-1 (all), 0, 1",
	func(dst []byte, _ *names, v int64) ([]byte, bool) {
		return strconv.AppendInt(dst, int64(int8(v)), 10), v <= 1 || v == math.MaxUint8
	},
	func(raw jsontext.Value, _ *names) (int64, *refusal) {
		switch string(raw) {
		case "-1":
			return math.MaxUint8, nil
		case "0":
			return 0, nil
		case "1":
			return 1, nil
		}
		return 0, refuse("not acks", "-1", "0", "1")
	}}

// found is the id that a name stands for.
func found[T ~uint8 | ~uint16](raw jsontext.Value, n *names, in map[string]T, message string, all func() []string) (int64,
	*refusal) {
	if word, ok := n.text(raw); ok {
		if v, ok := in[string(word)]; ok {
			return int64(v), nil
		}
	}
	return 0, refuse(message, all()...)
}

// node is a node of one of the roles.
func node(accepts string, may ...Role) form {
	is := func(n *names, v int64) bool {
		return v >= 0 && v < int64(len(n.role)) && slices.Contains(may, n.role[v])
	}
	return form{accepts,
		func(dst []byte, n *names, v int64) ([]byte, bool) {
			return quoted(dst, n.of.Node(id.Node(v))), is(n, v)
		},
		func(raw jsontext.Value, n *names) (int64, *refusal) {
			all := func() (list []string) {
				for i, name := range n.of.Nodes {
					if is(n, int64(i)) {
						list = append(list, name)
					}
				}
				return some(list)
			}
			v, bad := found(raw, n, n.nodes, "not a node that is accepted here", all)
			if bad == nil && !is(n, v) {
				bad = refuse("not a node that is accepted here", all()...)
			}
			return v, bad
		}}
}

var (
	anyNode    = node("a node", Broker, MetadataLog, Controller, Client, Admin)
	broker     = node("a broker", Broker)
	controller = node("a controller", Controller)
	client     = node("a client", Client)
	fetcher    = node("a broker, client or admin", Broker, Client, Admin)
)

// brokers is a set of brokers.
var brokers = form{"a list of brokers",
	func(dst []byte, n *names, v int64) ([]byte, bool) {
		dst = append(dst, '[')
		known := true
		for x := id.Node(0); x < id.MaxBrokers; x++ {
			if id.Set(v).Has(x) {
				dst = quoted(comma(dst, '['), n.of.Node(x))
				known = known && int(x) < len(n.role) && n.role[x] == Broker
			}
		}
		return append(dst, ']'), known
	},
	func(raw jsontext.Value, n *names) (int64, *refusal) {
		var s id.Set
		var bad *refusal
		if !each(raw, func(x jsontext.Value) bool {
			v, wrong := broker.take(x, n)
			s, bad = s.With(id.Node(v)), wrong
			return bad == nil
		}) && bad == nil {
			bad = refuse("not a list", "a list of brokers")
		}
		return int64(s), bad
	}}

var cluster = form{"a cluster",
	func(dst []byte, n *names, v int64) ([]byte, bool) {
		return quoted(dst, n.of.Cluster(id.Cluster(v))), v < int64(len(n.of.Clusters))
	},
	func(raw jsontext.Value, n *names) (int64, *refusal) {
		return found(raw, n, n.clusters, "not a cluster", func() []string { return n.of.Clusters })
	}}

var mirror = form{"a mirror",
	func(dst []byte, n *names, v int64) ([]byte, bool) {
		return quoted(dst, n.of.Mirror(id.Mirror(v))), v > 0 && v < int64(len(n.of.Mirrors))
	},
	func(raw jsontext.Value, n *names) (int64, *refusal) {
		return found(raw, n, n.mirrors, "not a mirror", func() []string { return some(n.of.Mirrors[1:]) })
	}}

// topic is a topic of the header, as the word of its partition 0.
var topic = form{"a topic, by its id in the header",
	func(dst []byte, n *names, v int64) ([]byte, bool) {
		name, ok := n.topicIDs[id.Topic(v>>16)]
		return quoted(dst, name), ok && v&0xffff == 0
	},
	func(raw jsontext.Value, n *names) (int64, *refusal) {
		v, bad := found(raw, n, n.topics, "not a topic", n.topicNames)
		return v << 16, bad
	}}

// partition is a partition that the topic has had by then.
var partition = form{"a partition: the id of its topic, a hyphen and the index",
	func(dst []byte, n *names, v int64) ([]byte, bool) {
		name, ok := n.topicIDs[id.Topic(v>>16)]
		dst = quoted(dst, name)
		dst[len(dst)-1] = '-' // in the place of the closing quote
		return append(strconv.AppendInt(dst, v&0xffff, 10), '"'), ok
	},
	takePartition}

func takePartition(raw jsontext.Value, n *names) (int64, *refusal) {
	word, ok := n.text(raw)
	cut := bytes.LastIndexByte(word, '-')
	if !ok || cut < 0 {
		return 0, refuse("not a partition", "the topic's id, a hyphen and the index, such as orders-0")
	}
	t, ok := n.topics[string(word[:cut])]
	if !ok {
		return 0, refuse("a partition of no topic", n.topicNames()...)
	}
	i, err := strconv.ParseUint(string(word[cut+1:]), 10, 16)
	switch had := n.partitions[t]; {
	case had == 0:
		return 0, refuse("a partition of a topic that no topic-created has told of", "a topic-created before it")
	case err != nil || int64(i) >= had:
		return 0, refuse(fmt.Sprintf("the topic has had %s so far", checkers.Several(had, "partition", "partitions")), fmt.Sprintf("an index from 0 to %d", had-1))
	}
	return int64(id.Partition{Topic: t, Index: uint16(i)}.Word()), nil
}

var acl = form{aclForm,
	func(dst []byte, n *names, v int64) ([]byte, bool) {
		text, ok := n.of.Acls[uint64(v)]
		return quoted(dst, text), ok
	},
	func(raw jsontext.Value, n *names) (int64, *refusal) {
		text, _ := n.text(raw)
		word, ok := n.acl(string(text))
		if !ok {
			return 0, refuse("not an ACL binding", aclForm)
		}
		return int64(word), nil
	}}

// configValue is the value of a config, which stands in the event already.
func putConfig(dst []byte, e *event.Event) []byte {
	return quoted(dst, record.ConfigText(record.ConfigKey(e.To), e.Offset))
}

func takeConfig(raw jsontext.Value, n *names, e *event.Event) *refusal {
	text, ok := n.text(raw)
	v, takes := record.ParseConfig(record.ConfigKey(e.To), string(text))
	if !ok || !takes {
		return refuse("not a value of "+record.ConfigKey(e.To).String(), "a string: "+record.ConfigForm(record.ConfigKey(e.To)))
	}
	e.From, e.Offset = 1, v.Number
	return nil
}
