package format

import (
	"errors"
	"strings"
	"testing"

	"mirrorsim/faults"
)

// head is a topology for one bad line after it.
const head = `scenario x
cluster A brokers=2
cluster B brokers=3
topic t on A partitions=2 replicas=2
topic t on B partitions=1 replicas=2 id-of=A
client p producer on A
client q producer on A plain
client r consumer on B
client tx transactional on A
mirror m from A to B
mirror m from B to A
mirror n from A to B
produce p A/t-0 1
`

func TestMalformedFiles(t *testing.T) {
	table := []struct{ name, text, want string }{
		{"nothing", "", `x.scn:1: the file has no scenario statement; accepted: scenario NAME`},
		{"no scenario first", "# story\ncluster A brokers=2", `x.scn:2: "cluster": a file begins with its scenario statement; accepted: scenario NAME`},
		{"no name", "scenario", `x.scn:1: the line ends too early; accepted: a name for the scenario`},
		{"bad name", "scenario a/b", `x.scn:1: "a/b": not a name; accepted: 1 to 249 letters, digits, '.', '_' or '-', but not '.' or '..'`},
		{"two scenarios", "scenario a\nscenario b", `x.scn:2: "scenario": a file holds one scenario`},
		{"revision", "scenario a\nprotocol frist", `x.scn:2: "frist": unknown revision; accepted: add-remove, start-stop, aligned, first, hardened`},
		{"two revisions", "scenario a\nprotocol first\nprotocol first", `x.scn:3: "protocol": the file has a protocol statement already`},
		{"option of a decision", "scenario a\nset marker=ofset", `x.scn:2: "marker=ofset": unknown option; accepted: none, offset, epoch, epoch-and-offset`},
		{"form of set", "scenario a\nset marker", `x.scn:2: "marker": not of the form DECISION=OPTION; accepted: DECISION=OPTION`},
		{"decision twice", "scenario a\nset marker=none\nset d1=epoch", `x.scn:3: "d1": this decision is set already`},
		{"setting value", "scenario a\nsetting replica-lag=5", `x.scn:2: "replica-lag=5": setting replica-lag takes a time of 1us to 9007199254740992us, such as 500ms or 2s, not "5"`},
		{"setting twice", "scenario a\nsetting checkpoint=5s\nsetting checkpoint=6s", `x.scn:3: "checkpoint": this setting is set already`},
		{"cluster name", "scenario a\ncluster A1 brokers=2", `x.scn:2: "A1": not a name for a cluster; accepted: 1 to 16 letters, such as A`},
		{"cluster twice", "scenario a\ncluster A brokers=2\ncluster a brokers=2", `x.scn:3: "a": there is a cluster of this name already, and node names are in lower case`},
		{"cluster without brokers", "scenario a\ncluster A", `x.scn:2: a cluster needs its number of brokers; accepted: brokers=N`},
		{"option of cluster", "scenario a\ncluster A brokrs=2", `x.scn:2: "brokrs=2": unknown option of cluster, perhaps brokers=N is meant; accepted: brokers=N, controllers=N`},
		{"option twice", "scenario a\ncluster A brokers=2 brokers=2", `x.scn:2: "brokers=2": this option is given twice`},
		{"option without value", "scenario a\ncluster A brokers", `x.scn:2: "brokers": not the form of this option; accepted: brokers=N`},
		{"number of brokers", "scenario a\ncluster A brokers=17", `x.scn:2: "brokers=17": not a number that is accepted here; accepted: a whole number of 1 to 16`},
		{"topic on", "scenario a\ncluster A brokers=2\ntopic t at A", `x.scn:3: "at": unexpected word; accepted: on`},
		{"topic cluster", "scenario a\ncluster A brokers=2\ntopic t on C", `x.scn:3: "C": unknown cluster; accepted: A`},
		{"replicas", "scenario a\ncluster A brokers=2\ntopic t on A partitions=1 replicas=3", `x.scn:3: "replicas=3": more replicas than brokers in cluster A; accepted: replicas=1 to replicas=2`},
		{"min-isr", "scenario a\ncluster A brokers=2\ntopic t on A partitions=1 replicas=1 min-isr=2", `x.scn:3: "min-isr": min-isr is above the number of replicas; accepted: min-isr=1 to min-isr=1`},
		{"internal topic", "scenario a\ncluster A brokers=2\ntopic __x on A", `x.scn:3: "__x": names that begin with __ are for internal topics; accepted: another name, __mirror_state, __transaction_state, __consumer_offsets`},
		{"id-of", "scenario a\ncluster A brokers=2\ntopic t on A id-of=A", `x.scn:3: "id-of=A": there is no topic t on this cluster above`},
		{"assign", "scenario a\ncluster A brokers=2\ntopic t on A partitions=1 replicas=2 assign=a0,b1", `x.scn:3: "assign=a0,b1": brokers of cluster A, each once, are assigned; accepted: a0, a1`},
		{"client kind", "scenario a\ncluster A brokers=2\nclient p writer on A", `x.scn:3: "writer": unknown kind of client; accepted: producer, transactional, consumer, group`},
		{"client option", "scenario a\ncluster A brokers=2\nclient p producer on A plane", `x.scn:3: "plane": unknown option of a producer; accepted: idempotent, plain`},
		{"topic called on", "scenario a\ncluster A brokers=2\ntopic on on A", `x.scn:3: "on": this word ends the list of topics in a request; accepted: another name`},
		{"topic option", "scenario a\ncluster A brokers=2\ntopic t on A uncleen", `x.scn:3: "uncleen": unknown option of topic, perhaps unclean is meant; accepted: partitions=N, replicas=N, min-isr=N, id-of=CLUSTER, assign=BROKER,BROKER, unclean, mirror-unclean, remote-storage, absent`},
		{"internal topic on remote storage", "scenario a\ncluster A brokers=2\ntopic __mirror_state on A partitions=1 replicas=1 remote-storage", `x.scn:3: "__mirror_state": an internal topic is not mirrored, and stays on the brokers' disks`},
		{"client is a node", "scenario a\ncluster A brokers=2\nclient a1 producer on A", `x.scn:3: "a1": a client and a node of a cluster would both be called a1`},
		{"mirror option", "scenario a\ncluster A brokers=2\ncluster B brokers=2\nmirror m from A to B abscent", `x.scn:4: "abscent": unknown option of mirror, perhaps absent is meant; accepted: absent, include=PATTERN,PATTERN, exclude=PATTERN,PATTERN, groups=PATTERN,PATTERN, exclude-groups=PATTERN,PATTERN, exclude-configs=PATTERN,PATTERN, acls=TYPE:PATTERN,TYPE:PATTERN`},
		{"mirror twice", "scenario a\ncluster A brokers=2\ncluster B brokers=2\nmirror m from A to B\nmirror m from A to B", `x.scn:5: "m": cluster B has a mirror of this name already; accepted: another name, another destination`},
		{"error without a step", "scenario a\ncluster A brokers=2\nexpect error last=NONE", `x.scn:3: "last=NONE": there is no step above this line; accepted: a step with produce, move, commit, abort, leave, elect or a request`},
		{"internal topic absent", "scenario a\ncluster A brokers=2\ntopic __mirror_state on A partitions=1 replicas=1 absent", `x.scn:3: "absent": an internal topic is there from the beginning`},
		{"topic without a statement", strings.Replace(head, "topic t on B partitions=1 replicas=2 id-of=A\n", "", 1) + "create-topics t on B", `x.scn:13: "t": no topic statement says what this topic is like on cluster B`},
		{"config without a value", head + "config t on A retention.ms", `x.scn:14: "retention.ms": not of the form KEY=VALUE; accepted: KEY=VALUE, KEY=`},
		{"config of no topic", head + "config u on A retention.ms=1", `x.scn:14: "u": cluster A has no topic u; accepted: t`},
		{"config of two topics", head + "expect config t t on A retention.ms=1", `x.scn:14: "t": the request names this topic twice`},
		{"value of a config", head + "expect config t on A retention.ms=soon", `x.scn:14: "retention.ms=soon": not a value that the config takes; accepted: a whole number of at least -1`},
		{"acl without an operation", head + "acl add topic:t alice on A", `x.scn:14: "on": no ACL binding stands before on CLUSTER; accepted: TYPE:NAME PRINCIPAL OPERATION [deny]`},
		{"acl without a type", head + "acl add orders alice read on A", `x.scn:14: "orders": not a resource: its type, a colon, and its name; accepted: topic:NAME, group:NAME, mirror:NAME`},
		{"acl without a name", head + "acl add topic: alice read on A", `x.scn:14: "topic:": not a resource: its type, a colon, and its name; accepted: topic:NAME, group:NAME, mirror:NAME`},
		{"acl operation", head + "acl add topic:t alice reed on A", `x.scn:14: "reed": unknown operation of an ACL, perhaps read is meant; accepted: read, write, create, delete, alter, describe, all`},
		{"acl that denies", head + "expect acl topic:t alice read denied on A", `x.scn:14: "denied": unexpected word; accepted: deny, on CLUSTER`},
		{"acl with more", head + "acl add topic:t alice read deny all on A", `x.scn:14: "all": unexpected word; accepted: on CLUSTER`},
		{"mirror to itself", "scenario a\ncluster A brokers=2\ncluster B brokers=2\ncluster C brokers=2\nmirror m from B to B", `x.scn:5: "B": a mirror leads to another cluster; accepted: A, C`},
		{"too few assigned", "scenario a\ncluster A brokers=3\ntopic t on A partitions=1 replicas=2 assign=a1", `x.scn:3: "assign=a1": as many brokers are assigned as there are replicas; accepted: assign=a0,a1`},
		{"acl change", head + "acl set topic:t alice read on A", `x.scn:14: "set": unknown change of an ACL; accepted: add, remove`},
		{"acls of a mirror", "scenario a\ncluster A brokers=2\ncluster B brokers=2\nmirror m from A to B acls=cluster:x", `x.scn:4: "cluster:x": not a resource type, a colon, and a name or RE2 pattern; accepted: topic, group, mirror`},
		{"mirror pattern", "scenario a\ncluster A brokers=2\ncluster B brokers=2\nmirror m from A to B include=t,o(", `x.scn:4: "o(": not an RE2 pattern: error parsing regexp: missing closing ): ` + "`o(`"},
		{"mirror list", "scenario a\ncluster A brokers=2\ncluster B brokers=2\nmirror m from A to B exclude=t,,u", `x.scn:4: "exclude=t,,u": a list has entries between its commas, each once; accepted: ENTRY,ENTRY`},
		{"mirror suffix", "scenario a\ncluster A brokers=2\ncluster B brokers=2\nmirror m.stopped from A to B", `x.scn:4: "m.stopped": a mirror's name may not end in .stopped`},
		{"mirror to itself", "scenario a\ncluster A brokers=2\nmirror m from A to A", `x.scn:3: "A": a mirror leads to another cluster`},
		{"state topic of no mirror", "scenario a\ncluster A brokers=2\nexpect leo A/__mirror_state-0=0",
			`x.scn:3: "A/__mirror_state-0=0": cluster A has no topic __mirror_state`},
		{"transactions of nobody", "scenario a\ncluster A brokers=2\nexpect leo A/__transaction_state-0=0",
			`x.scn:3: "A/__transaction_state-0=0": cluster A has no topic __transaction_state`},
		{"partition of an internal topic", head + "elect A/__transaction_state-2",
			`x.scn:14: "A/__transaction_state-2": the topic has no such partition; accepted: 0 to 1`},
		{"topic in a step's reach", head + "topic u on A partitions=1 replicas=1", `x.scn:14: "topic": this statement stands before the first step and the first expectation`},
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) { refused(t, c.text, c.want) })
	}
}

