// Package setting holds the constants of Kafka that a scenario may set: time-outs, intervals and limits, with Kafka's
// defaults. Read setting.go.
package setting
