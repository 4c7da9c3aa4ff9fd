package history

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// header is that of the histories in these tests.
const header = `{"schema":"mirrorsim.history/1","clusters":["A","B"],"nodes":[` +
	`{"name":"a-log","cluster":"A","role":"metadata-log"},{"name":"a0","cluster":"A","role":"broker"},` +
	`{"name":"b0","cluster":"B","role":"broker"},{"name":"p","cluster":"A","role":"client"},{"name":"root","cluster":"A","role":"admin"}],` +
	`"topics":[{"id":"t","on":"A"},{"id":"t-2","on":"B","name":"t"}],"mirrors":[{"name":"m","to":"B","acls":[{"acl":"topic:t alice read","topics":["t"]}]}],"design":{}}`

const created = `{"us":1,"kind":"topic-created","node":"a-log","topic":"t","partitions":2,"min_isr":1}`

// read reads a history, and answers its events and the error that ended it.
func read(lines ...string) ([]event.Event, *Reader, error) {
	r, err := NewReader("h.jsonl", strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		return nil, nil, err
	}
	var list []event.Event
	for {
		l, err := r.Next()
		if err != nil {
			return list, r, err
		}
		if l.Event != nil {
			list = append(list, *l.Event)
		}
	}
}

// appended is an append to t-0 of the batch with these fields.
func appended(batch string) string {
	return `{"us":2,"kind":"appended","node":"a0","partition":"t-0","leader_epoch":0,"origin":"client","batch":{` + batch + `}}`
}

