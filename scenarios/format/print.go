package format

import (
	"strconv"
	"strings"
)

// AppendText appends the scenario in its canonical form: one statement a line, in the order of the manual, options that
// have their default left out, comments above their statements. Parse of it gives the same scenario again.
func (s *Scenario) AppendText(dst []byte) []byte {
	dst = appendNote(dst, s.Story, "")
	dst = append(dst, "scenario "+s.Name+"\n"...)
	dst = s.appendProtocol(dst)
	dst = s.appendTopology(dst)
	dst = s.appendSteps(dst)
	dst = s.appendSchedule(dst)
	for i := range s.Wrong {
		dst = appendStatement(dst, s.Wrong[i].Pos, &s.Wrong[i])
	}
	return appendNote(dst, s.EndNote, "")
}

// printer appends one statement without the end of line.
type printer interface{ appendText(dst []byte) []byte }

func appendStatement(dst []byte, at Pos, p printer) []byte {
	dst = appendNote(dst, at.Note, "")
	return append(p.appendText(dst), '\n')
}

func (s *Scenario) appendProtocol(dst []byte) []byte {
	if s.Revision != "" {
		dst = appendNote(dst, s.RevisionAt.Note, "")
		dst = append(dst, "protocol "+s.Revision+"\n"...)
	}
	for i := range s.Sets {
		dst = appendNote(dst, s.Sets[i].Note, "")
		dst = append(s.Sets[i].appendText(append(dst, "set "...)), '\n')
	}
	for i := range s.Settings {
		dst = appendNote(dst, s.Settings[i].Note, "")
		dst = append(s.Settings[i].appendText(append(dst, "setting "...)), '\n')
	}
	return dst
}

func (s *Scenario) appendTopology(dst []byte) []byte {
	if len(s.Clusters) > 0 {
		dst = append(dst, '\n')
	}
	for i := range s.Clusters {
		dst = appendStatement(dst, s.Clusters[i].Pos, &s.Clusters[i])
	}
	for i := range s.Topics {
		dst = appendStatement(dst, s.Topics[i].Pos, &s.Topics[i])
	}
	for i := range s.Clients {
		dst = appendStatement(dst, s.Clients[i].Pos, &s.Clients[i])
	}
	for i := range s.Mirrors {
		dst = appendStatement(dst, s.Mirrors[i].Pos, &s.Mirrors[i])
	}
	return dst
}

// appendSteps appends the steps, each followed by the expectations that are judged when it has completed.
func (s *Scenario) appendSteps(dst []byte) []byte {
	if len(s.Steps)+len(s.Expect) > 0 {
		dst = append(dst, '\n')
	}
	next := 0
	for i := 0; i <= len(s.Steps); i++ {
		for ; next < len(s.Expect) && s.Expect[next].After <= i; next++ {
			dst = appendStatement(dst, s.Expect[next].Pos, &s.Expect[next])
		}
		if i < len(s.Steps) {
			dst = append(s.Steps[i].appendText(dst, ""), '\n')
		}
	}
	return dst
}

func (s *Scenario) appendSchedule(dst []byte) []byte {
	dst = appendNote(dst, s.ScheduleNote, "")
	for _, d := range s.Schedule {
		dst = append(appendDeviation(dst, d), '\n')
	}
	return dst
}

// appendNote appends comment lines.
func appendNote(dst []byte, note, indent string) []byte {
	if note == "" {
		return dst
	}
	for text := range strings.SplitSeq(note, "\n") {
		dst = append(dst, indent...)
		dst = append(dst, strings.TrimRight("# "+text, " ")...)
		dst = append(dst, '\n')
	}
	return dst
}

// appendOption appends a space, the key, an equals sign and the number.
func appendOption(dst []byte, key string, n int) []byte {
	dst = append(dst, " "+key+"="...)
	return strconv.AppendInt(dst, int64(n), 10)
}
