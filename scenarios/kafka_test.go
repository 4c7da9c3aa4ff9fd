package scenarios

import (
	"slices"
	"strings"
	"testing"
)

// kafkaIssues are the mechanisms of replication that were once wrong in Kafka, by the names under which engineers know
// them, in the order of the list: truncation and epochs; high watermark and visibility; controller and ISR; producers and
// transactions.
const kafkaIssues = `
KIP-101a KIP-101b KAFKA-7415 KAFKA-7164 KAFKA-7128 KAFKA-14704 KAFKA-18723 KAFKA-13207 KAFKA-2143 KAFKA-16541 KAFKA-6857
KIP-279 KAFKA-13141 KAFKA-3330 KAFKA-5634
KAFKA-9835 KAFKA-9338 KIP-320 KAFKA-9840 KAFKA-10778
KAFKA-14154 KAFKA-12686 KAFKA-9672 KAFKA-15489 KAFKA-10751
KAFKA-6003 KAFKA-7190 KAFKA-18202 KAFKA-15591 KAFKA-16352 KAFKA-19367 KAFKA-17754 KAFKA-18464 KAFKA-18137 KIP-664
`

// kafkaRows plays each issue with the numbers of the list, on nodes of a world.
var kafkaRows = []struct {
	issue string
	play  func(t *testing.T)
}{
	{"KIP-101a", kip101a},
	{"KIP-101b", kip101b},
	{"KAFKA-7415", kafka7415},
	{"KAFKA-7164", kafka7164},
	{"KAFKA-7128", kafka7128},
	{"KAFKA-14704", kafka14704},
	{"KAFKA-18723", kafka18723},
	{"KAFKA-13207", kafka13207},
	{"KAFKA-2143", kafka2143},
	{"KAFKA-16541", kafka16541},
	{"KAFKA-6857", kafka6857},
	{"KIP-279", kip279},
	{"KAFKA-13141", kafka13141},
	{"KAFKA-3330", kafka3330},
	{"KAFKA-5634", kafka5634},
	{"KAFKA-9835", kafka9835},
	{"KAFKA-9338", kafka9338},
	{"KIP-320", kip320},
	{"KAFKA-9840", kafka9840},
	{"KAFKA-10778", kafka10778},
	{"KAFKA-14154", kafka14154},
	{"KAFKA-12686", kafka12686},
	{"KAFKA-9672", kafka9672},
	{"KAFKA-15489", kafka15489},
	{"KAFKA-10751", kafka10751},
	{"KAFKA-6003", kafka6003},
	{"KAFKA-7190", kafka7190},
	{"KAFKA-18202", kafka18202},
	{"KAFKA-15591", kafka15591},
	{"KAFKA-16352", kafka16352},
	{"KAFKA-19367", kafka19367},
	{"KAFKA-17754", kafka17754},
	{"KAFKA-18464", kafka18464},
	{"KAFKA-18137", kafka18137},
	{"KIP-664", kip664},
}

func TestKafka(t *testing.T) {
	for _, row := range kafkaRows {
		t.Run(row.issue, row.play)
	}
}

// Every issue of the list is played once.
func TestKafkaHasEveryIssue(t *testing.T) {
	issues := strings.Fields(kafkaIssues)
	var found []string
	for _, row := range kafkaRows {
		found = append(found, row.issue)
	}
	for _, issue := range issues {
		if n := len(slices.DeleteFunc(slices.Clone(found), func(f string) bool { return f != issue })); n != 1 {
			t.Errorf("%s is named %d times", issue, n)
		}
	}
	for _, f := range found {
		if !slices.Contains(issues, f) {
			t.Errorf("%s is not in the list", f)
		}
	}
}
