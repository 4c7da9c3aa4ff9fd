package protocol

// OpenTransactions is D4: what a stop does with the transactions that are open in the log.
type OpenTransactions uint8

// The options of D4.
const (
	TruncateToLSO OpenTransactions = iota // truncate the log to the last stable offset
	AbortOpen                             // append an ABORT marker for each
	LeaveOpen                             // nothing
)

func (OpenTransactions) decision() Decision {
	return decide("D4", "open-transactions", "the transactions that are open at the stop",
		"seed 000, Remove, 4.3; seed 004, Stop, 5.4; section 7 of the design",
		option("truncate-to-lso", "the log is truncated to the last stable offset, and the ISR follows"),
		option("abort", "an ABORT marker is appended for each, in ascending order of producer ids"),
		option("leave", "they stay open"))
}

// OpenTransactionsAtStop is D4 (open-transactions; seed 000, Remove, 4.3; seed 004, Stop, 5.4; section 7 of the
// design): what the transactions step of the stop does.
func (c *Config) OpenTransactionsAtStop() OpenTransactions { return c.StopTransactions }

// LSOMoment is D50: which last stable offset a stop truncates to.
type LSOMoment uint8

// The options of D50.
const (
	LSOAtOnce     LSOMoment = iota // the present one, which is at most the present HW
	LSOAfterDrain                  // the one after the high watermark has reached the log end offset
)

func (LSOMoment) decision() Decision {
	return decide("D50", "lso-moment", "which last stable offset open-transactions=truncate-to-lso means",
		"seed 000, Remove, 4.3; section 7 of the design",
		option("at-once", "the present one, at most the present HW"),
		option("after-drain", "the one that holds once HW = LEO, for which the stop waits"))
}

// CutAwaitsDrain is D50 (lso-moment; seed 000, Remove, 4.3; section 7 of the design): true when a stop that truncates
// to the last stable offset first waits until HW = LEO (after-drain), false when it truncates at once (at-once).
func (c *Config) CutAwaitsDrain() bool { return c.LSOMoment == LSOAfterDrain }

// AbortFailure is D23: what a stop does when the append of an ABORT marker fails.
type AbortFailure uint8

// The options of D23.
const (
	AbortIgnored AbortFailure = iota // it goes on, and the transaction stays open
	AbortRetried                     // it appends again, and goes on once that succeeds
)

func (AbortFailure) decision() Decision {
	return decide("D23", "abort-failure", "the append of an ABORT marker fails during the stop",
		"both seeds are silent; section 7 of the design",
		option("ignore", "the stop goes on, and the transaction stays open"),
		option("retry", "it is appended again before the stop goes on"))
}

// RetriesAbort is D23 (abort-failure; section 7 of the design): true when an ABORT append that failed is done again
// before the stop goes on (retry), false when the stop goes on without it (ignore).
func (c *Config) RetriesAbort() bool { return c.AbortFailure == AbortRetried }

// ProducerIDs is D9: what becomes of the producer ids of mirrored batches.
type ProducerIDs uint8

// The options of D9.
const (
	IDsKeptAndReset ProducerIDs = iota // kept, and the stop appends MIRROR_PID_RESET
	IDsKept                            // kept, and the stop appends no reset
	IDsNegative                        // mapped below -1, where there is no producer state; no reset
)

func (ProducerIDs) decision() Decision {
	return decide("D9", "producer-ids", "the producer ids of mirrored batches",
		"seed 000, Remove, 4.5; seed 004, Stop, 5.5; section 7 of the design",
		option("keep-and-reset", "kept, and the stop appends MIRROR_PID_RESET"),
		option("keep", "kept, and the stop appends no reset"),
		option("map-negative", "an id >= 0 becomes -(id+2), a negative one stays; no producer state, hence no reset"))
}

// MirroredProducer is D9 (producer-ids; seed 000, Remove, 4.5; seed 004, Stop, 5.5; section 7 of the design): the
// producer id under which a batch of producer id is appended at the destination, and whether the stop appends
// MIRROR_PID_RESET. keep-and-reset: id and true. keep: id and false. map-negative: -(id+2) for an id of at least 0, a
// negative one stays, and false, as such batches have no producer state.
func (c *Config) MirroredProducer(id int64) (mapped int64, reset bool) {
	switch c.ProducerIDs {
	case IDsKeptAndReset:
		return id, true
	case IDsNegative:
		if id >= 0 {
			return -(id + 2), false
		}
	}
	return id, false
}

// ResetScope is D21: what MIRROR_PID_RESET clears.
type ResetScope uint8

// The options of D21.
const (
	ResetProducers                ResetScope = iota // the producer entries
	ResetProducersAndTransactions                   // the open transactions too
)

func (ResetScope) decision() Decision {
	return decide("D21", "reset-scope", "what MIRROR_PID_RESET clears on a replica",
		"seed 000, Remove, 4.5; seed 004, Stop, 5.5; section 7 of the design",
		option("producers", "the producer entries; a transaction that is open still holds the LSO"),
		option("producers-and-transactions", "the producer entries and the open transactions"))
}

// ResetClearsTransactions is D21 (reset-scope; seed 000, Remove, 4.5; seed 004, Stop, 5.5; section 7 of the design):
// true when a reset clears open transactions too (producers-and-transactions), false when it leaves them (producers).
func (c *Config) ResetClearsTransactions() bool { return c.ResetScope == ResetProducersAndTransactions }

// ResetRerun is D53: whether a stop whose steps run again appends a second reset.
type ResetRerun uint8

// The options of D53.
const (
	ResetAgain   ResetRerun = iota // yes
	ResetSkipped                   // not where the newest batch is a reset
)

func (ResetRerun) decision() Decision {
	return decide("D53", "reset-rerun", "the reset when STOPPING runs again after a crash or a leader change",
		"both seeds are silent; section 7 of the design",
		option("again", "it is appended again"),
		option("skip-if-last-batch-is-reset", "it is not appended where the newest batch is a reset"))
}

// ResetsAgain is D53 (reset-rerun; section 7 of the design): whether the reset step of a stop whose steps run again
// appends a reset. lastIsReset says that the newest batch of the log is one. again: always.
// skip-if-last-batch-is-reset: only where it is not.
func (c *Config) ResetsAgain(lastIsReset bool) bool {
	return c.ResetRerun == ResetAgain || !lastIsReset
}

// UnknownProducer is D35: the first batch of a producer that the partition does not know, with a sequence above 0.
type UnknownProducer uint8

// The options of D35.
const (
	AcceptUnknown   UnknownProducer = iota // accepted, as in Kafka since 2.5
	AcceptUnlessNew                        // accepted, unless the log has never had a batch
	RejectUnknown                          // UNKNOWN_PRODUCER_ID
)

func (UnknownProducer) decision() Decision {
	return decide("D35", "unknown-producer",
		"the first batch of a producer the partition does not know, with a sequence above 0",
		"both seeds are silent; section 4 of the design",
		option("accept", "it is accepted, as in Kafka since 2.5"),
		option("accept-unless-log-never-used", "it is accepted, unless the log has never had a batch"),
		option("reject", "UNKNOWN_PRODUCER_ID"))
}

// UnknownProducer is D35 (unknown-producer; section 4 of the design): what a leader answers to the first batch of a
// producer that the partition does not know, when its sequence is not 0.
func (c *Config) UnknownProducer() UnknownProducer { return c.FirstBatch }
