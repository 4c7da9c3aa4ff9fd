// Package mirror is the mirror metadata manager of a broker: the state machine of each mirrored partition that the broker
// leads, alignment with the source, the mirror fetcher, and the stop sequence. Changes of leadership and of the desired
// state, answers of coordinators, source brokers and the controller, and the progress of replicas enter; requests, log
// actions and points leave. Read manager.go first, then rules.go, persist.go, align.go, fetcher.go and stop.go;
// gather.go is what a broker does for others: it answers position lookups and reads actual states for the controller.
package mirror
