package coordinator

import (
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
)

// Row is one state of a mirrored partition: what the partition's leader does in it, what comes then, and over which edges
// the partition gets there (section 3 of the design). A self-edge is always legal and in no row.
type Row struct {
	State  record.State
	Action string
	Then   string
	Source string // of action and edges
	From   []Edge // in the order of the states
}

// Edge leads to the state of its Row.
type Edge struct {
	State record.State // from which it leads
	When  string       // what takes a partition over it
	Mark  string       // the decision that it depends on, such as "D46 unknown-stop=stopping"; empty if none
	// Unaware: only a leader that does not know of the state takes a partition over it, or one that loses its source in a moment to
	// which next to no run comes; no sweep is asked for it.
	Unaware bool

	only func(*protocol.Config) bool // nil: legal under every option
}

// Machine is the state machine of a mirrored partition, the one table that Legal, the pages and mirrorsim protocols
// --states share. The caller owns the answer.
func Machine() []Row {
	return append(mirroringRows(), stoppingRows()...)
}

const (
	ifFenced    = "D15 epoch-floor"
	ifRecovers  = "D11 divergence"
	ifFailed    = "D36 failure-state=failed"
	ifActsFirst = "D17 persist-order=act-first"
)

// mirroringRows are the states up to MIRRORING, and those that it leaves for and returns from.
func mirroringRows() []Row {
	return []Row{
		{State: record.Unknown, Action: "nothing is stored; the topic is read-only (D26 unknown-state)",
			Then: "PREPARING where mirroring or paused is desired", Source: "seed 000, Add, 6"},
		{State: record.Preparing,
			Action: "refuse while the reverse mirror is active (D20); look up the last mirrored position at the source; truncate the " +
				"log there; wait until the replicas have followed (D12, D30)",
			Then: "MIRRORING", Source: "seed 000, Add, 6 and 7",
			From: []Edge{
				{State: record.Unknown, When: "mirroring or paused is desired"},
				{State: record.Stopped, When: "mirroring or paused is desired again: a new run"},
				{State: record.Failed, When: "it failed from UNKNOWN or PREPARING, and is tried again or recovered"},
			}},
		{State: record.EpochFencing,
			Action: "remove the fetcher; refresh the source's metadata; have the controller raise the leader epoch to at least the " +
				"source's; wait until this broker's metadata show it",
			Then: "MIRRORING", Source: "section 5 of the design",
			From: []Edge{{State: record.Mirroring, When: "a fetched batch or the source's leader epoch is above the leader epoch",
				Mark: ifFenced}}},
		{State: record.UleRecovery,
			Action: "remove the fetcher; truncate where the source's history differs, of which D12 may have a leader that does not " +
				"know it ask; wait until all replicas have followed",
			Then: "MIRRORING", Source: "section 3 of the design",
			From: []Edge{{State: record.Mirroring, When: "the source's history differs, and the topic supports unclean elections",
				Mark: ifRecovers}}},
		{State: record.Mirroring, Action: "start the fetcher at the log end", Then: "stays", Source: "seed 000, Add, 8",
			From: []Edge{
				{State: record.Preparing, When: "the replicas have followed"},
				{State: record.EpochFencing, When: "the leader epoch shows in this broker's metadata", Mark: ifFenced},
				{State: record.UleRecovery, When: "all replicas have followed", Mark: ifRecovers},
				{State: record.Paused, When: "mirroring is desired again (resume): no truncation"},
				{State: record.Failed, When: "it failed from MIRRORING, EPOCH_FENCING, ULE_RECOVERY, PAUSING or PAUSED, and is tried " +
					"again or recovered"},
			}},
		{State: record.Pausing, Action: "remove the fetcher", Then: "PAUSED",
			Source: "seed 004, Pause, 3 and 4",
			From: []Edge{{State: record.Mirroring, When: "paused is desired; a pause that was accepted earlier is applied here",
				Mark: "D25 early-pause"}}},
		{State: record.Paused, Action: "stays read-only", Then: "stays", Source: "seed 004, Pause, 5 and Resume, 4",
			From: []Edge{{State: record.Pausing, When: "the fetcher is removed"}}},
	}
}

// stoppingRows are the states of the stop, and FAILED.
func stoppingRows() []Row {
	const stop = "stopped is desired"
	stopping := Row{State: record.Stopping, Action: "the stop sequence (D3): all steps in order, again from the first after a change of leader",
		Then: "STOPPED", Source: "seed 000, Remove, 3 and 4; seed 004, Stop, 4 and 5",
		From: []Edge{{State: record.Unknown, When: stop, Mark: "D46 unknown-stop=stopping", only: (*protocol.Config).StopsUnknown}}}
	failed := Row{State: record.Failed,
		Action: "store the reason, the attempts and the state that it failed from; try again after 1 s, doubling to 300 s, with 20 % " +
			"jitter, 100 times unless failure-attempts says otherwise, where the reason may pass by itself; PREPARING counts anew",
		Then: "by the rules, with the state that it failed from as the actual one", Source: "section 3 of the design"}
	for s := record.Preparing; s <= record.Failed; s++ {
		switch s {
		case record.Stopping, record.Stopped:
		case record.Failed:
			stopping.From = append(stopping.From, Edge{State: s, When: stop + ": D18 stop-from allows it, or had allowed it before the failure"})
		default:
			stopping.From = append(stopping.From, Edge{State: s, When: stop})
		}
	}
	for s := record.Unknown; s <= record.Stopping; s++ {
		e := Edge{State: s, When: "its action cannot go on", Mark: ifFailed}
		switch s {
		case record.Unknown:
			e.When, e.Mark = "PREPARING was begun before it was stored, and cannot go on", ifActsFirst
		case record.UleRecovery:
			e.When, e.Unaware = "the source is to be asked (D12) and cannot be, or a leader that has not heard of this state stores it", true
		case record.Pausing, record.Paused, record.Stopping:
			e.When, e.Unaware = "nothing that it does can fail: only a leader that has not heard of this state stores it", true
		}
		failed.From = append(failed.From, e)
	}
	return []Row{stopping,
		{State: record.Stopped, Action: "the topic is writable (D27 stopped-when)", Then: "PREPARING where mirroring or paused is desired",
			Source: "seed 000, Remove, 5; seed 004, Stop, 6",
			From:   []Edge{{State: record.Stopping, When: "the stop sequence is done"}}},
		failed}
}
