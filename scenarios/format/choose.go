package format

import (
	"strings"

	"mirrorsim/sim/choice"
)

// parseChoose reads a deviation from the calm schedule: label, subject, the how-manieth from 0, and the answer:
//
//	choose net-delay 258 #3=2
//
// These lines are written by the shrinker. choice.Key says what a subject is.
func parseChoose(l *line) {
	label, err := choice.Parse(l.word("a label"))
	if l.err == nil && err != nil {
		l.fail(l.words[1], "unknown label", labels()...)
	}
	const most = 1<<32 - 1
	var d choice.Deviation
	d.Key.Label = label
	if w := l.word("a subject"); l.err == nil {
		d.Key.Subject = uint32(l.number(w, w, 0, most))
	}
	w := l.word("#NTH=VALUE")
	nth, value, ok := strings.Cut(strings.TrimPrefix(w, "#"), "=")
	if l.err == nil && (!ok || w[0] != '#') {
		l.fail(w, "not of the form #NTH=VALUE", "#NTH=VALUE")
	}
	d.Key.Nth = uint32(l.number(w, nth, 0, most))
	d.Value = uint32(l.number(w, value, 1, most))
	for _, o := range l.p.s.Schedule {
		if o.Key == d.Key {
			l.fail(w, "this choice is made already")
		}
	}
	l.p.s.Schedule = append(l.p.s.Schedule, d)
	if note := l.p.pos().Note; note != "" {
		l.p.s.ScheduleNote = strings.TrimPrefix(l.p.s.ScheduleNote+"\n"+note, "\n")
	}
}

func labels() (names []string) {
	for i := range choice.Labels {
		names = append(names, choice.Label(i).String())
	}
	return names
}

func appendDeviation(dst []byte, d choice.Deviation) []byte {
	return append(append(dst, "choose "...), d.String()...)
}
