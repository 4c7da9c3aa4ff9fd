package good

// Epoch is a number.
type Epoch int32

// The epochs.
const (
	None  Epoch = -1
	First Epoch = 0
)

const (
	// Second follows First.
	Second Epoch = 1
	Third  Epoch = 2 // follows Second
)

// Next answers the epoch after e.
func (e Epoch) Next() Epoch { return e + 1 }

// Less orders epochs.
func Less(a, b Epoch) bool { return a < b }

type hidden struct{}

// API names the request.
func (Epoch) API() int   { return 1 }
func (*Answer) API() int { return 2 }

// Answer is an answer.
type Answer struct{}

func (hidden) Shown() {}

func less() {}