// refused are histories that are not accepted: the line in which they are wrong, and words of what is said of it.
var refused = []struct {
	name  string
	lines []string
	line  int
	want  []string
}{
	{"an empty file", nil, 1, []string{"empty", Schema}},
	{"no header", []string{created}, 1, []string{"not a header of this schema", Schema}},
	{"another version", []string{`{"schema":"mirrorsim.history/2"}`}, 1, []string{`"mirrorsim.history/2"`, Schema}},
	{"no clusters", []string{`{"schema":"mirrorsim.history/1"}`}, 1, []string{"0 clusters"}},
	{"an unknown field of the header", []string{strings.Replace(header, `"role":"admin"`, `"rol":"admin"`, 1)}, 1, []string{"/nodes/4/rol", "not known"}},
	{"a list for a text", []string{strings.Replace(header, `"role":"admin"`, `"role":[]`, 1)}, 1, []string{"/nodes/4/role", "a string belongs here"}},
	{"an unknown role", []string{strings.Replace(header, `"role":"admin"`, `"role":"boss"`, 1)}, 1, []string{"boss", "root", "broker, metadata-log"}},
	{"an unknown cluster", []string{strings.Replace(header, `"cluster":"B"`, `"cluster":"C"`, 1)}, 1, []string{`"C"`, "b0", "A, B"}},
	{"a node twice", []string{strings.Replace(header, `"name":"b0"`, `"name":"a0"`, 1)}, 1, []string{`"a0"`, "twice"}},
	{"a name with a blank", []string{strings.Replace(header, `"name":"b0"`, `"name":"b 0"`, 1)}, 1, []string{"b 0", "blank"}},
	{"an ACL of no topic", []string{strings.Replace(header, `"topics":["t"]`, `"topics":["u"]`, 1)}, 1, []string{`"u"`, "t, t-2"}},
	{"an ACL that is none", []string{strings.Replace(header, `alice read`, `alice reads`, 1)}, 1, []string{"reads", "PRINCIPAL OPERATION"}},
	{"a header without a design", []string{strings.Replace(header, `,"design":{}`, "", 1)}, 1, []string{"design", "position_epoch"}},
	{"no JSON", []string{header, `us=1`}, 2, []string{"not a JSON object", "at byte 1"}},
	{"a line that is cut off", []string{header, created[:40]}, 2, []string{"not a JSON object"}},
	{"a list", []string{header, `[1]`}, 2, []string{"not a JSON object"}},
	{"two objects", []string{header, created + created}, 2, []string{"something follows"}},
	{"an empty line", []string{header, "", created}, 2, []string{"not a JSON object"}},
	{"a field twice", []string{header, strings.Replace(created, `"us":1`, `"us":1,"us":1`, 1)}, 2, []string{`"us"`, "twice"}},
	{"no kind", []string{header, `{"us":1}`}, 2, []string{`"kind"`, "missing"}},
	{"no time", []string{header, strings.Replace(created, `"us":1,`, "", 1)}, 2, []string{`"us"`, "missing", "whole number"}},
	{"no node", []string{header, strings.Replace(created, `"node":"a-log",`, "", 1)}, 2, []string{`"node"`, "missing"}},
	{"an event that is late", []string{header, created, strings.Replace(created, `"us":1`, `"us":0`, 1)}, 3, []string{"out of order", "from 1"}},
	{"a missing field", []string{header, strings.Replace(created, `,"min_isr":1`, "", 1)}, 2, []string{`"min_isr"`, "topic-created needs it"}},
	{"an unknown field", []string{header, strings.Replace(created, `"min_isr":1`, `"min_isr":1,"min_irs":1`, 1)}, 2, []string{`"min_irs"`, "topic-created has no such field", "min_isr, flags"}},
	{"no number", []string{header, strings.Replace(created, `"partitions":2`, `"partitions":"2"`, 1)}, 2, []string{"partitions", "a whole number from 1 to 65535"}},
	{"too large a number", []string{header, strings.Replace(created, `"partitions":2`, `"partitions":65536`, 1)}, 2, []string{"65536", "1 to 65535"}},
	{"a fraction", []string{header, strings.Replace(created, `"partitions":2`, `"partitions":2.5`, 1)}, 2, []string{"2.5"}},
	{"from a node of another role", []string{header, strings.Replace(created, `"a-log"`, `"a0"`, 1)}, 2, []string{`"a0"`, "does not come from a broker", "metadata-log"}},
	{"from no node", []string{header, strings.Replace(created, `"a-log"`, `"a9"`, 1)}, 2, []string{"a9", "a0, b0, a-log, p, root"}},
	{"an unknown topic", []string{header, strings.Replace(created, `"t"`, `"u"`, 1)}, 2, []string{`"u`, "t, t-2"}},
	{"a partition of a topic without partitions", []string{header, `{"us":1,"kind":"replica-removed","node":"a0","partition":"t-0"}`}, 2, []string{"topic-created"}},
	{"a partition that there is not", []string{header, created, `{"us":1,"kind":"replica-removed","node":"a0","partition":"t-2"}`}, 3, []string{"t-2", "2 partitions so far", "0 to 1"}},
	{"a word that there is not", []string{header, created, `{"us":1,"kind":"crashed","node":"a0","cause":"fire"}`}, 3, []string{"fire", "process-crash, power-loss"}},
	{"no truth value", []string{header, created, `{"us":1,"kind":"link-set","node":"a0","to":"b0","up":1,"delay_us":0}`}, 3, []string{"true, false"}},
	{"no digest", []string{header, created, `{"us":1,"kind":"recovered","node":"a0","partition":"t-0","log_start":0,"log_end":0,"digest":"0"}`}, 3, []string{"16 hexadecimal digits"}},
	{"a set with a client", []string{header, created, `{"us":1,"kind":"partition-changed","node":"a-log","partition":"t-0","leader":"a0","leader_epoch":0,"partition_epoch":0,"isr":["p"],"replicas":["a0"],"cause":"created"}`}, 3,
		[]string{"isr", "accepted: a0, b0"}},
	{"a value that the config has not", []string{header, created, `{"us":1,"kind":"config-changed","node":"a-log","topic":"t","config":"cleanup.policy","value":"burn"}`}, 3,
		[]string{"burn", "delete or compact"}},
	{"a batch without CRC", []string{header, created, appended(`"base_offset":0,"last_offset":0,"leader_epoch":0,"records":[[1,1]]`)}, 3, []string{"crc"}},
	{"a batch with an unknown field", []string{header, created, appended(`"base_offset":0,"last_offset":0,"leader_epoch":0,"crc":1,"record":[[1,1]]`)}, 3, []string{"/record", "records"}},
	{"a batch that ends before it begins", []string{header, created, appended(`"base_offset":1,"last_offset":0,"leader_epoch":0,"crc":1,"records":[]`)}, 3, []string{"from 1 to 0"}},
	{"a batch without its records", []string{header, created, appended(`"base_offset":0,"last_offset":1,"leader_epoch":0,"crc":1,"records":[[1,1]]`)}, 3, []string{"1 record;", "accepted: 2"}},
	{"a batch of very many offsets", []string{header, created, appended(`"base_offset":0,"last_offset":9007199254740992,"leader_epoch":0,"crc":1`)}, 3, []string{"cannot stand"}},
	{"deltas outside", []string{header, created, appended(`"base_offset":0,"last_offset":1,"leader_epoch":0,"crc":1,"deltas":[2],"records":[[1,1]]`)}, 3, []string{"deltas", "0 to 1"}},
	{"a marker of two offsets", []string{header, created, appended(`"base_offset":0,"last_offset":1,"leader_epoch":0,"crc":1,"control":"abort"`)}, 3, []string{"control batch"}},
	{"a state of no partition", []string{header, created, appended(`"base_offset":0,"last_offset":0,"leader_epoch":0,"crc":1,"states":[{"entry":"state","mirror":"m","partition":"t-9","life":1,"state":"PAUSED"}]`)}, 3,
		[]string{"a record's partition"}},
	{"a second phase twice", []string{header, created, `{"us":2,"kind":"second-phase-over","core":["a0"],"bound_us":1}`, `{"us":2,"kind":"second-phase-over","core":["a0"],"bound_us":1}`}, 4, []string{"over already"}},
	{"a second phase without a core", []string{header, `{"us":2,"kind":"second-phase-over","bound_us":1}`}, 2, []string{`"core"`, "missing"}},
	{"an end with events missing", []string{header, created, `{"us":2,"kind":"end","events":2}`}, 3, []string{"there is 1 event before"}},
	{"something behind the end", []string{header, created, `{"us":2,"kind":"end","events":1}`, created}, 4, []string{"behind the end"}},
	{"a line that is too long", []string{header, created, `{"us":2,"kind":"` + strings.Repeat("x", maxLine) + `"}`}, 3, []string{"too long"}},
}

