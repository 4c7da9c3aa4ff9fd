package history

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"mirrorsim/model/event"
	"mirrorsim/model/record"
)

// TestDigestOfThePage: HISTORY.md has an example of a digest, for who computes one in another language.
func TestDigestOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../model/event/HISTORY.md")
	if err != nil {
		t.Fatal(err)
	}
	b := &record.Batch{Base: 0, Last: 2, LeaderEpoch: 1, CRC: 2630794753, ProducerID: 7}
	want := fmt.Sprintf("%016x", event.MixBatch(0, b))
	_, rest, _ := strings.Cut(string(page), `{"base_offset":0,"last_offset":2,"leader_epoch":1,"crc":2630794753,"producer_id":7,"producer_epoch":0}`)
	if line, _, _ := strings.Cut(rest, "."); line != "` it is `"+want+"`" {
		t.Errorf("the page says %q, it is %s", line, want)
	}
}
