package setting

import (
	"strings"
	"testing"

	"mirrorsim/model/id"
)

// Every setting can be set by its key, and sets no other.
func TestEverySettingCanBeSet(t *testing.T) {
	fresh := Default()
	for i, row := range fresh.Table() {
		s := Default()
		value := "3"
		if row.Duration != nil {
			value = "3ms"
		}
		if err := s.Set(row.Key, value); err != nil {
			t.Fatal(err)
		}
		for j, now := range s.Table() {
			switch {
			case i == j && now.Duration != nil && *now.Duration != 3*id.Millisecond, i == j && now.Number != nil && *now.Number != 3:
				t.Errorf("%s is not what it was set to", row.Key)
			case i != j && now.Duration != nil && *now.Duration != *fresh.Table()[j].Duration:
				t.Errorf("setting %s changed %s", row.Key, now.Key)
			case i != j && now.Number != nil && *now.Number != *fresh.Table()[j].Number:
				t.Errorf("setting %s changed %s", row.Key, now.Key)
			}
		}
	}
}

func TestBadSettings(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"no-such", "1s", `no setting is called "no-such"; there are broker-heartbeat`},
		{"fetch-max-wait", "5", "such as 500ms"},
		{"fetch-max-wait", "0s", "at least 1us"},
		{"max-in-flight", "0", "at least 1"},
		{"max-in-flight", "1s", "a whole number"},
	} {
		s := Default()
		err := s.Set(c.key, c.value)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: %v, want %q in it", c.key, c.value, err, c.want)
		}
		if s != Default() {
			t.Errorf("%s=%s was refused and changed something", c.key, c.value)
		}
	}
}
