package format

// Commit ends a transactional producer's transaction, or commits a group's offsets:
//
//	commit tx
//	commit tx on B
//
// Without on it is the client's home cluster. It has completed when the client has its answer.
type Commit struct {
	Client string
	On     string // a cluster; empty: the client's home
}

// Abort aborts a transactional producer's transaction:
//
//	abort tx
//	abort tx on B
//
// Without on it is the client's home cluster. It has completed when the client has its answer.
type Abort struct {
	Client string
	On     string // a cluster; empty: the client's home
}

func parseCommit(l *line) Act {
	a := &Commit{Client: l.client("commit", Transactional, Group)}
	a.On = l.onCluster(a.Client)
	return a
}

func parseAbort(l *line) Act {
	a := &Abort{Client: l.client("abort", Transactional)}
	a.On = l.onCluster(a.Client)
	return a
}

// onCluster reads on CLUSTER, which stands for nothing where it is the client's home.
func (l *line) onCluster(client string) string {
	if !l.skip("on") {
		return ""
	}
	c := l.cluster().Name
	if x := l.p.s.client(client); x != nil && x.On == c {
		return ""
	}
	return c
}

// Keyword is commit.
func (a *Commit) Keyword() string { return "commit" }

// Keyword is abort.
func (a *Abort) Keyword() string { return "abort" }

// AppendText appends the line.
func (a *Commit) AppendText(dst []byte) []byte { return appendEnd(dst, "commit", a.Client, a.On) }

// AppendText appends the line.
func (a *Abort) AppendText(dst []byte) []byte { return appendEnd(dst, "abort", a.Client, a.On) }

func appendEnd(dst []byte, keyword, client, on string) []byte {
	dst = append(dst, keyword+" "+client...)
	if on != "" {
		dst = append(dst, " on "+on...)
	}
	return dst
}

// Simpler is nothing.
func (a *Commit) Simpler() []Act { return nil }

// Simpler is nothing.
func (a *Abort) Simpler() []Act { return nil }
