package protocol

import "strings"

// Preset is a revision: a named set of choices, and where each comes from.
type Preset struct {
	Name    string
	Doc     string
	Base    string   // the revision that it changes; "" when Changes has every decision, in the order of their numbers
	Names   Naming   // what it calls things; a revision with a base has that of its base
	Changes []Change // what it chooses
}

// Change is one choice of a revision.
type Change struct {
	Decision string // the id, such as "D22"
	Token    string
	Mark     Mark
	Reason   string // why, in a sentence; "" where the mark is Said
}

// Mark says how a revision comes to a choice.
type Mark uint8

// The marks of section 12 of the design, and one for what is changed on purpose.
const (
	Said    Mark = iota // the revision's own text says so
	Reading             // the text is silent, and this is the design's reading
	Unasked             // the design chooses nothing, as nothing in this revision asks
	Changed             // it is chosen against the base, for the reason given
)

// String is the mark as the table of section 12 prints it: "", "*" or "–". A change has "+".
func (m Mark) String() string {
	switch m {
	case Reading:
		return "*"
	case Unasked:
		return "–"
	case Changed:
		return "+"
	}
	return ""
}

// Revisions are the named sets of choices, each after the one that it is based on. The caller owns the answer.
func Revisions() []Preset {
	older := published("add-remove", "the older seed (seed 000): AddTopicsToMirror and RemoveTopicsFromMirror", addRemove)
	older.Names = OlderNames
	return []Preset{
		older,
		published("start-stop", "the newer seed (seed 004): StartMirrorTopics and StopMirrorTopics", startStop),
		published("aligned", "the latest public design, KIP-1279, with LOG_ALIGNMENT", aligned),
		first(),
		hardened(),
	}
}

// Revision is the Config of the revision of that name. The error is an *UnknownError that lists the names.
func Revision(name string) (Config, error) {
	presets := Revisions()
	var names []string
	for _, p := range presets {
		if p.Name == name {
			return p.config(presets), nil
		}
		names = append(names, p.Name)
	}
	return Config{}, &UnknownError{Kind: "revision", Word: name, Want: names}
}

// config is p's choices over those of its base, which is one of presets.
func (p Preset) config(presets []Preset) Config {
	c := Config{Naming: p.Names}
	for _, base := range presets {
		if p.Base == base.Name {
			c = base.config(presets)
		}
	}
	for _, change := range p.Changes {
		if err := c.Set(change.Decision, change.Token); err != nil {
			panic("protocol: revision " + p.Name + ": " + err.Error()) // a wrong word in this file
		}
	}
	return c
}

// first is the revision that a run takes when none is named.
func first() Preset {
	return Preset{
		Name: "first",
		Doc:  "start-stop, with the choices under which the first failovers and failbacks hold",
		Base: "start-stop",
		Changes: []Change{
			{"D2", "log", Changed, "with leader a stop records the partition's leader epoch, which can be below the epochs of the " +
				"mirrored batches (the failback cuts and copies what is common) or above them (it keeps what is not)"},
			{"D5", "keep-first", Changed, "with overwrite a stop that runs again records the epoch of its own markers, and the old " +
				"source keeps at the failback what it never had in common"},
			{"D11", "truncate-or-recover", Changed, "with truncate a replica that is away comes back, and may be elected, with records " +
				"that the source's history never had, though the topic supports unclean elections; with fail-or-recover two failbacks " +
				"in five end in FAILED, as the last mirrored epoch does not tell where inside an epoch the logs differ; with any other " +
				"a mirror with an empty log passes over what a source that began anew has below its end"},
			{"D12", "source-then-isr-or-all", Changed, "with isr-or-all MIRRORING begins before what differs inside the last common " +
				"epoch is cut, and a stop right then keeps it"},
			{"D15", "fenced-exactly", Changed, "with unconstrained a consumer takes an epoch from the records that the cluster's metadata " +
				"do not know yet, and waits for metadata for ever (case E2); a mirror of this cluster takes its metadata for stale"},
			{"D16", "leader-epoch", Changed, "with none a write of a deposed leader that arrives late takes effect after one of " +
				"its successor (case S3)"},
			{"D19", "hw-and-epoch", Changed, "with none a group's offset comes to the destination before its records do, and after a stop right " +
				"then the group passes over what is written there (case O1); with leo the same after an election of a replica that lags; " +
				"with hw the source's offset may be of a history that the destination has not got, as after a failback to that source"},
			{"D20", "checked", Changed, "with unchecked a mirror that is started the other way while the first one runs cuts both " +
				"sides to nothing (case F7)"},
			{"D21", "producers-and-transactions", Changed, "with producers a replica may keep a transaction open of which its leader, whose " +
				"log was started anew at the source's log start, knows nothing: no ABORT comes for it, and if that replica leads its last " +
				"stable offset stays where it is"},
			{"D22", "latest-run-or-own", Changed, "a failback under another mirror name finds the position too; " +
				"same-name answers -1 there, and copies everything again (case F2); a mirror that is stopped and started again finds " +
				"what its own stop recorded, where the source knows only of an earlier one, or of none; not safe where the source's log " +
				"was deleted and replaced meanwhile"},
			{"D31", "all", Changed, "with no a group that went on at the old source resumes above the cut of the failback, and passes over what " +
				"the other side wrote; with synced so does one whose own commit stands there: epochs do not tell, as both sides use the same"},
			{"D32", "fenced", Changed, "with stops a commit of the mirror that is on its way at the stop puts a group back that has moved to the " +
				"destination meanwhile"},
			{"D33", "newest", Changed, "with out-of-range a mirror whose newest epoch is above all of its source's asks the same for " +
				"ever, and a follower drops its whole log; its own cluster can have written that epoch"},
			{"D41", "realign", Changed, "with fetch-only a replica that was away during alignment comes back with records of an " +
				"epoch that the new history uses for others"},
			{"D44", "log-start", Changed, "with none a group's offset may be out of range at the destination, where its reset policy may pass " +
				"over everything"},
			{"D46", "stopping", Changed, "with illegal a topic that is stopped before it began to mirror stays UNKNOWN, and refuses " +
				"clients for ever"},
			{"D49", "fail-over-records", Changed, "with minus-one a mirror that is started over a log which nobody ever mirrored drops its " +
				"records, and no failover accounts for them; the price is that a failback after DeleteMirror is refused as well"},
			{"D52", "forget", Changed, "with keep a leader that has cut its own log counts the log ends its followers had before " +
				"the cut, and raises the high watermark over records that they do not have (corpus leader-cut-kept)"},
		},
	}
}

