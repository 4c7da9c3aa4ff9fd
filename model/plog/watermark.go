package plog

import (
	"mirrorsim/model/event"
	"mirrorsim/model/node"
)

// HighWatermark is the offset below which the replica knows everything to be committed: at least the log start, at most
// the log end.
func (l *Log) HighWatermark() int64 { return l.hw }

// LastStable is the last stable offset (section 4 of the design): the smallest of the high watermark, the first offset
// of the oldest open transaction, and the first offset of the oldest ended transaction whose marker is not yet below
// the high watermark. Like Kafka's it is never below the log start, though a transaction may have begun there. It
// costs the number of such transactions.
func (l *Log) LastStable() int64 {
	stable := l.hw
	for i := range l.state.open {
		stable = min(stable, l.state.open[i].Start)
	}
	for i := len(l.ended) - 1; i >= 0 && l.ended[i].marker >= l.hw; i-- {
		stable = min(stable, l.ended[i].start)
	}
	return max(stable, l.files.Start)
}

// SetHighWatermark sets the high watermark to hw, but not below the log start nor above the log end, and tells whether
// it changed. A leader only raises it; a follower takes its leader's, which may be lower after an election.
func (l *Log) SetHighWatermark(hw int64, leaderEpoch int32, out *node.Effects) bool {
	hw = min(max(hw, l.files.Start), l.files.End)
	if hw == l.hw {
		return false
	}
	l.hw = hw
	l.emitHighWatermark(leaderEpoch, out)
	return true
}

func (l *Log) emitHighWatermark(leaderEpoch int32, out *node.Effects) {
	e := out.Emit(event.HighWatermark, l.files.ID)
	e.LeaderEpoch, e.Offset, e.End = leaderEpoch, l.hw, l.files.End
}

// Checkpoint writes high watermark and log start to their files. Kafka does so every 60 s and at a clean stop.
func (l *Log) Checkpoint() { l.files.HighWatermark, l.files.StartCheckpoint = l.hw, l.files.Start }
