// Package plan answers what an operator asks before a failover or a failback. What enters is his plan, a YAML or JSON file that
// PLAN.md describes: the numbers that his tools show of his clusters, and the steps that he intends. What leaves are answers to
// five questions, over many schedules: what is lost, what a failback discards, what groups skip or read again, who still writes
// to the old side, and what is not finished.
//
// Read file.go first (what a plan is), then parse.go with its neighbours and check.go (contradictory numbers are refused),
// scale.go (offsets that run to billions become a short log, and back), scenario.go with setup.go and intend.go (the plan as a
// scenario whose start has those numbers), run.go and observe.go (the runs), answer.go with its neighbours (what they come to)
// and text.go.
package plan