// hardened is the revision under which every property is to hold within the fault budget.
func hardened() Preset {
	return Preset{
		Name: "hardened",
		Doc:  "first, with the choices under which every property is to hold within the fault budget",
		Base: "first",
		Changes: []Change{
			{"D1", "epoch-and-offset", Changed, "a second safeguard where D11 is truncate-or-recover, as in first, which has an old source start " +
				"anew whose log start has passed the boundary; with epoch and any other D11 it is cut to that start, as its cache knows of " +
				"nothing below, and never gets what the new source has between the two (finding trimmed-beyond-the-boundary)"},
			{"D5", "keep-longest", Changed, "with keep-first, and with marker=epoch-and-offset beside it, a leader that was deposed before the " +
				"stop and mirrored on is elected in the stop with a record behind the kept offset, and the failback cuts that record although " +
				"both sides have it (finding position-below-the-next-leaders-log)"},
			{"D7", "own-era", Changed, "with above-log two clusters write different records under one epoch number: a mirror whose " +
				"source is aligned to a third cluster, or a log that was, goes by the number and keeps records that differ (findings " +
				"one-epoch-two-histories and own-position-of-a-gone-log)"},
			{"D37", "create-above", Changed, "with create a mirror that is deleted and started again has its topic id back and leader epochs " +
				"from 0 on; who knows a higher one of that id, a consumer or another mirror, waits for a leader for ever (finding " +
				"topic-id-that-comes-back)"},
			{"D47", "numbered", Changed, "with error an admin's request that comes twice takes effect twice: a start whose answer was lost, sent " +
				"again, undoes a stop that was accepted in between, and the promoted side is aligned to the old source (finding " +
				"start-that-undoes-a-stop)"},
			{"D40", "hw", Changed, "with leo a stop that runs again on a leader with a shorter log keeps an offset (D5) that this one " +
				"never mirrored (finding offset-of-records-of-one-replica)"},
		},
	}
}

// column is which revision of the table.
type column int

const (
	addRemove column = iota
	startStop
	aligned
)

// published is one column of the table of section 12 of the design.
func published(name, doc string, at column) Preset {
	p := Preset{Name: name, Doc: doc}
	for _, row := range table() {
		p.Changes = append(p.Changes, row.change(at))
	}
	return p
}

// row is one row of the table: a token for each column. A token that ends in "*" is a reading of the design where the
// text is silent. One that ends in "–" stands where the design has a dash, and why says why nothing asks there.
type row struct {
	id     string
	tokens [3]string
	why    string
}

