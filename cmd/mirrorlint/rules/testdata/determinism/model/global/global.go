package global

import "bytes"

type row struct{ n int }

var (
	count  = 1
	rows   = [2]row{{1}, {2}}
	names  = map[string]int{"a": 1}
	newest = &row{}
	square [4]int
)

func init() {
	for i := range square {
		square[i] = i * i
	}
	names["b"] = 2
}

func step() int {
	count++                     // want `package-level variable count changes at run time, and two runs share it`
	rows[0].n = 3               // want `package-level variable rows`
	(*newest).n += 4            // want `package-level variable newest`
	newest.n = 5                // want `package-level variable newest`
	delete(names, "a")          // want `package-level variable names`
	copy(square[1:], square[:]) // want `package-level variable square`
	bytes.ErrTooLarge = nil     // want `package-level variable ErrTooLarge`
	for count = range 3 {       // want `package-level variable count`
	}
	return count
}

func shadowed() int {
	count, rows := 1, [2]row{}
	count++
	rows[0].n = 2
	for i := range square {
		count += square[i]
	}
	delete(map[string]int{}, "a")
	return count
}

func (r row) init() {
	count = r.n // want `package-level variable count`
}