func TestMalformedSteps(t *testing.T) {
	table := []struct{ text, want string }{
		{"prodce p A/t-0 1", `"prodce": unknown statement, perhaps produce is meant; accepted: ` + strings.Join(keywords(), ", ")},
		{"at 5 stop t in n", `"5": not a time; accepted: a whole number and us, ms, s, m or h, such as 500ms`},
		{"at 5s until quiet", `"until": unknown act; accepted: ` + strings.Join(actKeywords(), ", ")},
		{"produce", `the line ends too early; accepted: the name of a client`},
		{"produce s A/t-0 1", `"s": unknown client; accepted: p, q, tx`},
		{"produce r A/t-0 1", `"r": a consumer client cannot produce; accepted: p, q, tx`},
		{"produce p At-0 1", `"At-0": not a partition; accepted: CLUSTER/TOPIC-N, CLUSTER/TOPIC-N@BROKER`},
		{"produce p C/t-0 1", `"C/t-0": unknown cluster C; accepted: A, B`},
		{"produce p A/u-0 1", `"A/u-0": cluster A has no topic u; accepted: t`},
		{"produce p A/t-2 1", `"A/t-2": the topic has no such partition; accepted: 0 to 1`},
		{"produce p A/t-0@a0 1", `"A/t-0@a0": a replica is not accepted here; accepted: a partition without @`},
		{"produce p A/t-0 0", `"0": not a number that is accepted here; accepted: a whole number of 1 to 1000000`},
		{"produce p A/t-0 1 acks=2", `"acks=2": unknown number of acknowledgements; accepted: acks=0, acks=1, acks=all`},
		{"produce p A/t-0 1 now", `"now": unknown option of produce; accepted: acks=0|1|all, pid=N, batch=N`},
		{"produce q A/t-0 1 pid=3", `"pid=3": a plain producer has no producer id`},
		{"consume r B/t-0 reset=first", `"reset=first": unknown reset policy; accepted: reset=earliest, reset=latest, reset=none`},
		{"commit p", `"p": a producer client cannot commit; accepted: tx`},
		{"elect B/t-0 to=a0", `"to=a0": cluster B has no such broker; accepted: b0, b1, b2`},
		{"elect coordinator n A/t-0", `"A/t-0": the mirror leads to cluster B; accepted: B/t-0`},
		{"fault crsh b0", `"crsh": unknown kind of fault, perhaps crash is meant; accepted: ` + strings.Join(faults.Kinds(), ", ")},
		{"fault crash b3", `"b3": unknown node; accepted: a0, a1, b0, b1, b2, a-log, a-c0, b-log, b-c0, p, q, r, tx, a-admin, b-admin`},
		{"fault cut a0>c0", `"c0": unknown node or cluster; accepted: a0, a1, b0, b1, b2, a-log, a-c0, b-log, b-c0, p, q, r, tx, a-admin, b-admin, A, B`},
		{"fault cut A", `"A": unknown node; accepted: a0, a1, b0, b1, b2, a-log, a-c0, b-log, b-c0, p, q, r, tx, a-admin, b-admin`},
		{"fault crash leader A/t-9", `"A/t-9": the topic has no such partition; accepted: 0 to 1`},
		{"fault isolate a0", `"a0": unknown cluster; accepted: A, B`},
		{"fault heal C", `"C": unknown node or cluster; accepted: a0, a1, b0, b1, b2, a-log, a-c0, b-log, b-c0, p, q, r, tx, a-admin, b-admin, A, B`},
		{"fault pause A", `"A": unknown node; accepted: a0, a1, b0, b1, b2, a-log, a-c0, b-log, b-c0, p, q, r, tx, a-admin, b-admin`},
		{"fault stale a-log for 3s", `"a-log": no broker or controller; accepted: a0, a1, a-c0, b0, b1, b2, b-c0`},
		{"fault drop a0>c0 api=FetchRequest", `"c0": unknown node or cluster; accepted: a0, a1, b0, b1, b2, a-log, a-c0, b-log, b-c0, p, q, r, tx, a-admin, b-admin, A, B`},
		{"fault disk-full a-c0", `"a-c0": no broker; accepted: a0, a1, b0, b1, b2`},
		{"fault disk-error a0 B/t-0", `"B/t-0": the broker is of cluster A; accepted: A/t-0`},
		{"fault disk-error leader B/t-0 A/t-1", `"A/t-1": the broker is of cluster B; accepted: B/t-1`},
		{"fault move-controller A", `"A": not a cluster with more than one controller`},
		{"fault move-coordinator n A/t-0", `"A/t-0": the mirror leads to cluster B; accepted: B/t-0`},
		{"fault move-coordinator n B/t-0 to=a0", `"a0": cluster B has no such broker; accepted: b0, b1, b2`},
		{"fault crash a0 at-point state.stored on=c0", `"c0": unknown node; accepted: a0, a1, b0, b1, b2, a-log, a-c0, b-log, b-c0, p, q, r, tx, a-admin, b-admin`},
		{"fault crash a0 at-point state.stored on=leader A/t-9", `"A/t-9": the topic has no such partition; accepted: 0 to 1`},
		{"fault crash coordinator m B/t-0", `"m": more than one cluster has a mirror of this name; accepted: B/m, A/m`},
		{"create B/m from B", `"B": a mirror leads to another cluster; accepted: A`},
		{"create B/m from C", `"C": unknown cluster; accepted: A, B`},
		{"create B/m by A", `"by": unexpected word at the end of the line`},
		{"fault fence-producer p", `"p": not a client with a transactional id; accepted: tx`},
		{"fault fence-producer tx on C", `"C": unknown cluster; accepted: A, B`},
		{"fault repeat-request b0", `"b0": unknown cluster; accepted: A, B`},
		{"fault crash coordinator n A/t-0", `"A/t-0": the mirror leads to cluster B; accepted: B/t-0`},
		{"until stat B/t-0=MIRRORING", `"stat": unknown condition, perhaps state is meant; accepted: ` + strings.Join(conditionKeywords(), ", ")},
		{"until state B/t-0=MIRORING", `"B/t-0=MIRORING": unknown state; accepted: UNKNOWN, PREPARING, EPOCH_FENCING, ULE_RECOVERY, MIRRORING, PAUSING, PAUSED, STOPPING, STOPPED, FAILED`},
		{"until lag B/t-0", `"B/t-0": not of the form TP=N; accepted: TP=N`},
		{"until quiet within 0s", `"0s": a wait takes some time; accepted: a time above 0`},
		{"until quiet please", `"please": unexpected word at the end of the line`},
		{"until read p=3", `"p=3": a producer client cannot read; accepted: r`},
		{"repeat 1001", `"1001": not a number that is accepted here; accepted: a whole number of 1 to 1000`},
		{"repeat 2", `"repeat": this repeat has no end; accepted: end`},
		{"end", `"end": there is no repeat to end; accepted: repeat N`},
		{"choose net-late 1 #0=1", `"net-late": unknown label; accepted: ` + strings.Join(labels(), ", ")},
		{"choose net-drop 1 #0=0", `"#0=0": not a number that is accepted here; accepted: a whole number of 1 to 4294967295`},
		{"choose net-drop 1 0=1", `"0=1": not of the form #NTH=VALUE; accepted: #NTH=VALUE`},
	}
	for _, c := range table {
		t.Run(c.text, func(t *testing.T) { refused(t, head+c.text+"\n", "x.scn:14: "+c.want) })
	}
}

