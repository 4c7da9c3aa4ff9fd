package assert

// Enabled turns the model's own assertions on. It is a constant so that a build that proves the checkers can fail may
// overlay it with false.
const Enabled = true

// Failure is what That panics with.
type Failure struct{ Text string }

// Error is the text with what it is.
func (f Failure) Error() string { return "assertion failed: " + f.Text }

// That panics with a Failure when ok is false. The text says what must be true, in Kafka's words.
func That(ok bool, text string) {
	if Enabled && !ok {
		panic(Failure{text})
	}
}
