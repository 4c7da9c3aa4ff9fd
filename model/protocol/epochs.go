package protocol

// StopBump is D7: the new leader epoch at the stop.
type StopBump uint8

// The options of D7.
const (
	BumpPlusOne       StopBump = iota // leader epoch + 1
	BumpAboveLog                      // the greater of leader epoch and newest batch's epoch, + 1
	BumpAbovePosition                 // the greatest of these two and the recorded epoch, + 1
	BumpIfNotAbove                    // as BumpAboveLog, but none where the leader epoch is above the batch's
	BumpToOwnEra                      // the first epoch of the next era, of which each cluster has its own part
)

// The parts of a leader epoch under own-era, from the low bits up: the elections of one era (65,536), the cluster that
// the era belongs to (16), and the era (2,048 failovers of one topic).
const (
	electionBits = 16
	clusterBits  = 4
	lastEra      = 1<<(31-clusterBits-electionBits) - 1
)

func (StopBump) decision() Decision {
	return decide("D7", "stop-bump", "the new leader epoch at the stop",
		"seed 000, Add, 9 and Remove, 4.2; seed 004, Stop, 5.3; section 5 of the design",
		option("plus-one", "leader epoch + 1"),
		option("above-log", "max(leader epoch, epoch of the newest batch) + 1"),
		option("above-position", "max(leader epoch, epoch of the newest batch, recorded epoch) + 1"),
		option("if-not-above", "as above-log, but no bump where the leader epoch is above the newest batch's already"),
		option("own-era", "the first epoch of the next era: (era of max(leader epoch, epoch of the newest batch) + 1) * 2^20 + "+
			"cluster * 2^16, so that no two clusters that were promoted write under one epoch number; era 0 is of whoever created the "+
			"topic, and each run of a stop takes an era, of 2,048: not in the design"))
}

// BumpTarget is D7 (stop-bump; seed 000, Remove, 4.2; seed 004, Stop, 5.3; section 5 of the design): the leader epoch
// that the stop asks for as its minimum. lastBatchEpoch is of the newest batch and recorded of the recorded position,
// each -1 where there is none; cluster, below 16, is the one that stops. The second result is false when no bump is needed;
// only if-not-above ever says so.
func (c *Config) BumpTarget(leaderEpoch, lastBatchEpoch, recorded int32, cluster uint8) (int32, bool) {
	switch c.StopBump {
	case BumpToOwnEra:
		if era := max(leaderEpoch, lastBatchEpoch) >> (clusterBits + electionBits); era < lastEra {
			return (era+1)<<(clusterBits+electionBits) | int32(cluster)<<electionBits, true
		}
	case BumpPlusOne:
		return leaderEpoch + 1, true
	case BumpAbovePosition:
		return max(leaderEpoch, lastBatchEpoch, recorded) + 1, true
	case BumpIfNotAbove:
		if leaderEpoch > lastBatchEpoch {
			return leaderEpoch, false
		}
	}
	return max(leaderEpoch, lastBatchEpoch) + 1, true
}

// BatchEpoch is D8: the leader epoch of a mirrored batch.
type BatchEpoch uint8

// The options of D8.
const (
	EpochPreserved BatchEpoch = iota // the one that it has at the source
	EpochRewritten                   // the destination's leader epoch
)

func (BatchEpoch) decision() Decision {
	return decide("D8", "batch-epoch", "the leader epoch of a mirrored batch",
		"seed 000, Add, 9; section 5 of the design",
		option("preserve", "the one that it has at the source"),
		option("rewrite", "the destination's leader epoch"))
}

// MirroredEpoch is D8 (batch-epoch; seed 000, Add, 9; section 5 of the design): the leader epoch under which a batch of
// the source's epoch source is appended by a leader of epoch local: source (preserve) or local (rewrite).
func (c *Config) MirroredEpoch(source, local int32) int32 {
	if c.BatchEpoch == EpochRewritten {
		return local
	}
	return source
}

// EpochFloor is D15: how the destination's leader epoch stands to the epochs of mirrored batches.
type EpochFloor uint8

// The options of D15.
const (
	FloorUnconstrained EpochFloor = iota // independent; followers accept higher batch epochs
	FloorRefusing                        // independent; followers refuse higher batch epochs
	FloorFenced                          // at or above every mirrored epoch, by EPOCH_FENCING
	FloorExact                           // likewise, raised no further than need be
)

