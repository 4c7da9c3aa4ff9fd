package protocol

// StopFrom is D18: from which states a stop is accepted.
type StopFrom uint8

// The options of D18.
const (
	StopFromMirroring         StopFrom = iota // only while mirroring
	StopFromMirroringOrPaused                 // while mirroring or paused
	StopFromAny                               // always
)

func (StopFrom) decision() Decision {
	return decide("D18", "stop-from", "from which states a stop is accepted",
		"seed 000, Remove, 2; seed 004, Stop, 2 and 3; section 2 of the design",
		option("mirroring", "from MIRRORING"),
		option("mirroring-or-paused", "from MIRRORING and PAUSED"),
		option("any", "from every state"))
}

// StopAccepted is D18 (stop-from; seed 000, Remove, 2; section 2 of the design): whether a stop is accepted of a topic
// that is mirroring, or paused, by what D48 reads of it; neither is set in the states between.
func (c *Config) StopAccepted(mirroring, paused bool) bool {
	switch c.StopFrom {
	case StopFromMirroring:
		return mirroring
	case StopFromMirroringOrPaused:
		return mirroring || paused
	}
	return true
}

// ReverseCheck is D20: starting a mirror while the reverse one is not STOPPED.
type ReverseCheck uint8

// The options of D20.
const (
	ReverseUnchecked ReverseCheck = iota // not looked at
	ReverseChecked                       // refused, as is a loop
)

func (ReverseCheck) decision() Decision {
	return decide("D20", "reverse-check", "starting while the reverse mirror is not STOPPED, and loops",
		"both seeds are silent; sections 1 and 3 of the design",
		option("unchecked", "not looked at"),
		option("checked", "PREPARING does not go on before the reverse mirror is STOPPED"))
}

// ChecksReverse is D20 (reverse-check; section 3 of the design): true when PREPARING does not go on while the topic is
// mirrored the other way and not STOPPED (checked), false when it does not look (unchecked).
func (c *Config) ChecksReverse() bool { return c.ReverseCheck == ReverseChecked }

// EarlyPause is D25: a pause is asked before MIRRORING is reached, or between its times.
type EarlyPause uint8

// The options of D25.
const (
	EarlyPauseRefused EarlyPause = iota // at the request
	EarlyPauseDropped                   // accepted, never done
	EarlyPauseLater                     // done when MIRRORING is reached
)

func (EarlyPause) decision() Decision {
	return decide("D25", "early-pause", "a pause that is asked in PREPARING, EPOCH_FENCING or ULE_RECOVERY",
		"seed 004, Pause, 2; sections 2 and 3 of the design",
		option("refuse", "refused at the request"),
		option("drop", "accepted and never done"),
		option("apply-later", "done when the partition can be paused"))
}

// OnEarlyPause is D25 (early-pause; seed 004, Pause, 2; sections 2 and 3 of the design): what becomes of a pause that is
// asked while a partition is on its way to MIRRORING.
func (c *Config) OnEarlyPause() EarlyPause { return c.EarlyPause }

// StartTopic is D37: a started topic that the destination lacks.
type StartTopic uint8

// The options of D37.
const (
	StartRefuses      StartTopic = iota // UNKNOWN_TOPIC_OR_PARTITION
	StartCreates                        // it is created with the source's topic id
	StartCreatesAbove                   // so, and its leader epochs begin above all that the id has had in the cluster
)

func (StartTopic) decision() Decision {
	return decide("D37", "start-topic", "a started topic that the destination lacks",
		"seed 000, Add, 3 (\"each topic exists\"); seed 004 is silent; section 2 of the design",
		option("refuse", "UNKNOWN_TOPIC_OR_PARTITION"),
		option("create", "created with the source's topic id and partition count, replicated as the destination does"),
		option("create-above", "create, and where the cluster has had a topic of that id before, the leader epochs begin above all that "+
			"it had: the id stands for one topic to clients, and they believe no lower epoch: not in the design"))
}

// OnMissingTopic is D37 (start-topic; seed 000, Add, 3; section 2 of the design): what becomes of a started topic that the
// destination lacks.
func (c *Config) OnMissingTopic() StartTopic { return c.StartTopic }

// RepeatRequest is D47: a request for what is so already, or that was there already.
type RepeatRequest uint8

// The options of D47.
const (
	RepeatError    RepeatRequest = iota // an error that says so
	RepeatSuccess                       // success
	RepeatNumbered                      // an error, unless it is known by its number to be the same request
)

func (RepeatRequest) decision() Decision {
	return decide("D47", "repeat-request",
		"start of a mirroring topic, pause of a paused one, resume of a mirroring one",
		"seed 000, Add, 3; seed 004, Pause, 2 and Resume, 2; section 2 of the design",
		option("error", "TOPIC_ALREADY_IN_CLUSTER_MIRROR, MIRROR_TOPIC_ALREADY_PAUSED, MIRROR_TOPIC_NOT_PAUSED"),
		option("success", "success, and nothing changes"),
		option("numbered", "as error; but a request carries a number of its admin's, the same in every attempt, and the metadata log has the "+
			"newest one of each admin with what it changed, or found so: that one succeeds once more and changes nothing, and an older one is refused "+
			"(INVALID_REQUEST), however late it comes: not in the design"))
}

// OnRepeat is D47 (repeat-request; seed 000, Add, 3; seed 004, Pause, 2 and Resume, 2; section 2 of the design): what becomes of a
// request for what is so already, and whether the controller knows one that it has taken before.
func (c *Config) OnRepeat() RepeatRequest { return c.RepeatRequest }

// StateCheck is D48: which state a validation reads.
type StateCheck uint8

// The options of D48.
const (
	CheckDesired StateCheck = iota // the controller's record
	CheckActual                    // what the coordinators hold for every partition
)

func (StateCheck) decision() Decision {
	return decide("D48", "state-check", "what a validation's \"is mirroring\" reads",
		"seed 000, Remove, 2; seed 004, Pause, 2 (\"currently in MIRRORING state\"); section 2 of the design",
		option("desired", "the controller's record of the desired state"),
		option("actual", "what the coordinators hold for every partition, asked by the broker that takes the request"))
}

// ChecksActual is D48 (state-check; seed 000, Remove, 2; seed 004, Pause, 2; section 2 of the design): true when the
// broker that takes a request asks the coordinators for the states of every partition first (actual), false when the
// controller reads its own record (desired).
func (c *Config) ChecksActual() bool { return c.StateCheck == CheckActual }

// PatternStop is D51: which topics a stop by pattern stops.
type PatternStop uint8

// The options of D51.
const (
	PatternStopsMirroring         PatternStop = iota // the mirroring ones
	PatternStopsMirroringOrPaused                    // the paused ones too
)

func (PatternStop) decision() Decision {
	return decide("D51", "pattern-stop", "which topics a stop by pattern stops",
		"seed 004, Stop, 2 (\"any currently mirroring topic\"); section 2 of the design",
		option("mirroring", "those that are mirroring"),
		option("mirroring-or-paused", "those that are mirroring or paused"))
}

// PatternStopsPaused is D51 (pattern-stop; seed 004, Stop, 2; section 2 of the design): true when a stop by pattern stops
// the paused topics too (mirroring-or-paused), false when it leaves them alone (mirroring).
func (c *Config) PatternStopsPaused() bool { return c.PatternStop == PatternStopsMirroringOrPaused }
