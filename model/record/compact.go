package record

// Compacted tells whether compaction has removed records from the batch.
func (b *Batch) Compacted() bool { return b.Deltas != nil }

// Size is the number of records that a data batch holds.
func (b *Batch) Size() int {
	return len(b.Records) + len(b.States) + len(b.Transactions) + len(b.Groups)
}

// Compact is the batch with those of its records that are kept, each at its offset; b itself if that is all of them. First
// and last offset, leader epoch, sequences and producer stay, as in Kafka's cleaner. A batch whose bytes are in Raw, and a
// control batch, are left as they are.
func (b *Batch) Compact(keep func(i int) bool) *Batch {
	if !b.IsData() || b.Raw != nil {
		return b
	}
	c := *b
	c.Records, c.States, c.Transactions, c.Groups, c.Deltas = nil, nil, nil, nil, []int32{}
	for i := range b.Size() {
		if !keep(i) {
			continue
		}
		c.Deltas = append(c.Deltas, b.delta(i))
		switch {
		case b.States != nil:
			c.States = append(c.States, b.States[i])
		case b.Transactions != nil:
			c.Transactions = append(c.Transactions, b.Transactions[i])
		case b.Groups != nil:
			c.Groups = append(c.Groups, b.Groups[i])
		default:
			c.Records = append(c.Records, b.Records[i])
		}
	}
	if len(c.Deltas) == b.Size() {
		return b
	}
	return c.Sealed()
}

// Covers tells whether c is b, or what compaction can leave of b: the same batch by its offsets, its producer fields and
// its kind, with no record that b has not at that offset. Leader epochs and producer ids may differ, for mirrors may
// change them (D8, D9).
func (b *Batch) Covers(c *Batch) bool {
	if b == c {
		return true
	}
	if b.Base != c.Base || b.Last != c.Last || b.ProducerEpoch != c.ProducerEpoch || b.BaseSequence != c.BaseSequence ||
		b.Control != c.Control || b.Transactional != c.Transactional {
		return false
	}
	if len(b.Records) < b.Size() || len(c.Records) < c.Size() {
		return b.CRC == c.CRC || c.Compacted() // records of internal topics are not unique in a run
	}
	at := 0
	for i := range c.Records {
		for at < len(b.Records) && b.delta(at) < c.delta(i) {
			at++
		}
		if at == len(b.Records) || b.delta(at) != c.delta(i) || b.Records[at] != c.Records[i] {
			return false
		}
	}
	return c.Compacted() || len(b.Records) == len(c.Records)
}
