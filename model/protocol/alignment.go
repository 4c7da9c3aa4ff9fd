package protocol

// AlignmentWait is D12: whom PREPARING waits for after the leader has truncated its log.
type AlignmentWait uint8

// The options of D12.
const (
	AlignmentNone     AlignmentWait = iota // nobody
	AlignmentISR                           // the in-sync replicas
	AlignmentISROrAll                      // the in-sync replicas; every replica with unclean support
	AlignmentSource                        // the source's consent, then as isr-or-all
)

func (AlignmentWait) decision() Decision {
	return decide("D12", "alignment-wait", "whom alignment waits for, before MIRRORING",
		"seed 000, Add, 7 and 8; seed 004 is silent; section 6 of the design",
		option("none", "nobody"),
		option("isr", "every in-sync replica"),
		option("isr-or-all", "every in-sync replica; with mirror.support.unclean.leader.election every replica"),
		option("source-then-isr-or-all", "the source has answered a fetch from the log end without divergence; then as isr-or-all; so has a new "+
			"leader in ULE_RECOVERY, that does not know where to cut"))
}

// Wait says for which replicas alignment waits.
type Wait uint8

// What AlignmentWaits answers.
const (
	WaitNone Wait = iota // for nobody
	WaitISR              // for every in-sync replica
	WaitAll              // for every replica, alive or not
)

// AlignmentWaits is D12 (alignment-wait; seed 000, Add, 7 and 8; section 6 of the design): whom alignment waits for.
// uncleanSupport is the topic's mirror.support.unclean.leader.election. isr-or-all waits for all with it and for the
// in-sync replicas without it; none and isr do not look at it. source-then-isr-or-all is not in the design: what differs
// inside the last common epoch is found before MIRRORING, so source is true, and a stop before that records nothing. In ULE_RECOVERY
// too a leader that has not seen the divergence itself asks, lest MIRRORING is stored over what was cut from another one's log.
func (c *Config) AlignmentWaits(uncleanSupport bool) (wait Wait, source bool) {
	source = c.AlignmentWait == AlignmentSource
	switch {
	case c.AlignmentWait == AlignmentNone:
		return WaitNone, source
	case c.AlignmentWait >= AlignmentISROrAll && uncleanSupport:
		return WaitAll, source
	}
	return WaitISR, source
}

// Followed is D30: when a replica counts as having followed a truncation of its leader.
type Followed uint8

// The options of D30.
const (
	FollowedLeo         Followed = iota // its last known LEO is not ahead of the leader's
	FollowedLeoAndEpoch                 // and its last fetched epoch is one that the leader has there
	FollowedLeoFresh                    // not ahead, in a fetch that was sent after the cut
)

func (Followed) decision() Decision {
	return decide("D30", "followed-means", "when a replica counts as having followed a truncation",
		"seed 000, Add, 7 and 8 (\"complete the truncation\"); section 6 of the design",
		option("leo", "its last known LEO is not ahead of the leader's"),
		option("leo-and-epoch", "its last known LEO is not ahead, and its last fetched epoch is the leader's there"),
		option("leo-fresh", "its LEO is not ahead in a fetch that was sent after the cut"))
}

// FollowedMeans is D30 (followed-means; seed 000, Add, 7 and 8; sections 6 and 7 of the design): when a replica counts
// as having followed a truncation of its leader, in alignment and in a stop that truncates.
func (c *Config) FollowedMeans() Followed { return c.Followed }

// AbsentReplica is D41: a replica that was outside the ISR while alignment truncated the leader.
type AbsentReplica uint8

// The options of D41.
const (
	AbsentFetchesOnly AbsentReplica = iota // it aligns by ordinary replication when it is back
	AbsentWaitAll                          // alignment waits for every replica
	AbsentRealigns                         // its leader has it cut to the end of the alignment before it gives it data
)

func (AbsentReplica) decision() Decision {
	return decide("D41", "absent-replica", "a replica outside the ISR while alignment cut the leader",
		"both seeds are silent; section 6 of the design",
		option("fetch-only", "it aligns by ordinary replication when it is back"),
		option("wait-all", "alignment waits for every replica"),
		option("realign", "its leader has it cut to the log end of the alignment, which is stored, before it gives it data; to 0 from the second run on"))
}

// AbsentReplicas is D41 (absent-replica; section 6 of the design): what is done about replicas that were outside the ISR
// while alignment truncated the leader: nothing but ordinary replication, waiting for them, or cutting them when they are
// back.
func (c *Config) AbsentReplicas() AbsentReplica { return c.AbsentReplica }

// LeaderCut is D52: what a leader knows of its followers after it truncated its own log.
type LeaderCut uint8

// The options of D52.
const (
	CutForgets LeaderCut = iota // nothing, until a fetch that was sent after the cut
	CutKeeps                    // what it knew before
)

func (LeaderCut) decision() Decision {
	return decide("D52", "leader-cut", "what a leader knows of its followers after it truncated its own log",
		"both seeds are silent; section 4 of the design",
		option("forget", "no LEO, for HW, acks=all, ISR growth and followed-means, until a fetch sent after the cut"),
		option("keep", "the last LEO that each has told"))
}

// ForgetsFollowers is D52 (leader-cut; section 4 of the design): true when a leader that truncated its own log knows no
// LEO of a follower until a fetch that was sent after the cut (forget), false when it goes on with what it knew (keep).
func (c *Config) ForgetsFollowers() bool { return c.LeaderCut == CutForgets }
