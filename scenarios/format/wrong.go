package format

import "mirrorsim/model/protocol"

// parseWrong reads a change under which the scenario must violate a property, and what mends a revision that does:
//
//	wrong set marker=none violates convergence
//	wrong set marker=offset set lookup-over=same-name violates log-matching
//	wrong protocol aligned violates position-durable mended set marker-write=await
//	wrong defect keeps-one-producer violates producer-reset
func parseWrong(l *line) {
	var w Wrong
	switch l.oneOf("unknown kind of change", "set", "protocol", "defect") {
	case 0:
		w.Sets = l.decisions()
	case 1:
		w.Revision = l.revision()
		if l.skip("set") {
			w.Sets = l.decisions()
		}
	case 2:
		w.Defect = l.name("the name of a defect")
	}
	l.keyword("violates")
	w.Property = l.property()
	if w.Revision != "" && l.skip("mended") {
		l.keyword("set")
		w.Mend = l.decisions()
	}
	w.Pos = l.p.pos()
	l.p.s.Wrong = append(l.p.s.Wrong, w)
}

// decisions reads one or more decisions with the word set between them, each once.
func (l *line) decisions() (list []Set) {
	for list = append(list, l.decision()); l.skip("set"); {
		s := l.decision()
		for _, o := range list {
			if decisionID(o.Key) == decisionID(s.Key) {
				l.fail(s.Key, "this decision is set twice")
			}
		}
		list = append(list, s)
	}
	return list
}

// Config is the protocol configuration of the line: c, or the line's own revision, with the decisions of the line.
func (w *Wrong) Config(c protocol.Config) (protocol.Config, error) {
	if w.Revision != "" {
		var err error
		if c, err = protocol.Revision(w.Revision); err != nil {
			return c, err
		}
	}
	for i := range w.Sets {
		if err := c.Set(w.Sets[i].Key, w.Sets[i].Token); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (w *Wrong) appendText(dst []byte) []byte {
	dst = append(dst, "wrong"...)
	if w.Revision != "" {
		dst = append(dst, " protocol "+w.Revision...)
	}
	dst = appendSets(dst, w.Sets)
	if w.Defect != "" {
		dst = append(dst, " defect "+w.Defect...)
	}
	dst = append(dst, " violates "+w.Property...)
	if len(w.Mend) > 0 {
		dst = appendSets(append(dst, " mended"...), w.Mend)
	}
	return dst
}

func appendSets(dst []byte, sets []Set) []byte {
	for i := range sets {
		dst = sets[i].appendText(append(dst, " set "...))
	}
	return dst
}

// String is the line as it stands in the file, without its comment.
func (w *Wrong) String() string { return string(w.appendText(nil)) }
