package record

import (
	"encoding/binary"
	"hash/crc32"
)

// slices are the tables of the slicing-by-8 method for CRC-32C: slices[k][b] is the checksum of b followed by k zeros.
var slices = func() (t [8]crc32.Table) {
	t[0] = *crc32.MakeTable(crc32.Castagnoli)
	for k := 1; k < len(t); k++ {
		for b, v := range t[k-1] {
			t[k][b] = t[0][byte(v)] ^ v>>8
		}
	}
	return t
}()

// crc32c is crc32.Checksum with the Castagnoli polynomial. Unlike that it does not make the caller's buffer escape to the
// heap, and every append asks for it.
func crc32c(p []byte) uint32 {
	crc := ^uint32(0)
	for len(p) >= 8 {
		a, b := binary.LittleEndian.Uint32(p)^crc, binary.LittleEndian.Uint32(p[4:])
		crc = slices[7][byte(a)] ^ slices[6][byte(a>>8)] ^ slices[5][byte(a>>16)] ^ slices[4][a>>24] ^
			slices[3][byte(b)] ^ slices[2][byte(b>>8)] ^ slices[1][byte(b>>16)] ^ slices[0][b>>24]
		p = p[8:]
	}
	for _, x := range p {
		crc = slices[0][byte(crc)^x] ^ crc>>8
	}
	return ^crc
}
