package scenarios

import (
	"testing"

	"go.uber.org/goleak"
)

// A sweep starts goroutines; none may be left when the tests are over.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// alone skips a long test that starts no goroutine under -short, by which the race detector is run: make test runs it.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts no goroutine")
	}
}

// sweeps leaves out a long test under -short, which the race detector takes, whose goroutines are those of
// TestSweepDoesNotDependOnJobs.
func sweeps(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("its goroutines are those of another sweep")
	}
}
