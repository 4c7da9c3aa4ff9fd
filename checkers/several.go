package checkers

import "strconv"

// Several is a number with what there is one of, or many: 1 run, 2 runs.
func Several[N ~int | ~int64 | ~uint64](n N, one, many string) string {
	return strconv.FormatInt(int64(n), 10) + " " + Noun(n, one, many)
}

// Noun is what there is one of, or many, for a number that is printed otherwise.
func Noun[N ~int | ~int64 | ~uint64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
