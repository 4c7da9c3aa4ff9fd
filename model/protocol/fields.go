package protocol

// field is one field of a Config, seen without its type: what Set, Get and Decisions need of it.
type field interface {
	decision() Decision
	token() string         // "" where the field holds no option
	set(token string) bool // false, and nothing set, where no option has this token
}

// enum is what the type of a field is: a small integer that counts the options of its decision.
type enum interface {
	~uint8
	decision() Decision
}

// pick is a field whose value is the index of one option.
type pick[E enum] struct{ at *E }

func of[E enum](at *E) field { return pick[E]{at} }

func (p pick[E]) decision() Decision { return (*p.at).decision() }

func (p pick[E]) token() string {
	options := p.decision().Options
	if i := int(*p.at); i < len(options) {
		return options[i].Token
	}
	return ""
}

func (p pick[E]) set(token string) bool {
	for i, o := range p.decision().Options {
		if o.Token == token {
			*p.at = E(i)
			return true
		}
	}
	return false
}

// fields is every field of c by pointer, in the order of the decisions' numbers.
func (c *Config) fields() []field {
	return []field{
		of(&c.Marker),
		of(&c.EpochSource),
		sequence{&c.StopOrder},
		of(&c.StopTransactions),
		of(&c.MarkerRerun),
		of(&c.MarkerWrite),
		of(&c.StopBump),
		of(&c.BatchEpoch),
		of(&c.ProducerIDs),
		of(&c.FetchBound),
		of(&c.Divergence),
		of(&c.AlignmentWait),
		of(&c.LookupFailure),
		of(&c.LookupAbove),
		of(&c.EpochFloor),
		of(&c.CoordinatorFence),
		of(&c.PersistOrder),
		of(&c.StopFrom),
		of(&c.OffsetClamp),
		of(&c.ReverseCheck),
		of(&c.ResetScope),
		of(&c.LookupMirrors),
		of(&c.AbortFailure),
		of(&c.SourceDeleted),
		of(&c.EarlyPause),
		of(&c.UnknownState),
		of(&c.StoppedWhen),
		of(&c.BumpDone),
		of(&c.CoordinatorAck),
		of(&c.Followed),
		of(&c.OffsetReclamp),
		of(&c.OffsetAfterStop),
		of(&c.FetchAbove),
		of(&c.ISRJoin),
		of(&c.FirstBatch),
		of(&c.FailureState),
		of(&c.StartTopic),
		of(&c.IllegalEdge),
		of(&c.PositionFence),
		of(&c.PositionEnd),
		of(&c.AbsentReplica),
		of(&c.LoadingAnswer),
		of(&c.LagSign),
		of(&c.OffsetFloor),
		of(&c.BumpCompare),
		of(&c.UnknownStop),
		of(&c.RepeatRequest),
		of(&c.StateCheck),
		of(&c.LookupMissing),
		of(&c.LSOMoment),
		of(&c.PatternStop),
		of(&c.LeaderCut),
		of(&c.ResetRerun),
		of(&c.CoordinatorRead),
	}
}