// TestRefused: a line that is not accepted is named, with what would be accepted.
func TestRefused(t *testing.T) {
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := read(c.lines...)
			var x *format.SyntaxError
			if !errors.As(err, &x) {
				t.Fatalf("it is accepted: %v", err)
			}
			if x.File != "h.jsonl" || x.Line != c.line {
				t.Errorf("%s:%d, want line %d: %v", x.File, x.Line, c.line, x)
			}
			for _, w := range c.want {
				if !strings.Contains(x.Error(), w) {
					t.Errorf("the message lacks %q: %v", w, x)
				}
			}
		})
	}
}

// TestRead: what is left out is none, the order of fields does not matter, and brokers come first among the nodes.
func TestRead(t *testing.T) {
	got, r, err := read(header, created,
		`{"partition":"t-1","kind":"became-follower","leader_epoch":3,"node":"a0","us":5}`,
		`{"us":5,"kind":"admin-called","node":"root","op":7,"cluster":"B","request":"StopMirrorTopics","topic":"t-2","mirror":"m"}`,
		`{"us":6,"kind":"acl-changed","node":"a-log","acl":"topic:new bob write deny","added":true}`)
	if err != io.EOF || r.Ended() {
		t.Fatal(err)
	}
	const a0, aLog, root id.Node = 0, 2, 4
	want := []event.Event{
		{Index: 0, At: 1, Kind: event.TopicCreated, Node: aLog, Peer: id.None, Partition: id.Partition{Topic: 1}, Sequence: 2, To: 1},
		{Index: 1, At: 5, Kind: event.BecameFollower, Node: a0, Peer: id.None, Partition: id.Partition{Topic: 1, Index: 1}, LeaderEpoch: 3},
		{Index: 2, At: 5, Kind: event.AdminCalled, Node: root, Peer: id.None, Partition: id.Partition{Topic: id.NewTopic(1, 1)}, Mirror: 1, Op: 7, From: 1, To: 1},
		{Index: 3, At: 6, Kind: event.AclChanged, Node: aLog, Peer: id.None, To: 1, Digest: got[3].Digest},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if name := r.Topology().Names.Acl(got[3].Digest); name != "topic:new bob write deny" {
		t.Errorf("the ACL is called %q", name)
	}
}

// TestUnknownKinds: they are counted, and take an index each; beyond 32 they are counted together.
func TestUnknownKinds(t *testing.T) {
	lines := []string{header, `{"us":1,"kind":"gossip","what":[{}]}`, created, `{"us":1,"kind":"gossip"}`}
	got, r, err := read(lines...)
	if err != io.EOF || len(got) != 1 || got[0].Index != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	if d := cmp.Diff([]Unknown{{"gossip", 2}}, r.Unknown()); d != "" {
		t.Error(d)
	}
	for n := range 100 {
		lines = append(lines, `{"us":1,"kind":"`+strings.Repeat("y", n+1)+`"}`)
	}
	if _, r, err = read(lines...); err != io.EOF || len(r.Unknown()) != 33 || r.Unknown()[32] != (Unknown{"other kinds", 69}) {
		t.Errorf("%v, %v", r.Unknown(), err)
	}
}

// rewrite reads a history and writes it again.
func rewrite(src []byte) ([]byte, error) {
	r, err := NewReader("h.jsonl", bytes.NewReader(src))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w, t := NewWriter(&out, r.About()), r.Topology()
	w.Begin(&t, r.names.role)
	for {
		l, err := r.Next()
		switch {
		case err == io.EOF:
			return out.Bytes(), w.Close()
		case err != nil:
			return out.Bytes(), err
		case l.Event != nil:
			w.Event(l.Event)
		case l.Live != nil:
			w.Live(r.now, l.Live.Core, l.Live.Bound, l.Live.Waits)
		case l.End != nil:
			w.End(r.now, l.End.Assertion)
		}
		if err := w.Close(); err != nil {
			return nil, errors.New("what was read cannot be written: " + err.Error())
		}
	}
}

// FuzzHistoryParse: no input makes the reader panic; what it refuses it refuses with its line; and what it reads is written so that
// it is read, and written, the same again.
func FuzzHistoryParse(f *testing.F) {
	real, err := os.ReadFile("testdata/f4.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	lines := bytes.SplitAfter(real, []byte("\n"))
	var begin [][]byte // the header, and the topics whose partitions the other lines name
	for i, l := range lines {
		if i == 0 || bytes.Contains(l, []byte(`"topic-created"`)) {
			begin = append(begin, l)
		}
	}
	for at := len(begin); at < len(lines)-12; at += 20 {
		f.Add(bytes.Join(append(slices.Clone(begin), lines[at:at+8]...), nil))
	}
	f.Add([]byte(header + "\n" + created + "\n" + `{"us":9,"kind":"second-phase-over","core":["a0"],"bound_us":1,"waits":["a0 says: no"]}` +
		"\n" + `{"us":9,"kind":"end","events":1,"assertion":"x"}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		once, err := rewrite(src)
		var syntax *format.SyntaxError
		if err != nil && (!errors.As(err, &syntax) || syntax.Line < 1 || syntax.Message == "") {
			t.Fatal(err)
		}
		if len(once) == 0 || bytes.Contains(src, []byte(`"kind"`)) && bytes.Count(once, []byte("\n")) < 2 {
			return
		}
		twice, err := rewrite(once)
		if err != nil && !errors.As(err, &syntax) || !bytes.Equal(once, twice) {
			t.Errorf("%v: it is written\n%s\nand then\n%s", err, once, twice)
		}
	})
}
