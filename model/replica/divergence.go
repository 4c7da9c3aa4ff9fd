package replica

import "mirrorsim/model/plog"

// CutPoint is where a log must be truncated after a fetch was answered with the diverging (epoch, end). The fetcher looks
// up its own endOffsetFor(epoch): if that names the answered epoch, the smaller of its own and the answered end; if it
// names a lower epoch, its own end of that one; if undefined, the answered end; never above its own log end (section 4
// of the design; KIP-279). Followers and mirror fetchers obey it alike.
func CutPoint(l *plog.Log, epoch int32, end int64) int64 {
	own, ownEnd, ok := l.EndOffsetFor(epoch)
	switch {
	case !ok:
		return min(end, l.End())
	case own == epoch:
		return min(end, ownEnd, l.End())
	}
	return min(ownEnd, l.End())
}
