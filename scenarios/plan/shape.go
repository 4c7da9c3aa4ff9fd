package plan

import "strings"

// shapes are the values of keys, for who does not know what stands there. Those of a plan itself are named after it: a step has topics
// of another form.
var shapes = map[string]string{
	"a plan/plan":      "NAME",
	"a plan/clusters":  "{NAME: {}, NAME: {}}",
	"a plan/mirrors":   "{NAME: {from: CLUSTER, to: CLUSTER}}",
	"a plan/topics":    "{NAME: {mirror: MIRROR, partitions: {0: ...}}}",
	"a plan/groups":    "{NAME: {offsets: {TOPIC: {PARTITION: {CLUSTER: OFFSET, CLUSTER: OFFSET}}}}}",
	"a plan/producers": "{NAME: {cluster: CLUSTER, topics: [TOPIC], rate: RECORDS-A-SECOND}}",
	"a plan/steps":     "[stop: {mirror: MIRROR}], one entry for each step",
	"from":             "CLUSTER",
	"to":               "CLUSTER",
	"cluster":          "CLUSTER",
	"mirror":           "MIRROR",
	"topics":           "[TOPIC, TOPIC]",
	"groups":           "[GROUP, GROUP]",
	"producers":        "[PRODUCER, PRODUCER]",
	"partitions":       "{0: {CLUSTER: {replicas: [1, 2], log-start: OFFSET, end: OFFSET}, CLUSTER: {...}, state: MIRRORING}}",
	"state":            "MIRRORING, or another state of kafka-mirrors --describe",
	"replicas":         "[1, 2]",
	"log-start":        "OFFSET",
	"end":              "OFFSET",
	"offsets":          "{TOPIC: {PARTITION: {CLUSTER: OFFSET, CLUSTER: OFFSET}}}",
	"rate":             "RECORDS-A-SECOND",
}

// shapeOf is the form of the value of a key of what; unknown is it where none is known.
func shapeOf(what, key, unknown string) string {
	for _, k := range []string{what + "/" + key, key} {
		if s := shapes[k]; s != "" {
			return s
		}
	}
	return unknown
}

// valueOf is a key of what with the form of its value. The keys of a partition and of a group may be clusters.
func valueOf(what, key string) string {
	unknown := "VALUE"
	switch {
	case strings.HasPrefix(what, "partition "):
		unknown = "{replicas: [1, 2], log-start: OFFSET, end: OFFSET}"
	case strings.HasPrefix(what, "group "):
		unknown = "OFFSET, or none where it has committed nothing"
	}
	return key + ": " + shapeOf(what, key, unknown)
}
