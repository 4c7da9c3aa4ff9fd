package record

import (
	"encoding/hex"
	"hash/crc32"
	"testing"
)

// The vector of the contracts: MIRROR_PID_RESET at offset 3, epoch 1, timestamps 0.
func TestResetBytes(t *testing.T) {
	const want = "00000000000000030000003e00000001029ca5be0100200000000000000000000000000000000000000000ffffffffffffffffffffffffffff0000000118000000080000000704000000"
	b := NewReset().At(3, 1)
	got := hex.EncodeToString(b.AppendV2(nil))
	if got != want {
		t.Errorf("reset at 3@1:\n got %s\nwant %s", got, want)
	}
	if b.CRC != 0x9ca5be01 {
		t.Errorf("crc %08x, want 9ca5be01", b.CRC)
	}
}

// Neither the base offset nor the leader epoch is covered by the CRC; everything else is.
func TestCrcCovers(t *testing.T) {
	b := NewData(4, 0, 7, []Record{{1, 2}, {1, 3}})
	if !b.At(9, 3).Intact() {
		t.Error("a batch moved to another offset and epoch lost its CRC")
	}
	for name, change := range map[string]func(*Batch){
		"producer id":    func(c *Batch) { c.ProducerID++ },
		"producer epoch": func(c *Batch) { c.ProducerEpoch++ },
		"sequence":       func(c *Batch) { c.BaseSequence++ },
		"transactional":  func(c *Batch) { c.Transactional = true },
		"control":        func(c *Batch) { c.Control = Abort },
		"count":          func(c *Batch) { c.Last++ },
		"record":         func(c *Batch) { c.Records = []Record{{1, 2}, {1, 4}} },
	} {
		c := *b
		change(&c)
		if c.Intact() {
			t.Errorf("%s changed and the CRC did not notice", name)
		}
	}
}

func TestAddSequenceWraps(t *testing.T) {
	for _, c := range []struct{ s, n, want int32 }{{0, 0, 0}, {0, 5, 5}, {0x7fffffff, 1, 0}, {0x7ffffffe, 3, 1}} {
		if got := AddSequence(c.s, c.n); got != c.want {
			t.Errorf("AddSequence(%d, %d) = %d, want %d", c.s, c.n, got, c.want)
		}
	}
}

// The checksum is the library's, for every length around its stride, and costs no allocation.
func TestCrc32c(t *testing.T) {
	p := make([]byte, 300)
	for i := range p {
		p[i] = byte(i * 7)
	}
	for n := range p {
		if got, want := crc32c(p[:n]), crc32.Checksum(p[:n], crc32.MakeTable(crc32.Castagnoli)); got != want {
			t.Fatalf("%d bytes: %08x, want %08x", n, got, want)
		}
	}
	b := NewData(4, 0, 7, []Record{{1, 2}, {1, 3}})
	if n := testing.AllocsPerRun(100, func() { b.Intact() }); n != 0 {
		t.Errorf("checking a batch allocates %v times", n)
	}
}

func BenchmarkIntact(b *testing.B) {
	x := NewData(4, 0, 7, []Record{{1, 2}})
	b.ReportAllocs()
	for b.Loop() {
		x.Intact()
	}
}
