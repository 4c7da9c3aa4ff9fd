package protocol

import (
	"strconv"
	"strings"
)

// Config is one choice for every decision point of section 12 of the design. It is comparable: two designs are equal if
// and only if their Configs are. The zero Config is no design, as its stop has no steps: begin with Revision.
//
// Only the method that belongs to a decision reads its field; a field without a method belongs to a feature that
// nothing consults yet.
type Config struct {
	Marker           Marker           // D1
	EpochSource      EpochSource      // D2
	StopOrder        Order            // D3
	StopTransactions OpenTransactions // D4
	MarkerRerun      MarkerRerun      // D5
	MarkerWrite      MarkerWrite      // D6
	StopBump         StopBump         // D7
	BatchEpoch       BatchEpoch       // D8
	ProducerIDs      ProducerIDs      // D9
	FetchBound       FetchBound       // D10
	Divergence       Divergence       // D11
	AlignmentWait    AlignmentWait    // D12
	LookupFailure    LookupFailure    // D13
	LookupAbove      LookupAbove      // D14
	EpochFloor       EpochFloor       // D15
	CoordinatorFence CoordinatorFence // D16
	PersistOrder     PersistOrder     // D17
	StopFrom         StopFrom         // D18
	OffsetClamp      OffsetClamp      // D19
	ReverseCheck     ReverseCheck     // D20
	ResetScope       ResetScope       // D21
	LookupMirrors    LookupOver       // D22
	AbortFailure     AbortFailure     // D23
	SourceDeleted    SourceDeleted    // D24
	EarlyPause       EarlyPause       // D25
	UnknownState     UnknownState     // D26
	StoppedWhen      StoppedWhen      // D27
	BumpDone         BumpDone         // D28
	CoordinatorAck   CoordinatorAck   // D29
	Followed         Followed         // D30
	OffsetReclamp    OffsetReclamp    // D31
	OffsetAfterStop  OffsetAfterStop  // D32
	FetchAbove       FetchAbove       // D33
	ISRJoin          ISRJoin          // D34
	FirstBatch       UnknownProducer  // D35
	FailureState     FailureState     // D36
	StartTopic       StartTopic       // D37
	IllegalEdge      IllegalEdge      // D38
	PositionFence    PositionFence    // D39
	PositionEnd      PositionEnd      // D40
	AbsentReplica    AbsentReplica    // D41
	LoadingAnswer    LoadingAnswer    // D42
	LagSign          LagSign          // D43
	OffsetFloor      OffsetFloor      // D44
	BumpCompare      BumpCompare      // D45
	UnknownStop      UnknownStop      // D46
	RepeatRequest    RepeatRequest    // D47
	StateCheck       StateCheck       // D48
	LookupMissing    LookupMissing    // D49
	LSOMoment        LSOMoment        // D50
	PatternStop      PatternStop      // D51
	LeaderCut        LeaderCut        // D52
	ResetRerun       ResetRerun       // D53
	CoordinatorRead  CoordinatorRead  // D54

	Naming Naming // no decision: what the revision calls things
}

// Set chooses the option token for the decision key, which is an id such as "D7" (in either case) or a name such as
// "stop-bump". The token of stop-order is a list of all five steps, separated by commas. The error is an *UnknownError,
// and leaves c as it was (section 12 of the design).
func (c *Config) Set(key, token string) error {
	f, err := c.field(key)
	if err != nil {
		return err
	}
	if f.set(token) {
		return nil
	}
	d := f.decision()
	return &UnknownError{Kind: "option", Of: d.Name, Word: token, Want: d.Tokens(), All: d.All}
}

// Get is the token of the option that is chosen for the decision key, an id or a name. It is "" where there is no such
// decision, and where the field holds no option at all, as the stop order of the zero Config.
func (c *Config) Get(key string) string {
	f, err := c.field(key)
	if err != nil {
		return ""
	}
	return f.token()
}

// field is the field of the decision with that id or name.
func (c *Config) field(key string) (field, error) {
	fields := c.fields()
	if i, ok := number(key); ok && i >= 1 && i <= len(fields) {
		return fields[i-1], nil
	}
	var names []string
	for _, f := range fields {
		d := f.decision()
		if key == d.Name {
			return f, nil
		}
		names = append(names, d.Name)
	}
	return nil, &UnknownError{Kind: "decision", Word: key, Want: names}
}

// number is the number in an id, such as 7 in "D7" and "d7"; false where key is no id.
func number(key string) (int, bool) {
	digits, ok := strings.CutPrefix(strings.ToUpper(key), "D")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && digits == strconv.Itoa(n)
}
