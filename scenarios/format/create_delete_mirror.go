package format

// CreateMirror has the admin of the mirror's destination create the resource MIRROR/<name> as its mirror statement says. It
// is for one that is absent when the run begins, or that was deleted:
//
//	create m
//
// It has completed when the admin has the result.
type CreateMirror struct{ Mirror MirrorRef }

// DeleteMirror has the admin delete the mirror:
//
//	delete B/m
//
// It has completed when the admin has the result.
type DeleteMirror struct{ Mirror MirrorRef }

func parseCreateMirror(l *line) Act { return &CreateMirror{l.mirror()} }
func parseDeleteMirror(l *line) Act { return &DeleteMirror{l.mirror()} }

// Keyword is create.
func (a *CreateMirror) Keyword() string { return "create" }

// Keyword is delete.
func (a *DeleteMirror) Keyword() string { return "delete" }

// AppendText appends the line.
func (a *CreateMirror) AppendText(dst []byte) []byte {
	return append(dst, "create "+a.Mirror.String()...)
}

// AppendText appends the line.
func (a *DeleteMirror) AppendText(dst []byte) []byte {
	return append(dst, "delete "+a.Mirror.String()...)
}

// Simpler is nothing.
func (a *CreateMirror) Simpler() []Act { return nil }

// Simpler is nothing.
func (a *DeleteMirror) Simpler() []Act { return nil }
