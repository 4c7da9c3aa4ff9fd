package id

// Bit is 1 for true and 0 for false, for states that are bytes.
func Bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// Bit64 is Bit for words and hashes.
func Bit64(b bool) uint64 { return uint64(Bit(b)) }
