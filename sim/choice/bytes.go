package choice

import (
	"encoding/binary"
	"fmt"
)

// Size is the number of bytes of one deviation in a fuzz input: label 1, subject 2, nth 3, value 2, big-endian.
const Size = 8

// FromBytes reads a fuzz input. Any bytes will do: a label wraps round, a value of 0 is calm and left out, and so is what
// is left at the end.
func FromBytes(b []byte) []Deviation {
	list := make([]Deviation, 0, len(b)/Size)
	for ; len(b) >= Size; b = b[Size:] {
		w := binary.BigEndian.Uint64(b)
		k := Key{Label(w >> 56 % uint64(Labels)), uint32(w >> 40 & 0xffff), uint32(w >> 16 & 0xffffff)}
		if value := uint32(w & 0xffff); value != 0 {
			list = append(list, Deviation{k, value})
		}
	}
	return list
}

// ToBytes is the fuzz input from which FromBytes reads the list again. The error names the first deviation that does not
// fit: a label that does not exist, a value of 0, a subject or value above 2^16-1, an nth above 2^24-1.
func ToBytes(list []Deviation) ([]byte, error) {
	b := make([]byte, 0, len(list)*Size)
	for _, d := range list {
		k := d.Key
		if int(k.Label) >= Labels || k.Subject > 0xffff || k.Nth > 0xffffff || d.Value == 0 || d.Value > 0xffff {
			return nil, fmt.Errorf("%v does not fit into %d bytes", d, Size)
		}
		b = binary.BigEndian.AppendUint64(b,
			uint64(k.Label)<<56|uint64(k.Subject)<<40|uint64(k.Nth)<<16|uint64(d.Value))
	}
	return b, nil
}
