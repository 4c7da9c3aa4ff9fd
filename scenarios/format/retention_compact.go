package format

import (
	"slices"
	"strconv"
	"strings"
)

// Retention has the leader of a partition delete old batches, as the roll of a segment and retention.ms or retention.bytes
// bring it about in Kafka: whole ones whose last offset is below that one, and below the high watermark:
//
//	retention A/orders-0 before=20
//
// The leader of a mirrored topic that is not STOPPED does nothing of the kind. It has completed at once.
type Retention struct {
	Partition TP
	Before    int64
}

func parseRetention(l *line) Act {
	w := l.peek()
	a := &Retention{Partition: l.tp()}
	if l.err == nil && Internal(a.Partition.Topic) {
		l.fail(w, "an internal topic is compacted: nothing is deleted from it by age")
	}
	key, value := l.option("retention", "before=N")
	a.Before = l.number(key+"="+value, value, 1, 1<<53)
	return a
}

// Keyword is retention.
func (a *Retention) Keyword() string { return "retention" }

// AppendText appends the line.
func (a *Retention) AppendText(dst []byte) []byte {
	return appendOption(append(dst, "retention "+a.Partition.String()...), "before", int(a.Before))
}

// Simpler is nothing.
func (a *Retention) Simpler() []Act { return nil }

// Compact has the cleaner of every broker that is up look at its replica of a partition: below the last stable offset, and
// below the newest batch, the newest record of each key stays (a record's key is the client that wrote it), or the records at
// the offsets that are named:
//
//	compact A/orders-0
//	compact A/orders-0 keep=0,3,7
//
// It has completed at once.
type Compact struct {
	Partition TP
	Keep      []int64 // ascending; nil: by key
}

func parseCompact(l *line) Act {
	a := &Compact{Partition: l.tp()}
	if l.more() {
		key, value := l.option("compact", "keep=OFFSET,OFFSET")
		for _, text := range l.list(key+"="+value, value) {
			a.Keep = append(a.Keep, l.number(key+"="+value, text, 0, 1<<53))
		}
		if l.err == nil && !slices.IsSorted(a.Keep) {
			l.fail(key+"="+value, "the offsets do not rise")
		}
	}
	return a
}

// Keyword is compact.
func (a *Compact) Keyword() string { return "compact" }

// AppendText appends the line.
func (a *Compact) AppendText(dst []byte) []byte {
	dst = append(dst, "compact "+a.Partition.String()...)
	if len(a.Keep) == 0 {
		return dst
	}
	var list []string
	for _, offset := range a.Keep {
		list = append(list, strconv.FormatInt(offset, 10))
	}
	return append(dst, " keep="+strings.Join(list, ",")...)
}

// Simpler is by key.
func (a *Compact) Simpler() []Act {
	if len(a.Keep) == 0 {
		return nil
	}
	return []Act{&Compact{Partition: a.Partition}}
}
