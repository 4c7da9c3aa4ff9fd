package format

// Consume has a consumer read a partition from its log start on, to the end of the run:
//
//	consume r B/orders-0
//	consume r B/orders-0 read-committed reset=latest
//
// It has completed when the consumer was told. How far it got is for `until read` and `expect`.
type Consume struct {
	Client        string
	From          TP
	ReadCommitted bool
	Reset         Reset
}

// Reset is a consumer's auto.offset.reset.
type Reset uint8

// The reset policies.
const (
	Earliest Reset = iota
	Latest
	NoReset
)

var resets = []string{"earliest", "latest", "none"}

// String is the word in the file.
func (r Reset) String() string { return resets[r] }

func parseConsume(l *line) Act {
	a := &Consume{Client: l.client("consume", Consumer, Group), From: l.tp()}
	for l.more() {
		switch key, value := l.option("consume", "read-committed", "reset=earliest|latest|none"); key {
		case "read-committed":
			a.ReadCommitted = true
		case "reset":
			a.Reset = l.reset(value)
		}
	}
	return a
}

func (l *line) reset(value string) Reset {
	for i, w := range resets {
		if w == value {
			return Reset(i)
		}
	}
	l.fail("reset="+value, "unknown reset policy", "reset=earliest", "reset=latest", "reset=none")
	return Earliest
}

// Keyword is consume.
func (a *Consume) Keyword() string { return "consume" }

// AppendText appends the line.
func (a *Consume) AppendText(dst []byte) []byte {
	dst = a.From.AppendText(append(dst, "consume "+a.Client+" "...))
	if a.ReadCommitted {
		dst = append(dst, " read-committed"...)
	}
	if a.Reset != Earliest {
		dst = append(dst, " reset="+a.Reset.String()...)
	}
	return dst
}

// Simpler is the same without options.
func (a *Consume) Simpler() []Act {
	if plain := (Consume{Client: a.Client, From: a.From}); plain != *a {
		return []Act{&plain}
	}
	return nil
}
