package controller_test

import (
	"testing"

	"mirrorsim/model/id"
	"mirrorsim/model/node"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

func alter(epoch, partitionEpoch int32, isr ...id.Node) *wire.AlterPartitionRequest {
	return &wire.AlterPartitionRequest{Partition: tp, LeaderEpoch: epoch, PartitionEpoch: partitionEpoch,
		ISR: id.SetOf(isr...), Correlation: 5}
}

func bump(minimum int32) *wire.BumpLeaderEpochRequest {
	return &wire.BumpLeaderEpochRequest{Partition: tp, Minimum: minimum, Correlation: 5}
}

// codeOf is the error code of an answer, and whether it answers the request.
func codeOf(t *testing.T, m wire.Body) (wire.Code, uint32) {
	t.Helper()
	switch m := m.(type) {
	case *wire.AlterPartitionResponse:
		return m.Code, m.Correlation
	case *wire.BumpLeaderEpochResponse:
		return m.Code, m.Correlation
	case *wire.ElectLeadersResponse:
		return m.Code, m.Correlation
	case *wire.MirrorTopicsResponse:
		return m.Code, m.Correlation
	case *wire.CreateMirrorResponse:
		return m.Code, m.Correlation
	case *wire.DeleteMirrorResponse:
		return m.Code, m.Correlation
	case *wire.DeleteTopicsResponse:
		return m.Code, m.Correlation
	case *wire.CreatePartitionsResponse:
		return m.Code, m.Correlation
	case *wire.AllocateProducerIdsResponse:
		return m.Code, m.Correlation
	case *wire.BrokerHeartbeatResponse:
		return m.Code, m.Correlation
	}
	t.Fatalf("%T is no answer to a request", m)
	return 0, 0
}

// KAFKA-14154: a controller that is not active, or has not replayed to the end, answers NOT_CONTROLLER, whatever it is
// asked.
func TestKAFKA14154(t *testing.T) {
	requests := []wire.Body{alter(0, 0, a, b), bump(3), &wire.ElectLeadersRequest{Partition: tp, Target: id.None,
		Correlation: 5},
		&wire.CreateMirrorRequest{Mirror: &record.MirrorRecord{}, Correlation: 5}, &wire.DeleteMirrorRequest{Correlation: 5},
		&wire.DeleteTopicsRequest{Correlation: 5}, &wire.CreatePartitionsRequest{Correlation: 5},
		&wire.MirrorTopicsRequest{Correlation: 5}, &wire.AllocateProducerIdsRequest{Correlation: 5},
		&wire.BrokerHeartbeatRequest{Incarnation: 1, Correlation: 5}}
	ask := func(t *testing.T, r *rig, to id.Node, want wire.Code) {
		t.Helper()
		for _, req := range requests {
			code, correlation := codeOf(t, call[wire.Body](r, a, to, req))
			equal(t, req.API().String()+": code", code, want)
			equal(t, req.API().String()+": correlation", correlation, 5)
		}
	}
	t.Run("another is active", func(t *testing.T) {
		r := active(t, plain(false, a, b))
		r.boot(y)
		r.run()
		ask(t, r, y, wire.NotController)
	})
	t.Run("behind", func(t *testing.T) {
		r := newRig(t, plain(false, a, b))
		r.lose = func(m message) bool { return m.body.API() == wire.MetadataFetch+1 }
		r.boot(x)
		r.run()
		ask(t, r, x, wire.NotController)
		r.lose = nil
		r.fire(t, x, fetchTimer, 0)
		code, _ := codeOf(t, call[wire.Body](r, a, x, bump(3)))
		equal(t, "code once it has replayed", code, wire.OK)
	})
}

// A controller has one append under way; what comes meanwhile queues and is decided by what the log took.
func TestOneChangeAtATime(t *testing.T) {
	r := active(t, plain(false, a, b, c))
	r.send(a, x, alter(0, 0, a, b))
	r.send(a, x, alter(0, 0, a, c)) // refused: the partition epoch is 1 by then
	r.send(a, x, bump(4))
	r.send(a, x, alter(4, 2, a))
	r.run()
	var got []wire.Code
	for _, m := range r.answers[a] {
		code, _ := codeOf(t, m)
		got = append(got, code)
	}
	equal(t, "answers", got, []wire.Code{wire.OK, wire.InvalidUpdateVersion, wire.OK, wire.OK})
	equal(t, "registration", r.registration(), "a@4 [a] 3 isr")
}

// An append whose request or answer was lost is sent again, and is taken once.
func TestLostAppend(t *testing.T) {
	for _, api := range []wire.API{wire.AppendMetadata, wire.AppendMetadata + 1} {
		t.Run(api.String(), func(t *testing.T) {
			r := active(t, plain(false, a, b, c))
			r.lose = func(m message) bool { return m.body.API() == api }
			if res := call[*wire.AlterPartitionResponse](r, a, x, alter(0, 0, a, b)); res != nil {
				t.Fatalf("answered %v before the log has it", res)
			}
			r.lose = nil
			r.fire(t, x, appendTimer, 0)
			equal(t, "answers", len(r.answers[a]), 1)
			equal(t, "registration", r.registration(), "a@0 [ab] 1 isr")
			_, armed := r.timers[x][node.Timer{Kind: appendTimer}]
			equal(t, "still asking", armed, false)
		})
	}
}

// A controller whose append is refused resigns: who waits is told NOT_CONTROLLER, and it follows the log again.
func TestRefusedAppend(t *testing.T) {
	r := active(t, plain(false, a, b, c))
	r.fire(t, log, sessionTimer, x)
	r.boot(y)
	r.run()
	r.send(a, x, alter(0, 0, a, b))
	r.send(b, x, &wire.AllocateProducerIdsRequest{Correlation: 6})
	r.run()
	for _, n := range []id.Node{a, b} {
		code, _ := codeOf(t, r.answers[n][0])
		equal(t, "code", code, wire.NotController)
	}
	equal(t, "records", len(r.records()), len(r.first))
	code, _ := codeOf(t, call[wire.Body](r, a, y, alter(0, 0, a, b)))
	equal(t, "code of the active one", code, wire.OK)
	_, armed := r.timers[x][node.Timer{Kind: sessionTimer, Peer: b}]
	equal(t, "the session of a broker with the old one", armed, false)
}

// KAFKA-15489: a controller that is cut from the log stops acting after a session time-out; until then it may still
// answer what needs no append.
func TestKAFKA15489(t *testing.T) {
	r := active(t, plain(false, a, b, c))
	r.cut[x] = true
	code, _ := codeOf(t, call[wire.Body](r, a, x, bump(0)))
	equal(t, "code before the time-out, of what is done already", code, wire.OK)
	r.send(a, x, alter(0, 0, a, b))
	r.run()
	r.answers[a] = nil
	equal(t, "session time-out", r.timers[x][node.Timer{Kind: sessionTimer, Peer: id.None}], r.settings.BrokerSession)
	r.fire(t, x, sessionTimer, id.None)
	code, _ = codeOf(t, r.answers[a][0])
	equal(t, "code of what waited", code, wire.NotController)
	code, _ = codeOf(t, call[wire.Body](r, a, x, bump(0)))
	equal(t, "code after the time-out", code, wire.NotController)
	r.cut[x] = false
	r.fire(t, x, heartbeatTimer, 0)
	code, _ = codeOf(t, call[wire.Body](r, a, x, bump(2)))
	equal(t, "code when it is active again", code, wire.OK)
	equal(t, "controller epoch", r.disks[log].ControllerEpoch, 2)
}

// An epoch that a controller gave up it never takes again. x abandons an append in epoch 1; a late answer must not make
// it act in epoch 1 once more, for the log would take its next append for a repeat of the abandoned one.
func TestEpochIsNotTakenAgain(t *testing.T) {
	r := active(t, plain(false, a, b, c))
	var late []message
	r.lose = func(m message) bool {
		if m.to == log && m.body.API() == wire.AppendMetadata {
			late = append(late, m)
		}
		return m.to == log || m.from == log
	}
	r.send(a, x, alter(0, 0, a, b))
	r.run()
	r.fire(t, x, sessionTimer, id.None)
	r.lose = nil
	r.send(log, x, &wire.ControllerHeartbeatResponse{Active: x, Epoch: 1, End: int64(len(r.records()))})
	r.run()
	code, _ := codeOf(t, call[wire.Body](r, a, x, bump(7)))
	equal(t, "code in the epoch that was given up", code, wire.NotController)
	r.queue = append(r.queue, late...)
	r.run()
	equal(t, "the abandoned append was taken", r.registration(), "a@0 [ab] 1 isr")
	r.fire(t, x, heartbeatTimer, 0)
	code, _ = codeOf(t, call[wire.Body](r, a, x, bump(7)))
	equal(t, "code before it has replayed what was taken", code, wire.NotController)
	r.fire(t, x, fetchTimer, 0)
	code, _ = codeOf(t, call[wire.Body](r, a, x, bump(7)))
	equal(t, "code in the next epoch", code, wire.OK)
	equal(t, "registration", r.registration(), "a@7 [ab] 2 bump")
}

// The active controller restarts: it gets a new epoch, and an append of its former life is refused.
func TestRestartedController(t *testing.T) {
	r := active(t, plain(false, a, b, c))
	var before message
	r.lose = func(m message) bool {
		if m.body.API() == wire.AppendMetadata {
			before = m
		}
		return m.body.API() == wire.AppendMetadata
	}
	r.send(a, x, alter(0, 0, a, b))
	r.run()
	r.lose = nil
	r.boot(x)
	r.run()
	equal(t, "controller epoch", r.disks[log].ControllerEpoch, 2)
	r.queue = append(r.queue, before)
	r.run()
	equal(t, "registration", r.registration(), "a@0 [abc] 0 created")
	r.answers[a] = nil
	var after message
	r.lose = func(m message) bool { after = m; return m.body.API() == wire.AppendMetadata }
	r.send(a, x, alter(0, 0, a, c))
	r.run()
	if now, then := after.body.(*wire.AppendMetadataRequest).Correlation,
		before.body.(*wire.AppendMetadataRequest).Correlation; now <= then {
		t.Errorf("correlation %d of the new life follows %d of the former", now, then)
	}
}

func TestProducerIds(t *testing.T) {
	r := active(t, plain(false, a))
	for want := int64(0); want < 3000; want += 1000 {
		res := call[*wire.AllocateProducerIdsResponse](r, a, x, &wire.AllocateProducerIdsRequest{Correlation: 5})
		equal(t, "block", *res, wire.AllocateProducerIdsResponse{Start: want, Count: 1000, Correlation: 5})
	}
}

// Each append has a number above those of all requests before it: the answer to an earlier one, which comes late or twice, is not
// taken for its own.
func TestAppendsAreNumbered(t *testing.T) {
	r := active(t, plain(false, a, b, c))
	var newest uint32
	appends := 0
	r.lose = func(m message) bool {
		var n uint32
		switch body := m.body.(type) {
		case *wire.AppendMetadataRequest:
			n = body.Correlation
			appends++
		case *wire.ControllerHeartbeatRequest:
			n = body.Correlation
		default:
			return false
		}
		if n <= newest {
			t.Errorf("%v has number %d, after number %d", m.body.API(), n, newest)
		}
		newest = n
		return false
	}
	for i := range int32(3) {
		call[*wire.BumpLeaderEpochResponse](r, a, x, bump(3*i+3))
		r.fire(t, x, heartbeatTimer, 0)
	}
	equal(t, "appends", appends, 3)
}

// A clone goes on by itself, and two controllers that wait for different things are not in the same state.
func TestClone(t *testing.T) {
	r := active(t, plain(false, a, b, c))
	r.lose = func(m message) bool { return m.body.API() == wire.AppendMetadata }
	r.send(a, x, alter(0, 0, a, b))
	r.run()
	before := string(r.nodes[x].AppendState(nil))
	twin := r.nodes[x].Clone(r.disks[x])
	equal(t, "state of the clone", string(twin.AppendState(nil)), before)
	var out node.Effects
	twin.Step(node.Input{Body: bump(9), From: a}, &out)
	twin.Step(node.Input{Timer: node.Timer{Kind: sessionTimer, Peer: id.None}}, &out)
	equal(t, "state of the original", string(r.nodes[x].AppendState(nil)), before)
	other := active(t, plain(false, a, b, c))
	other.lose = r.lose
	other.send(a, x, alter(0, 0, a, c))
	other.run()
	if string(other.nodes[x].AppendState(nil)) == before {
		t.Error("another change is under way, and the state is the same")
	}
	images := map[string]bool{}
	for _, n := range []id.Node{b, c} {
		r := active(t, plain(false, a, b, c))
		r.send(a, x, alter(0, 0, a, n))
		r.run()
		images[string(r.nodes[x].AppendState(nil))] = true
	}
	equal(t, "states, by an ISR of the image", len(images), 2)
	states := map[string]bool{}
	for _, n := range []id.Node{a, b} {
		r := active(t, plain(false, a, b, c))
		r.lose = func(m message) bool { return m.body.API() == wire.AppendMetadata }
		r.send(n, x, &wire.AllocateProducerIdsRequest{})
		r.run()
		states[string(r.nodes[x].AppendState(nil))] = true
	}
	equal(t, "states, by who waits for the answer", len(states), 2)
	queued := map[string]bool{}
	for _, minimum := range []int32{7, 9} {
		r := active(t, plain(false, a, b, c))
		r.lose = func(m message) bool { return m.body.API() == wire.AppendMetadata }
		r.send(a, x, alter(0, 0, a, b))
		r.send(a, x, bump(minimum))
		r.run()
		queued[string(r.nodes[x].AppendState(nil))] = true
	}
	equal(t, "states, by what has to wait", len(queued), 2)
	logTwin := r.nodes[log].Clone(r.disks[log].Clone())
	logTwin.Step(node.Input{Body: &wire.AppendMetadataRequest{Epoch: 1, Base: int64(len(r.first)),
		Records: []record.Metadata{&record.ProducerIdsRecord{Next: 5}}}, From: x}, &out)
	equal(t, "records of the original log", len(r.records()), len(r.first))
}
