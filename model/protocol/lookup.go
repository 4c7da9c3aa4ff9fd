package protocol

// LookupFailure is D13: what a failed position lookup means.
type LookupFailure uint8

// The options of D13.
const (
	FailureIsMinusOne LookupFailure = iota // as if there were no position: everything is copied again
	FailureIsRetried                       // PREPARING stays and asks again
)

func (LookupFailure) decision() Decision {
	return decide("D13", "lookup-failure", "a position lookup that fails, times out, or finds the coordinator loading",
		"both seeds are silent; section 6 of the design",
		option("minus-one", "counts as no position: everything is copied again"),
		option("retry", "is asked again, until there is an answer"))
}

// RetriesLookup is D13 (lookup-failure; section 6 of the design): true when a lookup that failed is asked again
// (retry), false when it counts as the answer -1 (minus-one).
func (c *Config) RetriesLookup() bool { return c.LookupFailure == FailureIsRetried }

// LookupAbove is D14: what alignment does with a last mirrored epoch above every local epoch.
type LookupAbove uint8

// The options of D14.
const (
	AboveCutsAll  LookupAbove = iota // truncate to 0
	AboveKeepsAll                    // truncate nothing
)

func (LookupAbove) decision() Decision {
	return decide("D14", "lookup-above", "a last mirrored epoch above every local epoch",
		"seed 000, Add, 7 (\"the first epoch beyond the LME\"); seed 004 is silent; section 6 of the design",
		option("cut-all", "everything is truncated and copied again"),
		option("keep-all", "nothing is truncated, as no local epoch is beyond it"))
}

// AboveKeepsAll is D14 (lookup-above; seed 000, Add, 7; section 6 of the design): true when alignment truncates nothing
// for a last mirrored epoch above every local one (keep-all), false when it truncates everything (cut-all).
func (c *Config) AboveKeepsAll() bool { return c.LookupAbove == AboveKeepsAll }

// LookupOver is D22: over which mirrors the answer to a position lookup is taken.
type LookupOver uint8

// The options of D22.
const (
	LookupSameName  LookupOver = iota // the mirror of the asker's mirror name only
	LookupMax                         // the greatest position of all mirrors whose source was the asker
	LookupLatestRun                   // the position of the highest run number among them
	LookupOwnToo                      // that, or what the asker has recorded itself when it stopped mirroring from there
)

func (LookupOver) decision() Decision {
	return decide("D22", "lookup-over", "the answer to a position lookup when several mirrors had the asker as source",
		"both seeds are silent; section 6 of the design",
		option("same-name", "the position of the mirror that has the asker's mirror name; -1 if there is none"),
		option("max", "the greatest position of all of them"),
		option("latest-run", "the position that has the highest run number"),
		option("latest-run-or-own", "that, or the position that the asker itself recorded when it last stopped mirroring from there, "+
			"where that is greater: not in the design"))
}

// LookupOver is D22 (lookup-over; section 6 of the design): over which mirrors the answer to a position lookup is
// taken.
func (c *Config) LookupOver() LookupOver { return c.LookupMirrors }

// LookupMissing is D49: what an answer without a row for the partition means.
type LookupMissing uint8

// The options of D49.
const (
	MissingIsMinusOne       LookupMissing = iota // no position: everything is copied again
	MissingFails                                 // the partition cannot go on; see D36
	MissingFailsOverRecords                      // it cannot where its log holds records
)

func (LookupMissing) decision() Decision {
	return decide("D49", "lookup-missing",
		"a lookup answered without a row for the partition, or a source that lacks the request",
		"seed 000, Add, 7 (\"if the source has no LME knowledge\"); seed 004 is silent; section 6 of the design",
		option("minus-one", "counts as no position: everything is copied again"),
		option("fail", "the partition cannot go on, as failure-state says"),
		option("fail-over-records", "it cannot where its own log holds records, which nobody may have mirrored; what a stop appends "+
			"are none: not in the design"))
}

// MissingRowFails is D49 (lookup-missing; seed 000, Add, 7; section 6 of the design): true when a partition whose
// lookup is answered without its row cannot go on (fail), false when the answer counts as -1 (minus-one). records says that
// its log holds a batch that no stop appends, which fail-over-records goes by.
func (c *Config) MissingRowFails(records bool) bool {
	return c.LookupMissing == MissingFails || records && c.LookupMissing == MissingFailsOverRecords
}
