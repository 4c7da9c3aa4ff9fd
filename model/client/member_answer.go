package client

import (
	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/wire"
)

// coordinatorAnswered takes the answer to a membership's request; false where the message is none.
func (g *groupConsumer) coordinatorAnswered(body wire.Body, out *node.Effects) bool {
	correlation, code, ok := answerOf(body)
	if !ok {
		return false
	}
	for _, m := range g.members {
		if m.asking == 0 || m.asking != correlation {
			continue // late, or a duplicate
		}
		m.asking = 0
		out.Cancel(m.timer(groupTimer))
		if code != wire.OK {
			g.coordinatorFailed(m, body, code, out)
		} else {
			m.tries = 0
			g.succeeded(m, body, out)
		}
		g.advance(m, out)
	}
	return true
}

// answerOf is the correlation and code of a coordinator's answer.
func answerOf(body wire.Body) (uint32, wire.Code, bool) {
	switch b := body.(type) {
	case *wire.FindCoordinatorResponse:
		return b.Correlation, b.Code, true
	case *wire.JoinGroupResponse:
		return b.Correlation, b.Code, true
	case *wire.HeartbeatResponse:
		return b.Correlation, b.Code, true
	case *wire.LeaveGroupResponse:
		return b.Correlation, b.Code, true
	case *wire.OffsetCommitResponse:
		return b.Correlation, b.Code, true
	case *wire.OffsetFetchResponse:
		return b.Correlation, b.Code, true
	}
	return 0, 0, false
}

// succeeded takes a good answer.
func (g *groupConsumer) succeeded(m *member, body wire.Body, out *node.Effects) {
	switch b := body.(type) {
	case *wire.FindCoordinatorResponse:
		m.coordinator = b.Coordinator
	case *wire.JoinGroupResponse:
		m.joined, m.id, m.generation = true, b.Member, b.Generation
		e := out.Emit(event.GroupJoined, id.Partition{})
		e.From, e.Sequence = uint8(m.cluster), m.generation
		g.halt(m, out)
		out.Arm(m.timer(heartbeatTimer), g.settings.GroupSession/heartbeats, 0)
		out.Arm(m.timer(commitTimer), g.settings.GroupCommit, 0)
	case *wire.HeartbeatResponse:
		m.beat = false
	case *wire.LeaveGroupResponse:
		g.ended(m, out)
	case *wire.OffsetCommitResponse:
		g.saved(m, b)
	case *wire.OffsetFetchResponse:
		if r := g.reader(m.cluster, b.Partition); r.phase == resuming {
			g.resume(r, b, out)
		}
	}
}

// saved notes the position that was committed. It may have moved on meanwhile, so that the request's counts.
func (g *groupConsumer) saved(m *member, res *wire.OffsetCommitResponse) {
	r := g.reader(m.cluster, res.Partition)
	r.saved, r.savedEpoch = r.asked, r.askedEpoch
	m.todo = m.todo[1:]
}

// coordinatorFailed decides what an error of the coordinator does, body being the answer, or nil: the request is sent again,
// after a back-off and to another coordinator where that may be the reason; a member that is not of its group's generation
// joins again; and any other error of a commit is the command's. A commit that a fenced member had under way has failed.
func (g *groupConsumer) coordinatorFailed(m *member, body wire.Body, code wire.Code, out *node.Effects) {
	switch {
	case code == wire.IllegalGeneration && len(m.ops) > 0 && m.ops[0].begun && m.ops[0].leave:
		m.todo = nil // it leaves all the same, for which the generation does not count
		g.failOp(m, code)
	case code == wire.UnknownMemberId || code == wire.IllegalGeneration:
		m.joined, m.todo = false, nil
		if code == wire.UnknownMemberId {
			m.id = 0
		}
		g.failOp(m, code)
		g.halt(m, out)
	case code == wire.UnknownTopicOrPartition && len(m.todo) > 0:
		m.todo = m.todo[1:]
		g.failOp(m, code)
	default:
		if _, finding := body.(*wire.FindCoordinatorResponse); !finding && code != wire.CoordinatorLoadInProgress {
			m.coordinator = id.None
		}
		m.waiting = true
		g.armBackoff(m.timer(groupRetryTimer), &m.tries, out)
	}
}

// failOp notes the first failure of the command under way; a commit ends with it.
func (g *groupConsumer) failOp(m *member, code wire.Code) {
	if len(m.ops) > 0 && m.ops[0].begun && m.ops[0].code == wire.OK {
		m.ops[0].code = code
	}
}
