package format

import "mirrorsim/model/protocol"

// parseWrong reads a change under which the scenario must violate a property:
//
//	wrong set marker=none violates convergence
//	wrong set marker=offset set lookup-over=same-name violates log-matching
//	wrong defect keeps-one-producer violates producer-reset
func parseWrong(l *line) {
	var w Wrong
	if l.oneOf("unknown kind of change", "set", "defect") == 1 {
		w.Defect = l.name("the name of a defect")
	} else {
		w.Sets = append(w.Sets, l.decision())
		for l.skip("set") {
			w.Sets = append(w.Sets, l.decision())
		}
	}
	for i, s := range w.Sets {
		for _, o := range w.Sets[:i] {
			if decisionID(o.Key) == decisionID(s.Key) {
				l.fail(s.Key, "this decision is set twice")
			}
		}
	}
	l.keyword("violates")
	w.Property = l.property()
	w.Pos = l.p.pos()
	l.p.s.Wrong = append(l.p.s.Wrong, w)
}

// Config is the protocol configuration c with the decisions of the line.
func (w *Wrong) Config(c protocol.Config) (protocol.Config, error) {
	for i := range w.Sets {
		if err := c.Set(w.Sets[i].Key, w.Sets[i].Token); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (w *Wrong) appendText(dst []byte) []byte {
	dst = append(dst, "wrong"...)
	for i := range w.Sets {
		dst = w.Sets[i].appendText(append(dst, " set "...))
	}
	if w.Defect != "" {
		dst = append(dst, " defect "+w.Defect...)
	}
	return append(dst, " violates "+w.Property...)
}

// String is the line as it stands in the file, without its comment.
func (w *Wrong) String() string { return string(w.appendText(nil)) }
