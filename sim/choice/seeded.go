package choice

// Seeded draws every answer from the seed and the question's key alone, by splitmix64. It depends on nothing of Go's
// library, so a seed means the same for ever; it has no state, so worlds may share it; and a question that is added or
// dropped elsewhere does not change the other answers.
func Seeded(seed uint64) Chooser { return seeded(seed) }

type seeded uint64

func (s seeded) Choose(k Key, n uint32, odds uint16) uint32 {
	if odds == 0 {
		return 0
	}
	r := splitmix(uint64(s) ^ splitmix(uint64(k.Subject)<<32|uint64(k.Nth)))
	r = splitmix(r + uint64(k.Label))
	if uint16(r) >= odds {
		return 0
	}
	return 1 + bounded(uint32(r>>32), n-1)
}

// bounded maps 32 random bits to 0..n-1. The bias is at most n/2^32.
func bounded(bits, n uint32) uint32 { return uint32(uint64(bits) * uint64(n) >> 32) }

// splitmix is the output function of splitmix64 (Steele, Lea and Flood 2014) at the state after x.
func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
