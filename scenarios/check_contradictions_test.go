package scenarios

import (
	"fmt"
	"strings"
	"testing"
)

// contradictions are events of which each contradicts those before it, on the clusters of contradictory.
var contradictions = []struct{ name, lines string }{
	{"a log that is cut above its end", `{"kind":"truncated","node":"a0","partition":"t-0","leader_epoch":0,"log_end":9000,"log_end_before":3,"cause":"diverged"}`},
	{"a log start above the log end", `{"kind":"start-moved","node":"a0","partition":"t-0","log_start":9007199254740991,"log_start_before":0}`},
	{"a log that comes back with its start above its end", `{"kind":"recovered","node":"a0","partition":"t-0","log_start":9,"log_end":2,"digest":"0000000000000000"}`},
	{"a high watermark above the log end", `{"kind":"high-watermark","node":"a0","partition":"t-0","leader_epoch":0,"high_watermark":9007199254740992,"log_end":0}`},
	{"a batch below the log end", oneRecord("a0", 0) + oneRecord("a0", 0)},
	{"a batch far above the log end", oneRecord("a0", 9007199254740000)},
	{"the highest partition that there is", `{"kind":"high-watermark","node":"a0","partition":"t-65534","leader_epoch":0,"high_watermark":1,"log_end":1}`},
	{"a leader of another cluster", `{"kind":"partition-changed","node":"a-log","partition":"t-0","leader":"b0","leader_epoch":2,"partition_epoch":0,"isr":["b0"],"replicas":["b0"],"cause":"clean-election"}`},
	{"nobody in the ISR", `{"kind":"partition-changed","node":"a-log","partition":"t-0","leader_epoch":3,"partition_epoch":0,"isr":[],"replicas":[],"cause":"no-leader"}`},
	{"a cleaner of what is not there", `{"kind":"compacted","node":"a0","partition":"t-0","base_offset":700,"end":701}`},
	{"a batch from which all was cleaned", `{"kind":"appended","node":"a0","partition":"t-0","leader_epoch":0,"origin":"client","batch":{"base_offset":9,"last_offset":9,"leader_epoch":0,"crc":9,"deltas":[]}}` +
		`{"kind":"group-joined","node":"p","cluster":"A","generation":1}` +
		`{"kind":"consumer-read","node":"p","partition":"t-0","cluster":"A","broker":"a0","from":9,"to":10,"leader_epoch":0,"read_committed":true,"digest":"0000000000000000"}`},
	{"mirror states in a topic of users", `{"kind":"appended","node":"a0","partition":"t-0","leader_epoch":0,"origin":"internal","batch":{"base_offset":5,"last_offset":5,"leader_epoch":0,"crc":5,"states":[{"entry":"state","mirror":"m","partition":"t-1","life":1,"state":"STOPPED"}]}}` +
		`{"kind":"coordinator-loaded","node":"a0","partition":"t-0","leader_epoch":0,"entries":4}`},
	{"entries of no report", `{"kind":"epoch-reported","node":"a0","partition":"t-0","epoch":1,"start":5}{"kind":"producer-reported","node":"a0","partition":"t-0","producer_id":1,"producer_epoch":0,"last_sequence":0,"transaction_start":-1,"last_offset":0}`},
	{"a report of very many entries", `{"kind":"replica-reported","node":"a0","partition":"t-0","leader_epoch":0,"log_start":0,"log_end":0,"high_watermark":0,"epoch_entries":65535,"producer_entries":65535,"cause":"end","digest":"0000000000000000"}`},
	{"a stop of what was never started", `{"kind":"stop-step-done","node":"b0","partition":"t-0","mirror":"m","step":"reset","leader_epoch":0,"log_end":7,"batch_epoch":-1}` +
		`{"kind":"state-stored","node":"b0","partition":"t-0","mirror":"m","writer":"a0","op":1,"before":"UNKNOWN","state":"STOPPED","leader_epoch":0,"state_epoch":0,"run":9,"stored_at":0}`},
	{"a mirror of itself", `{"kind":"mirror-created","node":"a-log","mirror":"m","source":"A"}{"kind":"intent-changed","node":"a-log","topic":"t","mirror":"m","desired":"mirroring"}` +
		`{"kind":"mirror-fetched","node":"a0","partition":"t-0","mirror":"m","source":"a0","fetch_offset":0,"source_high_watermark":-1,"leader_epoch":0,"source_epoch":0,"code":"NONE"}`},
	{"answers to nobody", `{"kind":"produce-returned","node":"p","partition":"t-0","op":77,"cluster":"B","base_offset":5,"code":"NONE"}` +
		`{"kind":"admin-returned","node":"root","op":78,"cluster":"B","topic":"t","mirror":"m","code":"NONE"}` +
		`{"kind":"state-read-returned","node":"b0","partition":"t-0","mirror":"m","op":79,"state":"PAUSED","state_epoch":4,"run":1,"code":"NONE"}`},
	{"a bit that turns back twice", `{"kind":"corrupted","node":"a0","partition":"t-0","base_offset":0,"corrupt":false}{"kind":"corrupted","node":"a0","partition":"t-0","base_offset":0,"corrupt":false}`},
	{"a topic that is deleted under its records", `{"kind":"topic-removed","node":"a-log","topic":"t"}{"kind":"replica-removed","node":"a0","partition":"t-0"}` + oneRecord("a0", 3)},
	{"a metadata log that crashes", `{"kind":"crashed","node":"a-log","cause":"power-loss"}{"kind":"crashed","node":"a0","cause":"power-loss"}` + oneRecord("a0", 4)},
	{"a core of nobody", `{"kind":"second-phase-over","core":[],"bound_us":0}`},
}

