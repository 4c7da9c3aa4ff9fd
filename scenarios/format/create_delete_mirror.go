package format

import "slices"

// CreateMirror has the admin of the mirror's destination create the resource MIRROR/<name> as its mirror statement says, or with
// another source, as one does whose source is lost for good. It is for one that is absent when the run begins, or that was
// deleted:
//
//	create m
//	create m from C
//
// It has completed when the admin has the result.
type CreateMirror struct {
	Mirror MirrorRef
	From   string // the source; empty: that of the mirror statement
}

// DeleteMirror has the admin delete the mirror:
//
//	delete B/m
//
// It has completed when the admin has the result.
type DeleteMirror struct{ Mirror MirrorRef }

func parseCreateMirror(l *line) Act {
	a := &CreateMirror{Mirror: l.mirror()}
	if l.skip("from") {
		a.From = l.cluster().Name
	}
	if l.err != nil || a.From == "" {
		return a
	}
	if m := l.p.s.FindMirror(a.Mirror); a.From == m.To {
		l.fail(a.From, "a mirror leads to another cluster", slices.DeleteFunc(l.p.s.clusters(), func(c string) bool { return c == m.To })...)
	} else if a.From == m.From {
		a.From = "" // as the statement says
	}
	l.p.replaced = append(l.p.replaced, a)
	return a
}

func parseDeleteMirror(l *line) Act { return &DeleteMirror{l.mirror()} }

// sourcesOf are the clusters that a mirror may come from by the statements above: that of its line, and those with which a step
// creates it.
func (p *parser) sourcesOf(m *Mirror) []string {
	list := []string{m.From}
	for _, a := range p.replaced {
		if a.From != "" && p.s.FindMirror(a.Mirror) == m {
			list = append(list, a.From)
		}
	}
	return list
}

// Keyword is create.
func (a *CreateMirror) Keyword() string { return "create" }

// Keyword is delete.
func (a *DeleteMirror) Keyword() string { return "delete" }

// AppendText appends the line.
func (a *CreateMirror) AppendText(dst []byte) []byte {
	dst = append(dst, "create "+a.Mirror.String()...)
	if a.From != "" {
		dst = append(dst, " from "+a.From...)
	}
	return dst
}

// AppendText appends the line.
func (a *DeleteMirror) AppendText(dst []byte) []byte {
	return append(dst, "delete "+a.Mirror.String()...)
}

// Simpler is with the source of the mirror statement.
func (a *CreateMirror) Simpler() []Act {
	if a.From == "" {
		return nil
	}
	return []Act{&CreateMirror{Mirror: a.Mirror}}
}

// Simpler is nothing.
func (a *DeleteMirror) Simpler() []Act { return nil }
