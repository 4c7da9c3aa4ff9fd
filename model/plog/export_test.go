package plog

// Producers is the number of producer entries, which nobody but tests asks for.
func (l *Log) Producers() int { return len(l.state.producers) }