func (r row) change(at column) Change {
	token := r.tokens[at]
	if word, ok := strings.CutSuffix(token, Reading.String()); ok {
		return Change{r.id, word, Reading, "the text is silent; the design reads it so"}
	}
	if word, ok := strings.CutSuffix(token, Unasked.String()); ok {
		return Change{r.id, word, Unasked, r.why}
	}
	return Change{r.id, token, Said, ""}
}

// table is section 12 of the design: what add-remove, start-stop and aligned choose. A dash takes the token of the
// neighbouring column, which is never asked for.
func table() []row {
	choose := func(id, addRemove, startStop, aligned string) row {
		return row{id: id, tokens: [3]string{addRemove, startStop, aligned}}
	}
	unasked := func(why string, r row) row { r.why = why; return r }
	return []row{
		choose("D1", "epoch", "epoch", "epoch-and-offset"),
		choose("D2", "log*", "leader", "cache"),
		choose("D3", "fetchers,bump,transactions,record,reset", "fetchers,record,bump,transactions,reset",
			"fetchers,record,bump,transactions,reset"),
		choose("D4", "truncate-to-lso", "abort", "abort"),
		choose("D5", "overwrite*", "overwrite*", "overwrite"),
		choose("D6", "await*", "await", "fire-and-forget"),
		choose("D7", "above-log", "above-log", "if-not-above"),
		choose("D8", "preserve", "preserve", "preserve"),
		choose("D9", "keep-and-reset", "keep-and-reset", "keep-and-reset"),
		choose("D10", "hw*", "hw*", "hw"),
		choose("D11", "truncate", "truncate*", "fail-or-recover"),
		choose("D12", "isr-or-all", "isr-or-all*", "isr-or-all"),
		choose("D13", "retry*", "retry*", "retry"),
		choose("D14", "keep-all", "keep-all*", "cut-all"),
		choose("D15", "unconstrained*", "unconstrained*", "fenced"),
		choose("D16", "leader-epoch-equal*", "none*", "leader-and-state-epoch"),
		choose("D17", "persist-first*", "persist-first*", "persist-first"),
		choose("D18", "mirroring", "any*", "mirroring-or-paused"),
		choose("D19", "none*", "none*", "leo"),
		choose("D20", "unchecked*", "unchecked*", "checked"),
		choose("D21", "producers", "producers", "producers"),
		choose("D22", "same-name*", "same-name*", "max"),
		choose("D23", "retry*", "retry*", "ignore"),
		choose("D24", "stop*", "stop*", "fail"),
		choose("D25", "refuse", "refuse", "drop"),
		choose("D26", "read-only*", "read-only*", "read-only"),
		choose("D27", "after-reset", "after-reset", "after-reset"),
		choose("D28", "metadata*", "metadata*", "metadata"),
		choose("D29", "after-commit*", "after-commit*", "after-commit"),
		choose("D30", "leo*", "leo*", "leo"),
		choose("D31", "no*", "no*", "no"),
		choose("D32", "stops*", "stops*", "stops"),
		choose("D33", "out-of-range*", "out-of-range*", "out-of-range"),
		choose("D34", "epoch-start*", "epoch-start*", "last-epoch"),
		choose("D35", "accept*", "accept*", "accept"),
		choose("D36", "failed*", "failed*", "failed"),
		choose("D37", "refuse", "create*", "create"),
		choose("D38", "error*", "error*", "ignore"),
		choose("D39", "as-state*", "as-state*", "none"),
		unasked("marker=epoch records no offset; leo, as in aligned, waits for nothing",
			choose("D40", "leo–", "leo–", "leo")),
		choose("D41", "fetch-only*", "fetch-only*", "fetch-only"),
		choose("D42", "error*", "error*", "error"),
		choose("D43", "floored*", "floored*", "floored"),
		choose("D44", "none*", "none*", "log-start"),
		choose("D45", "at-least*", "at-least*", "at-least"),
		choose("D46", "illegal*", "illegal*", "illegal"),
		choose("D47", "error", "error", "success"),
		choose("D48", "actual*", "actual*", "actual"),
		choose("D49", "minus-one", "minus-one*", "minus-one"),
		unasked("open-transactions=abort truncates nothing; at-once, as in add-remove, waits for nothing",
			choose("D50", "at-once*", "at-once–", "at-once–")),
		unasked("there are no patterns; mirroring, as in start-stop, stops fewer topics",
			choose("D51", "mirroring–", "mirroring", "mirroring-or-paused")),
		choose("D52", "keep*", "keep*", "keep"),
		choose("D53", "again*", "again*", "again"),
		choose("D54", "committed*", "committed*", "committed"),
	}
}