func (EpochFloor) decision() Decision {
	return decide("D15", "epoch-floor", "the destination's leader epoch against the epochs of mirrored batches",
		"both seeds are silent; section 5 of the design",
		option("unconstrained", "independent, and followers accept batches above their leader epoch"),
		option("unconstrained-refusing", "independent, and followers skip batches above their leader epoch"),
		option("fenced", "at or above every mirrored epoch: a higher batch waits for EPOCH_FENCING"),
		option("fenced-exactly", "likewise, but raised to the source's leader epoch and not 10 above it, and only where it is below: not in the design"))
}

// Floor is D15 (epoch-floor; section 5 of the design): how the destination's leader epoch stands to the epochs of
// mirrored batches.
func (c *Config) Floor() EpochFloor { return c.EpochFloor }

// FollowerAccepts tells whether a destination follower appends a fetched batch of epoch batchEpoch while its own leader
// epoch is leaderEpoch. unconstrained accepts every batch; unconstrained-refusing and fenced skip one above the leader
// epoch, as ordinary replication does.
func (f EpochFloor) FollowerAccepts(batchEpoch, leaderEpoch int32) bool {
	return f == FloorUnconstrained || batchEpoch <= leaderEpoch
}

// LeaderAccepts tells whether the destination leader appends a batch that its mirror fetcher brought: under fenced and fenced-exactly
// only one that is not above the leader epoch.
func (f EpochFloor) LeaderAccepts(batchEpoch, leaderEpoch int32) bool {
	return f < FloorFenced || batchEpoch <= leaderEpoch
}

// Of section 5 of the design: how near the source's epochs may come before a bump is scheduled, and how far above them
// the bump goes.
const (
	floorMargin = 3
	floorRoom   = 10
)

// Bump tells whether the destination's leader epoch is to be raised over the source's epoch, a batch's or its leader's,
// and to which minimum: under fenced, where the leader epoch is less than 3 above it, to the source's leader epoch + 10;
// under fenced-exactly, where it is below, to the source's leader epoch.
func (f EpochFloor) Bump(sourceEpoch, sourceLeaderEpoch, leaderEpoch int32) (minimum int32, needed bool) {
	if f == FloorExact {
		return sourceLeaderEpoch, leaderEpoch < sourceEpoch
	}
	return sourceLeaderEpoch + floorRoom, f == FloorFenced && leaderEpoch-sourceEpoch < floorMargin
}

// BumpDone is D28: when a bump counts as done.
type BumpDone uint8

// The options of D28.
const (
	BumpDoneByMetadata BumpDone = iota // when the requesting broker's own image shows it
	BumpDoneByResponse                 // when the controller has answered
)

func (BumpDone) decision() Decision {
	return decide("D28", "bump-done", "when a bump of the leader epoch counts as done",
		"both seeds are silent; section 5 of the design",
		option("metadata", "when the requesting broker's own metadata shows it"),
		option("response", "when the controller has answered"))
}

// BumpAwaitsMetadata is D28 (bump-done; section 5 of the design): true when a bump is done once the requesting broker's
// own metadata shows it (metadata), false when the controller's answer is enough (response).
func (c *Config) BumpAwaitsMetadata() bool { return c.BumpDone == BumpDoneByMetadata }

// BumpCompare is D45: how the leader epoch in metadata is held against the asked minimum.
type BumpCompare uint8

// The options of D45.
const (
	CompareAtLeast BumpCompare = iota // at or above the minimum
	CompareAbove                      // above the minimum
)

func (BumpCompare) decision() Decision {
	return decide("D45", "bump-compare", "how the leader epoch that metadata shows is held against the asked minimum",
		"both seeds are silent; section 5 of the design",
		option("at-least", "a bump is seen at or above the minimum"),
		option("above", "a bump is seen above the minimum only"))
}

// BumpSeen is D45 (bump-compare; section 5 of the design): whether a broker whose metadata shows the leader epoch shown
// sees a bump done for which it asked the minimum asked: shown >= asked (at-least) or shown > asked (above).
func (c *Config) BumpSeen(shown, asked int32) bool {
	if c.BumpCompare == CompareAbove {
		return shown > asked
	}
	return shown >= asked
}