func TestMalformedWrong(t *testing.T) {
	table := []struct{ text, want string }{
		{"wrong marker=none violates convergence", `"marker=none": unknown kind of change; accepted: set, protocol, defect`},
		{"wrong protocol newest violates convergence",
			`"newest": unknown revision; accepted: add-remove, start-stop, aligned, first, hardened`},
		{"wrong protocol aligned violates convergence mended marker=none", `"marker=none": unexpected word; accepted: set`},
		{"wrong protocol aligned violates convergence mended set marker=none set D1=epoch",
			`"D1": this decision is set twice`},
		{"wrong set marker=none violates convergence mended set marker=epoch",
			`"mended": unexpected word at the end of the line`},
		{"wrong set marker=none set D1=epoch violates convergence", `"D1": this decision is set twice`},
		{"wrong defect x breaks convergence", `"breaks": unexpected word; accepted: violates`},
	}
	for _, c := range table {
		t.Run(c.text, func(t *testing.T) { refused(t, head+c.text+"\n", "x.scn:14: "+c.want) })
	}
}

func TestMalformedRequests(t *testing.T) {
	table := []struct{ text, want string }{
		{"start t", `the line ends too early; accepted: in MIRROR`},
		{"start in n", `"in": the request names no topic; accepted: t`},
		{"start u in n", `"u": neither end of the mirror has this topic; accepted: t`},
		{"stop t t in n", `"t": the request names this topic twice`},
		{"start t in o", `"o": unknown mirror; accepted: B/m, A/m, B/n`},
		{"start t in m", `"m": more than one cluster has a mirror of this name; accepted: B/m, A/m`},
		{"stop in n pattern=", `"pattern=": not the form of this option; accepted: pattern=PATTERN,PATTERN`},
		{"stop in n pattern=a,a", `"pattern=a,a": a list has entries between its commas, each once; accepted: ENTRY,ENTRY`},
		{"stop in n pattern=(", "\"(\": not an RE2 pattern: error parsing regexp: missing closing ): `(`"},
		{"stop in n", `"in": the request names no topic; accepted: t`},
		{"pause t in n pattern=t", `"pattern=t": unexpected word at the end of the line`},
		{"create o", `"o": unknown mirror; accepted: B/m, A/m, B/n`},
		{"delete m", `"m": more than one cluster has a mirror of this name; accepted: B/m, A/m`},
		{"describe B/t-0", `the line ends too early; accepted: in`},
		{"describe A/t-0 in n", `"A/t-0": the mirror leads to cluster B; accepted: B/t-0`},
		{"delete-topics on B", `"on": the request names no topic; accepted: t`},
		{"delete-topics t u on B", `"u": cluster B has no topic u; accepted: t`},
		{"delete-topics t t on B", `"t": the request names this topic twice`},
		{"delete-topics t in B", `the line ends too early; accepted: on CLUSTER`},
		{"create-partitions t on B", `the line ends too early; accepted: an option`},
		{"create-partitions t on B partitions=0", `"partitions=0": not a number that is accepted here; accepted: a whole number of 1 to 1000`},
		{"delete-records A/t-0 upto=3", `"upto=3": unknown option of delete-records; accepted: before=N`},
		{"compact A/t-0 keep=3,1", `"keep=3,1": the offsets do not rise`},
		{"compact A/t-0 keep=a", `"keep=a": not a number that is accepted here; accepted: a whole number of 0 to 9007199254740992`},
		{"retention A/t-0", `the line ends too early; accepted: an option`},
		{"retention A/t-0 before=0", `"before=0": not a number that is accepted here; accepted: a whole number of 1 to 9007199254740992`},
		{"retention B/__mirror_state-0 before=1", `"B/__mirror_state-0": an internal topic is compacted: nothing is deleted from it by age`},
		{"produce tx A/t-0 1 acks=1", `"acks=1": a transactional producer waits for all in-sync replicas; accepted: acks=all`},
		{"move tx A/t-0 to B/t-0", `"tx": a transactional client cannot move; accepted: p, q`},
		{"move p A/t-0 to A/t-0", `"A/t-0": a producer moves to another cluster`},
		{"move p A/t-1 to B/t-0", `"B/t-0": not the same partition, by topic id and index, as A/t-1`},
		{"commit tx at B", `"at": unexpected word at the end of the line`},
		{"abort tx on C", `"C": unknown cluster; accepted: A, B`},
	}
	for _, c := range table {
		t.Run(c.text, func(t *testing.T) { refused(t, head+c.text+"\n", "x.scn:14: "+c.want) })
	}
}

