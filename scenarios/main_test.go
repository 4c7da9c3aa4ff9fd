package scenarios

import (
	"testing"

	"go.uber.org/goleak"
)

// A sweep starts goroutines; none may be left when the tests are over.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
