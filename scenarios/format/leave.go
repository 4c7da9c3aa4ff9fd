package format

// Leave has a group's member commit its positions on a cluster and leave the group there, so that it may be read elsewhere:
//
//	leave g
//	leave g on B
//
// Without on it is the client's home cluster. It has completed when the client has left. Its offsets stay, and a consume on
// that cluster joins the group again.
type Leave struct {
	Client string
	On     string // a cluster; empty: the client's home
}

func parseLeave(l *line) Act {
	a := &Leave{Client: l.client("leave", Group)}
	a.On = l.onCluster(a.Client)
	return a
}

// Keyword is leave.
func (a *Leave) Keyword() string { return "leave" }

// AppendText appends the line.
func (a *Leave) AppendText(dst []byte) []byte { return appendEnd(dst, "leave", a.Client, a.On) }

// Simpler is nothing.
func (a *Leave) Simpler() []Act { return nil }