func TestMalformedExpectations(t *testing.T) {
	table := []struct{ text, want string }{
		{"expect leos A/t-0=1", `"leos": unknown expectation, perhaps leo is meant; accepted: ` + strings.Join(expectKeywords(), ", ")},
		{"expect leo A/t-0@a7=1", `"A/t-0@a7=1": cluster A has no broker a7; accepted: a0, a1`},
		{"expect leo A/t-0=1 on-schedule wild", `"wild": unexpected word; accepted: calm`},
		{"expect log A/t-0=0-2", `"0-2": not a run of a log; accepted: FIRST-LAST@EPOCH, [FIRST-LAST]@EPOCH, OFFSET:reset|abort|commit@EPOCH, empty`},
		{"expect log A/t-0=2-0@0", `"2-0@0": not a number that is accepted here; accepted: a whole number of 2 to 9007199254740992`},
		{"expect log A/t-0=0:rest@0", `"0:rest@0": unknown control batch; accepted: reset, abort, commit`},
		{"expect log A/t-0=0@1 1@0", `"1@0": offsets rise from run to run, and epochs do not fall`},
		{"expect epoch A/t-0", `"A/t-0": not a comparison; accepted: TP=N, TP!=N, TP<N, TP<=N, TP>N, TP>=N`},
		{"expect error 1=READONLY", `"1=READONLY": unknown error code; accepted: ` + strings.Join(codeNames(), ", ")},
		{"expect error 2=NONE", `"2=NONE": not a number that is accepted here; accepted: a whole number of 1 to 1`},
		{"expect error 1/t=NONE", `"1/t=NONE": step 1 has no result for topic t`},
		{"expect described B/t-0", `nothing is expected of the description; accepted: desired=DESIRED, state=STATE, reason=REASON, attempts=N, lag=N|unknown, position=N`},
		{"expect described A/t-0 in n lag=0", `"A/t-0": the mirror leads to cluster B; accepted: B/t-0`},
		{"expect described B/t-0 desired=on", `"desired=on": unknown desired state; accepted: none, mirroring, paused, stopped`},
		{"expect described B/t-0 lag=0 lag=1", `"lag=1": this option is given twice`},
		{"expect described B/t-0 lag=none", `"lag=none": not a number that is accepted here; accepted: a whole number of -9007199254740992 to 9007199254740992`},
		{"expect reason B/t-0=deleted", `"B/t-0=deleted": unknown reason; accepted: none, source-unreachable, corrupt-batch, stale-source, storage-error, source-deleted, source-replaced, remote-storage, source-diverged, reverse-active, position-missing, partition-missing`},
		{"expect leader B/t-0=a0", `"B/t-0=a0": cluster B has no such broker; accepted: b0, b1, b2, none`},
		{"expect reads p=1", `"p=1": a producer client cannot read; accepted: r`},
		{"expect holds truth", `"truth": unknown property; accepted: ` + strings.Join(Properties(), ", ")},
		{"expect lost B/__mirror_state-2=0", `"B/__mirror_state-2=0": the topic has no such partition; accepted: 0 to 1`},
	}
	for _, c := range table {
		t.Run(c.text, func(t *testing.T) { refused(t, head+c.text+"\n", "x.scn:14: "+c.want) })
	}
}

