package format

// Commit ends a transactional producer's transaction, or commits a group's offsets:
//
//	commit tx
//
// It has completed when the client has its answer.
type Commit struct{ Client string }

// Abort aborts a transactional producer's transaction:
//
//	abort tx
//
// It has completed when the client has its answer.
type Abort struct{ Client string }

func parseCommit(l *line) Act { return &Commit{l.client("commit", Transactional, Group)} }
func parseAbort(l *line) Act  { return &Abort{l.client("abort", Transactional)} }

// Keyword is commit.
func (a *Commit) Keyword() string { return "commit" }

// Keyword is abort.
func (a *Abort) Keyword() string { return "abort" }

// AppendText appends the line.
func (a *Commit) AppendText(dst []byte) []byte { return append(dst, "commit "+a.Client...) }

// AppendText appends the line.
func (a *Abort) AppendText(dst []byte) []byte { return append(dst, "abort "+a.Client...) }

// Simpler is nothing.
func (a *Commit) Simpler() []Act { return nil }

// Simpler is nothing.
func (a *Abort) Simpler() []Act { return nil }
