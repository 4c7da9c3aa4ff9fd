package protocol

// PersistOrder is D17: the order of storing a state and acting on it.
type PersistOrder uint8

// The options of D17.
const (
	PersistFirst PersistOrder = iota // the action waits until the state is stored
	ActFirst                         // the action begins at once
)

func (PersistOrder) decision() Decision {
	return decide("D17", "persist-order", "the order of storing a state and acting on it",
		"seed 000, Add, 10 and seed 004, Pause, 6 (\"on each state change\"); section 3 of the design",
		option("persist-first", "the action runs once the coordinator has acknowledged the state"),
		option("act-first", "the action runs at once, while the state is written"))
}

// PersistsFirst is D17 (persist-order; seed 000, Add, 10; section 3 of the design): true when a state's action runs once
// the coordinator has acknowledged the state (persist-first), false when it runs at once (act-first).
func (c *Config) PersistsFirst() bool { return c.PersistOrder == PersistFirst }

// SourceDeleted is D24: the source topic is deleted.
type SourceDeleted uint8

// The options of D24.
const (
	DeletedStops SourceDeleted = iota // the topic is stopped
	DeletedFails                      // FAILED, not retryable
	DeletedStays                      // the partition keeps its state
)

func (SourceDeleted) decision() Decision {
	return decide("D24", "source-deleted", "the source topic is deleted",
		"both seeds are silent; sections 3 and 10 of the design",
		option("stop", "the topic is stopped and becomes writable"),
		option("fail", "the partition is FAILED, not retryable"),
		option("stay", "the partition keeps its state"))
}

// OnSourceDeleted is D24 (source-deleted; sections 3 and 10 of the design): what the destination leader does when the
// source's brokers do not know the topic any more.
func (c *Config) OnSourceDeleted() SourceDeleted { return c.SourceDeleted }

// UnknownState is D26: a leader that does not know the stored state yet.
type UnknownState uint8

// The options of D26.
const (
	UnknownReadOnly UnknownState = iota // refuses client writes
	UnknownWritable                     // accepts them
)

func (UnknownState) decision() Decision {
	return decide("D26", "unknown-state", "client writes at a leader that does not know the stored state yet",
		"seed 000, Remove, 5 (\"the read only flag is cleared\"); section 11 of the design",
		option("read-only", "READ_ONLY_TOPIC"),
		option("writable", "accepted"))
}

// UnknownIsWritable is D26 (unknown-state; seed 000, Remove, 5; section 11 of the design): true when a leader that
// does not know the stored state of a mirrored topic yet accepts client writes (writable), false when it refuses
// (read-only).
func (c *Config) UnknownIsWritable() bool { return c.UnknownState == UnknownWritable }

// StoppedWhen is D27: when STOPPED is stored.
type StoppedWhen uint8

// The options of D27.
const (
	StoppedAfterReset  StoppedWhen = iota // when the reset is acknowledged
	StoppedBeforeReset                    // right before the reset step
)

func (StoppedWhen) decision() Decision {
	return decide("D27", "stopped-when", "when STOPPED is stored",
		"seed 000, Remove, 5; seed 004, Stop, 6; section 7 of the design",
		option("after-reset", "when the reset is acknowledged"),
		option("before-reset", "right before the reset step"))
}

// StoppedAfterReset is D27 (stopped-when; seed 000, Remove, 5; seed 004, Stop, 6; section 7 of the design): true when
// STOPPED is stored once the reset is acknowledged (after-reset), false when right before the reset (before-reset).
func (c *Config) StoppedAfterReset() bool { return c.StoppedWhen == StoppedAfterReset }

// FailureState is D36: a partition that cannot go on.
type FailureState uint8

// The options of D36.
const (
	FailureIsFailed  FailureState = iota // FAILED
	FailureIsInPlace                     // it keeps its state
)

func (FailureState) decision() Decision {
	return decide("D36", "failure-state", "a partition that cannot go on",
		"both seeds are silent; section 3 of the design",
		option("failed", "it becomes FAILED, and is retried with exponential backoff"),
		option("in-place", "it keeps its state, and is retried with the same backoff"))
}

// FailureIsState is D36 (failure-state; section 3 of the design): true when a partition that cannot go on becomes FAILED
// (failed), false when it keeps its state (in-place). Both are retried with the same backoff.
func (c *Config) FailureIsState() bool { return c.FailureState == FailureIsFailed }

// UnknownStop is D46: a stop is desired while the stored state is UNKNOWN.
type UnknownStop uint8

// The options of D46.
const (
	UnknownStopIllegal UnknownStop = iota // it stays UNKNOWN
	UnknownStopStops                      // it goes to STOPPING
)

func (UnknownStop) decision() Decision {
	return decide("D46", "unknown-stop", "a stop that is desired while the state is UNKNOWN",
		"both seeds are silent; section 3 of the design",
		option("illegal", "the edge is illegal, and the state stays UNKNOWN"),
		option("stopping", "the partition goes to STOPPING"))
}

// StopsUnknown is D46 (unknown-stop; section 3 of the design): true when UNKNOWN goes to STOPPING where a stop is
// desired, and that edge is legal (stopping), false when the edge is illegal and the state stays (illegal).
func (c *Config) StopsUnknown() bool { return c.UnknownStop == UnknownStopStops }