func oneRecord(node string, base int64) string {
	return fmt.Sprintf(`{"kind":"appended","node":"%s","partition":"t-0","leader_epoch":0,"origin":"client","batch":{"base_offset":%d,"last_offset":%[2]d,`+
		`"leader_epoch":0,"crc":%d,"records":[[1,%[3]d]]}}`, node, base, base%1000)
}

// contradictory is a history of these lines, which need no time.
func contradictory(lines string) string {
	begin := `{"schema":"mirrorsim.history/1","clusters":["A","B"],"nodes":[{"name":"a0","cluster":"A","role":"broker"},{"name":"b0","cluster":"B","role":"broker"},` +
		`{"name":"a-log","cluster":"A","role":"metadata-log"},{"name":"b-log","cluster":"B","role":"metadata-log"},{"name":"p","cluster":"A","role":"client"},` +
		`{"name":"root","cluster":"B","role":"admin"}],"topics":[{"id":"t","on":"A"}],"mirrors":[{"name":"m","to":"B"}],"design":{"position_epoch":true}}` + "\n"
	lines = `{"kind":"topic-created","node":"a-log","topic":"t","partitions":65535,"min_isr":1}{"kind":"topic-created","node":"b-log","topic":"t","partitions":65535,"min_isr":1}` +
		`{"kind":"partition-changed","node":"a-log","partition":"t-0","leader":"a0","leader_epoch":0,"partition_epoch":0,"isr":["a0"],"replicas":["a0"],"cause":"created"}` +
		`{"kind":"became-leader","node":"a0","partition":"t-0","leader_epoch":0,"log_end":0,"high_watermark":0}` + oneRecord("a0", 0) + lines
	events := strings.Count(lines, `{"kind"`) - strings.Count(lines, `"second-phase-over"`)
	return begin + strings.ReplaceAll(strings.ReplaceAll(lines, "}{", "}\n{"), `{"kind"`, `{"us":0,"kind"`) +
		fmt.Sprintf("\n"+`{"us":0,"kind":"end","events":%d}`+"\n", events)
}

// TestContradictions: each is judged, alone and behind all others.
func TestContradictions(t *testing.T) {
	all := ""
	for _, c := range contradictions {
		all += c.lines
		for _, lines := range []string{c.lines, all} {
			r, err := CheckHistory(t.Context(), c.name, strings.NewReader(contradictory(lines)), true)
			if err != nil {
				t.Fatal(err)
			}
			if r.Report(c.name); !r.Complete {
				t.Errorf("%s: it has no end", c.name)
			}
		}
	}
	r, err := CheckHistory(t.Context(), "all", strings.NewReader(contradictory(all)), true)
	if err != nil || r.Verdict() != "violated" {
		t.Errorf("%v, %s", err, r.Verdict())
	}
}
