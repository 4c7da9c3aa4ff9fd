package format

import (
	"fmt"
	"strconv"
	"strings"

	"mirrorsim/model/record"
)

// Run is a stretch of a log in one leader epoch, as people write it:
//
//	0-2@0      offsets 0 to 2 in epoch 0, data, in whatever batches
//	[0-2]@0    the same in one batch
//	3:reset@1  one MIRROR_PID_RESET at offset 3 in epoch 1
type Run struct {
	First, Last int64
	Control     record.Control
	Epoch       int32
	Whole       bool // one batch, from First to Last
}

var controls = []record.Control{record.Abort, record.Commit, record.MirrorPidReset}

// parseRuns reads words up to on-schedule: none as "empty".
func (l *line) parseRuns(first string) []Run {
	if first == "empty" {
		return nil
	}
	runs := []Run{l.parseRun(first)}
	for l.more() && l.peek() != "on-schedule" {
		r := l.parseRun(l.word("a run"))
		if last := runs[len(runs)-1]; l.err == nil && (r.First <= last.Last || r.Epoch < last.Epoch) {
			l.fail(string(appendRun(nil, r)), "offsets rise from run to run, and epochs do not fall")
		}
		runs = append(runs, r)
	}
	return runs
}

func (l *line) parseRun(word string) Run {
	const form = "FIRST-LAST@EPOCH"
	if l.err != nil {
		return Run{}
	}
	var r Run
	text, epoch, ok := strings.Cut(word, "@")
	if !ok {
		l.fail(word, "not a run of a log", form, "["+form[:10]+"]@EPOCH", "OFFSET:reset|abort|commit@EPOCH", "empty")
		return r
	}
	r.Epoch = int32(l.number(word, epoch, 0, 1<<31-1))
	text, control, ok := strings.Cut(text, ":")
	if ok {
		r.Control = l.control(word, control)
	}
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		r.Whole, text = true, inner[:len(inner)-1]
	}
	first, last, ranged := strings.Cut(text, "-")
	r.First = l.number(word, first, 0, 1<<53)
	r.Last = r.First
	if ranged {
		r.Last = l.number(word, last, r.First, 1<<53)
	}
	return r
}

func (l *line) control(word, text string) record.Control {
	for _, c := range controls {
		if c.String() == text {
			return c
		}
	}
	l.fail(word, "unknown control batch", "reset", "abort", "commit")
	return record.Data
}

func appendRun(dst []byte, r Run) []byte {
	if r.Whole {
		dst = append(dst, '[')
	}
	dst = strconv.AppendInt(dst, r.First, 10)
	if r.Last != r.First {
		dst = append(dst, '-')
		dst = strconv.AppendInt(dst, r.Last, 10)
	}
	if r.Whole {
		dst = append(dst, ']')
	}
	if r.Control != record.Data {
		dst = append(dst, ":"+r.Control.String()...)
	}
	dst = append(dst, '@')
	return strconv.AppendInt(dst, int64(r.Epoch), 10)
}

// AppendRuns appends runs as a scenario file has them; none as "empty".
func AppendRuns(dst []byte, runs []Run) []byte {
	if len(runs) == 0 {
		return append(dst, "empty"...)
	}
	for i, r := range runs {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = appendRun(dst, r)
	}
	return dst
}

// RunsOf is a log as runs: batches of one record in a row are one run, a batch of several is a Whole one.
func RunsOf(batches []*record.Batch) []Run {
	var runs []Run
	for _, b := range batches {
		r := Run{b.Base, b.Last, b.Control, b.LeaderEpoch, b.Last > b.Base}
		if n := len(runs) - 1; n >= 0 && continues(runs[n], r) {
			runs[n].Last = r.Last
			continue
		}
		runs = append(runs, r)
	}
	return runs
}

// Strip is a log as a line of text, such as "0-2@0 3:reset@1", or "empty".
func Strip(batches []*record.Batch) string { return string(AppendRuns(nil, RunsOf(batches))) }

func continues(a, b Run) bool {
	return !a.Whole && !b.Whole && a.Last+1 == b.First && a.Control == b.Control && a.Epoch == b.Epoch
}

// matches tells whether the log is exactly those runs. A batch within a run that is not Whole may have any length.
func matches(runs []Run, batches []*record.Batch) bool {
	i, next := 0, int64(-1) // the run that the next offset belongs to, and that offset; -1: the run's first
	for _, b := range batches {
		if i < len(runs) && runs[i].Whole && (b.Base != runs[i].First || b.Last != runs[i].Last) {
			return false
		}
		for o := b.Base; o <= b.Last; o++ {
			if i == len(runs) || b.Control != runs[i].Control || b.LeaderEpoch != runs[i].Epoch ||
				next < 0 && o != runs[i].First || next >= 0 && o != next {
				return false
			}
			if next = o + 1; o == runs[i].Last {
				i, next = i+1, -1
			}
		}
	}
	return i == len(runs)
}

// LogIs is that a log is exactly so:
//
//	expect log B/orders-0@b1=0-2@0 3:reset@1 4@1
//	expect log A/orders-0=empty
//
// Without @ it is the log of the present leader.
type LogIs struct {
	TP   TP
	Runs []Run
}

func parseLogIs(l *line) Expectation {
	key, value := l.pair("TP=RUNS")
	tp := l.parseTP(key+"="+value, key)
	return LogIs{tp, l.parseRuns(value)}
}

// AppendText appends the expectation.
func (e LogIs) AppendText(dst []byte) []byte {
	return AppendRuns(fmt.Appendf(dst, "log %v=", e.TP), e.Runs)
}

// Check compares the log batch by batch.
func (e LogIs) Check(v View) error {
	log, ok := v.Log(e.TP)
	if !ok {
		return unknownLog(e.TP)
	}
	if !matches(e.Runs, log.Batches) {
		return fmt.Errorf("the log of %v on %s is %s", e.TP, log.Node, Strip(log.Batches))
	}
	return nil
}

func unknownLog(tp TP) error {
	if tp.Node == "" {
		return fmt.Errorf("%v has no leader", tp)
	}
	return fmt.Errorf("there is no replica %v", tp)
}
