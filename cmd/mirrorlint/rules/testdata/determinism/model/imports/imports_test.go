package imports

import (
	"testing"
	"time"
)

func TestClock(t *testing.T) {
	go func() { t.Log(time.Now()) }()
}
