package controller_test

import (
	"fmt"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/point"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

func beat(r *rig, from id.Node, epoch int32) wire.ControllerHeartbeatResponse {
	return *call[*wire.ControllerHeartbeatResponse](r, from, log, &wire.ControllerHeartbeatRequest{Epoch: epoch,
		Correlation: 1})
}

// The role goes to the first that asks, and stays with it while it lives; each time it is given the epoch rises.
func TestLogGivesTheRole(t *testing.T) {
	r := newRig(t, plain(false, a))
	end := int64(len(r.records()))
	answer := func(active id.Node, epoch int32) wire.ControllerHeartbeatResponse {
		return wire.ControllerHeartbeatResponse{Active: active, Epoch: epoch, End: end, Correlation: 1}
	}
	equal(t, "x asks first", beat(r, x, 0), answer(x, 1))
	equal(t, "y asks", beat(r, y, 0), answer(x, 1))
	equal(t, "x lives", beat(r, x, 1), answer(x, 1))
	r.fire(t, log, sessionTimer, y)
	equal(t, "x keeps the role when y is gone", beat(r, x, 1), answer(x, 1))
	r.fire(t, log, sessionTimer, x)
	equal(t, "y asks when x is gone", beat(r, y, 0), answer(y, 2))
	equal(t, "x is back", beat(r, x, 1), answer(y, 2))
	equal(t, "y has restarted: what it sent before must not be taken for what it sends now", beat(r, y, 0), answer(y, 3))
	r.boot(log)
	equal(t, "the log has restarted: it keeps the epoch, not who was active", beat(r, y, 3), answer(y, 4))
	var epochs []int32
	for _, e := range r.events {
		if e.Kind == event.ControllerElected {
			epochs = append(epochs, e.LeaderEpoch)
		}
	}
	equal(t, "elections in the history", epochs, []int32{1, 2, 3, 4})
}

func TestLogAppends(t *testing.T) {
	r := newRig(t, plain(false, a))
	end := int64(len(r.records()))
	beat(r, x, 0)
	beat(r, x, 0) // epoch 2
	one, two := &record.ProducerIdsRecord{Next: 1}, &record.ProducerIdsRecord{Next: 2}
	for _, test := range []struct {
		name  string
		epoch int32
		base  int64
		code  wire.Code
		end   int64
	}{
		{"an older epoch", 1, end, wire.NotController, end},
		{"an epoch that does not exist", 3, end, wire.NotController, end},
		{"beyond the end", 2, end + 1, wire.NotController, end},
		{"at the end", 2, end, wire.OK, end + 2},
		{"the same again", 2, end, wire.OK, end + 2},
		{"the next", 2, end + 2, wire.OK, end + 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			res := call[*wire.AppendMetadataResponse](r, x, log, &wire.AppendMetadataRequest{Epoch: test.epoch,
				Base:    test.base,
				Records: []record.Metadata{one, two}, Correlation: 7})
			equal(t, "answer", *res, wire.AppendMetadataResponse{Code: test.code, End: test.end, Correlation: 7})
			equal(t, "end", int64(len(r.records())), test.end)
		})
	}
}

// A fetch at the end waits for records or for a controller of a higher epoch; a second one of the same node replaces it.
func TestLogParksFetches(t *testing.T) {
	r := newRig(t, plain(false, a))
	end := int64(len(r.records()))
	fetch := func(from id.Node, offset int64, epoch int32, correlation uint32) *wire.MetadataFetchResponse {
		return call[*wire.MetadataFetchResponse](r, from, log, &wire.MetadataFetchRequest{Offset: offset,
			ControllerEpoch: epoch, Correlation: correlation})
	}
	woken := func(n id.Node) (list []uint32) {
		for _, m := range r.answers[n] {
			list = append(list, m.(*wire.MetadataFetchResponse).Correlation)
		}
		r.answers[n] = nil
		return list
	}
	res := fetch(a, 2, 0, 1)
	equal(t, "records from 2 on", [2]int64{res.Base, int64(len(res.Records))}, [2]int64{2, end - 2})
	if fetch(a, end, 0, 2) != nil || fetch(a, end, 0, 3) != nil || fetch(b, end, 9, 4) != nil {
		t.Fatal("a fetch at the end is answered")
	}
	beat(r, x, 0)
	equal(t, "answers to a, of which the newer fetch waited", woken(a), []uint32{3})
	equal(t, "answers to b", woken(b), []uint32{4})
	equal(t, "a fetch that knows an older epoch", fetch(a, end, 0, 5).Controller, x)
	fetch(a, end, 1, 6)
	call[*wire.AppendMetadataResponse](r, x, log, &wire.AppendMetadataRequest{Epoch: 1, Base: end,
		Records: []record.Metadata{&record.ProducerIdsRecord{Next: 1}}})
	equal(t, "records in the answer that waited", len(r.answers[a][0].(*wire.MetadataFetchResponse).Records), 1)
	equal(t, "answers to a", woken(a), []uint32{6})
	beat(r, x, 0)
	equal(t, "who was answered waits no more", woken(a), nil)
}

// A log that boots writes what it holds into the history.
func TestLogEvents(t *testing.T) {
	r := newRig(t, append(plain(true, b, c), &record.MirrorRecord{Mirror: 2, Source: 1},
		&record.MirrorTopicRecord{Topic: topic, Mirror: 2, Desired: record.WantPaused},
		&record.BrokerRecord{Broker: c, Incarnation: 4, Fenced: true}))
	want := []event.Event{
		{Kind: event.TopicCreated, Partition: tp, Peer: id.None, Sequence: 1, To: 1, From: 2},
		{Kind: event.PartitionChanged, Partition: tp, Peer: b, Digest: 0b110, Offset: 0b111},
		{Kind: event.MirrorCreated, Peer: id.None, Mirror: 2, To: 1},
		{Kind: event.IntentChanged, Partition: tp, Peer: id.None, Mirror: 2, To: uint8(record.WantPaused)},
		{Kind: event.BrokerChanged, Peer: c, Sequence: 4, To: 1},
	}
	equal(t, "events", r.events[3:], want)
}

// A bump parts twice: the log has it and nobody has heard of it; the controller has applied it and has not answered.
func TestPointsOfABump(t *testing.T) {
	r := active(t, plain(false, a, b))
	r.points = nil
	call[*wire.ElectLeadersResponse](r, a, x, &wire.ElectLeadersRequest{Partition: tp, Target: b, Client: id.None})
	equal(t, "points of an election", len(r.points), 0)
	res := call[*wire.BumpLeaderEpochResponse](r, b, x, bump(7))
	equal(t, "answer", res.LeaderEpoch, int32(7))
	equal(t, "points of a bump", fmt.Sprint(r.points), fmt.Sprint([]point.Point{point.BumpAppended, point.BumpApplied}))
}

// What the log holds when it starts again is in the history already.
func TestTheLogStartsAgain(t *testing.T) {
	r := active(t, plain(false, a, b))
	call[*wire.BumpLeaderEpochResponse](r, a, x, bump(7))
	before := len(r.events)
	r.boot(log)
	equal(t, "events of the start", len(r.events), before)
	equal(t, "registration", r.registration(), "a@7 [ab] 1 bump")
}
