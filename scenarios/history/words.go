package history

import (
	"mirrorsim/model/event"
	"mirrorsim/model/point"
	"mirrorsim/model/protocol"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// The words of enumerated fields, by number. An empty word is no value.
var (
	crashWords  = wordsOf([]string{event.ProcessCrash: "process-crash", event.PowerLoss: "power-loss"})
	hinderWords = wordsOf([]string{event.Paused: "paused", event.SlowInputs: "slow-inputs", event.SlowAnswers: "slow-answers",
		event.DiskFull: "disk-full", event.DiskBroken: "disk-broken"})
	catchWords  = wordsOf([]string{event.Lost: "lost", event.Late: "late", event.Twice: "twice"})
	originWords = wordsOf([]string{event.FromClient: "client", event.FromMirror: "mirror", event.FromStop: "stop",
		event.FromLeader: "leader", event.FromInternal: "internal", event.FromCoordinator: "transaction-coordinator"})
	truncateWords = wordsOf([]string{event.Diverged: "diverged", event.AlignedToLME: "aligned",
		event.CutToLastStable: "cut-to-last-stable", event.BeyondLeader: "beyond-leader", event.RestartedAt: "restarted"})
	changeWords = wordsOf([]string{event.PartitionCreated: "created", event.CleanElection: "clean-election",
		event.UncleanElection: "unclean-election", event.NoLeader: "no-leader", event.EpochBump: "epoch-bump",
		event.IsrChange: "isr-change"})
	reportWords  = wordsOf([]string{event.ReportStopped: "stopped", event.ReportAligned: "aligned", event.ReportEnd: "end"})
	fetcherWords = wordsOf([]string{event.Follower: "follower", event.MirrorFetcher: "mirror-fetcher",
		event.Consumer: "consumer"})
	commitWords = wordsOf([]string{record.CommitMember: "member", record.CommitMirror: "mirror", record.CommitAdmin: "admin",
		record.CommitLower: "lowered"})
	entryWords   = wordsOf([]string{record.LastMirroredEpochs: "last-mirrored-position", record.MirrorPartitionState: "state"})
	controlWords = wordsOf([]string{record.Data: "data", record.Abort: "abort", record.Commit: "commit",
		record.MirrorPidReset: "reset"})
	flagWords = []string{"__mirror_state", "unclean", "mirror-unclean", "__transaction_state", "__consumer_offsets"} // by bit

	stateWords       = wordsOf(list(record.States, func(i int) string { return record.State(i).String() }))
	desiredWords     = wordsOf(list(int(record.WantStopped)+1, func(i int) string { return record.Desired(i).String() }))
	transactionWords = wordsOf(list(record.TransactionStates, func(i int) string { return record.TransactionState(i).String() }))
	configWords      = called("a topic config", record.ConfigNames())
	pointWords       = called("a point", list(point.Points, func(i int) string { return point.Point(i).String() }))
	stepWords        = wordsOf(until(func(i int) string { return protocol.Step(i).String() }))
	codeWords        = called("an error code", until(func(i int) string { return wire.Code(i).String() }))
	apiWords         = called("a request or response by its name in Kafka", list(len(wire.Messages()),
		func(i int) string { return wire.API(i).String() }))
	adminWords  = called("a request by its name in Kafka or the KIP", adminRequests())
	reasonWords = called("a reason", list(record.Reasons, reason))
)

// called is wordsOf a list that is too long for a page, by what it is of.
func called(what string, list []string) form {
	f := wordsOf(list)
	f.accepts = what
	return f
}

// list makes the words of numbers below n.
func list(n int, word func(int) string) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = word(i)
	}
	return words
}

// until makes the words of the numbers that have one.
func until(word func(int) string) []string {
	n := 0
	for n < 256 && word(n) != "?" {
		n++
	}
	return list(n, word)
}

// reason is the token of a reason; that of no reason is none.
func reason(i int) string {
	if record.Reason(i) == record.NoReason {
		return "none"
	}
	return record.Reason(i).Token()
}

// adminRequests are the words of admin-called: the mirror actions, and above them the other requests.
func adminRequests() []string {
	words := until(func(i int) string { return wire.MirrorAction(i).String() })
	for _, a := range wire.Messages()[len(words):] {
		word := ""
		if !a.Answer() {
			word = a.String()
		}
		words = append(words, word)
	}
	return words
}