func TestMalformedPhases(t *testing.T) {
	table := []struct{ text, want string }{
		{"until quiet or-go-on within 3s", `"within": unexpected word at the end of the line`},
		{"live core=a0,b3", `"core=a0,b3": no cluster has a broker b3; accepted: a0, a1, b0, b1, b2`},
		{"live core=", `"core=": no cluster has a broker ; accepted: a0, a1, b0, b1, b2`},
		{"live core=a0,a0", `"core=a0,a0": a broker is named twice`},
		{"live within 0s", `"0s": a phase takes some time; accepted: a time above 0`},
		{"live core=a0 a1", `"a1": unexpected word at the end of the line`},
	}
	for _, c := range table {
		t.Run(c.text, func(t *testing.T) { refused(t, head+c.text+"\n", "x.scn:14: "+c.want) })
	}
}

func TestMalformedBlocks(t *testing.T) {
	deep := strings.Repeat("repeat 2\n", 5)
	wide := "repeat 1000\nrepeat 1000\nproduce p A/t-0 1\n"
	table := []struct{ name, text, want string }{
		{"expectation in a repeat", "repeat 2\nexpect leo A/t-0=1\n", `x.scn:15: "expect": only steps stand in a repeat; accepted: end`},
		{"live in a repeat", "repeat 2\nlive\nend\n", `x.scn:15: "live": the second phase stands in no repeat; accepted: end`},
		{"step behind live", "live\nexpect leo A/t-0=1\nuntil quiet\n", `x.scn:16: "until": no step follows the second phase; accepted: expect, choose, wrong`},
		{"empty repeat", "repeat 2\nend\n", `x.scn:15: "end": this repeat has no steps; accepted: ` + strings.Join(actKeywords(), ", ")},
		{"too deep", deep, `x.scn:18: "repeat": repeats are at most 4 deep`},
		{"too many topics", "repeat 100\nrepeat 11\ncreate-topics t on A\n",
			`x.scn:16: "create-topics": with all repeats more than 1000 topics are created on cluster A`},
		{"too many", wide, `x.scn:16: "produce": with all repeats there are more than 100000 steps`},
		{"choice twice", "choose net-drop 1 #0=1\nchoose net-drop 1 #0=2\n", `x.scn:15: "#0=2": this choice is made already`},
		{"error of a wait", "until quiet\nexpect error last=NONE\n",
			`x.scn:15: "last=NONE": step 2 is until, which has no result; accepted: a step with produce, move, commit, abort, leave, elect or a request`},
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) { refused(t, head+c.text, c.want) })
	}
}

func TestUnknownKeysListAll(t *testing.T) {
	table := []struct{ text, word, want string }{
		{"set markr=none", "markr=none", "marker"},
		{"setting replica-lg=5s", "replica-lg", "replica-lag"},
	}
	for _, c := range table {
		_, err := Parse("x.scn", []byte("scenario x\n"+c.text))
		var e *SyntaxError
		if !errors.As(err, &e) || e.Line != 2 || e.Word != c.word || len(e.Want) < 10 || !strings.Contains(e.Error(), c.want) {
			t.Errorf("%s gives %v", c.text, err)
		}
	}
}

func refused(t *testing.T, text, want string) {
	t.Helper()
	_, err := Parse("x.scn", []byte(text))
	var e *SyntaxError
	if !errors.As(err, &e) {
		t.Fatalf("no syntax error but %v", err)
	}
	if e.Error() != want {
		t.Errorf("\ngot  %s\nwant %s", e, want)
	}
}
