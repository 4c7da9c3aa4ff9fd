package setting

import (
	"strconv"
	"strings"
	"testing"

	"mirrorsim/model/id"
)

// Every setting can be set by its key, and sets no other.
func TestEverySettingCanBeSet(t *testing.T) {
	fresh := Default()
	for i, row := range fresh.Table() {
		s := Default()
		value, number := "3", int64(3)
		if row.Max == 1 { // the default of the one that there is is 1
			value, number = "0", 0
		}
		if row.Duration != nil {
			value = "3ms"
		}
		if err := s.Set(row.Key, value); err != nil {
			t.Fatal(err)
		}
		for j, now := range s.Table() {
			switch {
			case i == j && now.Duration != nil && *now.Duration != 3*id.Millisecond, i == j && now.Number != nil && *now.Number != number:
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
		{"fetch-max-wait", "0s", "of 1us to "},
		{"max-in-flight", "0", "of 1 to 2147483647"},
		{"max-in-flight", "1s", "a whole number"},
		{"fetch-max-wait", "9999999999999h", "a time of 1us to 9007199254740992us, such as"},
		{"producer-id-block", "9007199254740992", "a whole number of 1 to 2147483647"},
		{"state-partitions", "1001", "of 1 to 1000"},
		{"transaction-partitions", "1001", "of 1 to 1000"},
		{"group-partitions", "1001", "of 1 to 1000"},
		{"failure-attempts", "32768", "of 1 to 32767"},
		{"transaction-verification", "2", "of 0 to 1"},
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

// Both bounds of a setting are accepted, and every default lies within them.
func TestBoundsOfSettings(t *testing.T) {
	s := Default()
	for _, row := range s.Table() {
		text := func(v int64) string { return strconv.FormatInt(v, 10) }
		now := row.Number
		if row.Duration != nil {
			text = func(v int64) string { return id.Duration(v).String() }
			now = (*int64)(row.Duration)
		}
		if *now < row.Min || *now > row.Max {
			t.Errorf("the default of %s is %d, not of %d to %d", row.Key, *now, row.Min, row.Max)
		}
		for _, v := range []int64{row.Min, row.Max} {
			if err := s.Set(row.Key, text(v)); err != nil || *now != v {
				t.Errorf("%s=%s: %v, and it is %d", row.Key, text(v), err, *now)
			}
		}
	}
}
