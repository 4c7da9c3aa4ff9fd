package id

import (
	"fmt"
	"strconv"
)

var units = []struct {
	name string
	size Duration
}{{"h", 60 * Minute}, {"m", Minute}, {"s", Second}, {"ms", Millisecond}, {"us", Microsecond}}

// String is the duration in the largest unit that gives a whole number: 1500ms, 2s, 1m.
func (d Duration) String() string {
	for _, u := range units {
		if d%u.size == 0 && d != 0 {
			return strconv.FormatInt(int64(d/u.size), 10) + u.name
		}
	}
	return "0s"
}

// ParseDuration reads a whole number and a unit: us, ms, s, m or h. The result is at most 2^53 microseconds.
func ParseDuration(s string) (Duration, error) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	n, err := strconv.ParseInt(s[:i], 10, 64)
	if err == nil {
		for _, u := range units {
			if u.name == s[i:] && n <= 1<<53/int64(u.size) {
				return Duration(n) * u.size, nil
			}
		}
	}
	return 0, fmt.Errorf("%q is not a time: a whole number and us, ms, s, m or h, such as 500ms", s)
}
