package format

// Quiet is that nothing is pending: no request of a client or admin; every live ISR member at the leader's log end and
// high watermark; every mirrored partition in the state that its desired state asks for, with lag 0 while MIRRORING:
//
//	quiet
type Quiet struct{}

// AppendText appends the condition.
func (Quiet) AppendText(dst []byte) []byte { return append(dst, "quiet"...) }

// Met asks the history.
func (Quiet) Met(v View) (string, bool) { return v.Quiet() }
