package scenarios

// visited is the set of the keys that an exploration has seen, each with the fewest departures that it took to come there. It is
// an open-addressing table of 16 bytes an entry, at most half full.
type visited struct {
	table []visitedKey
	used  int
}

// visitedKey is a key whose last 4 bits are departures and one more, so that a free entry is zero.
type visitedKey [2]uint64

const (
	departuresMask = 1<<4 - 1
	mostDepartures = departuresMask - 1
	mostCrashes    = 255
)

func newVisited() *visited { return &visited{table: make([]visitedKey, 1<<12)} }

func (v *visited) place(key [2]uint64) *visitedKey {
	mask := uint64(len(v.table) - 1)
	for i := key[0] & mask; ; i = (i + 1) & mask {
		x := &v.table[i]
		if x[1]&departuresMask == 0 || x[0] == key[0] && (x[1]^key[1])&^departuresMask == 0 {
			return x
		}
	}
}

// has tells whether the key was reached with so many departures or fewer. It may be called by several at a time.
func (v *visited) has(key [2]uint64, departures uint8) bool {
	n := v.place(key)[1] & departuresMask
	return n != 0 && n <= uint64(departures)+1
}

// fewest is the fewest departures with which a key that is in the set was reached.
func (v *visited) fewest(key [2]uint64) uint8 { return uint8(v.place(key)[1]&departuresMask) - 1 }

// add notes that the key was reached, and tells whether that is new or came with fewer departures than before.
func (v *visited) add(key [2]uint64, departures uint8) bool {
	x := v.place(key)
	n := x[1] & departuresMask
	if n != 0 && n <= uint64(departures)+1 {
		return false
	}
	v.used += 1 - int(min(n, 1))
	*x = visitedKey{key[0], key[1]&^departuresMask | uint64(departures) + 1}
	if 2*v.used > len(v.table) {
		v.grow()
	}
	return true
}

func (v *visited) grow() {
	old := v.table
	v.table = make([]visitedKey, 2*len(old))
	for _, x := range old {
		if x[1] != 0 {
			*v.place(x) = x
		}
	}
}
