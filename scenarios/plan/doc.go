// Package plan answers what an operator asks before a failover or a failback. What enters is his plan, a YAML or JSON file
// that PLAN.md describes: the numbers that his tools show of his clusters, and the steps that he intends. What leaves are
// answers to five questions, over many schedules: what is lost, what a failback discards, what groups skip or read again,
// who still writes to the old side, and what is not finished.
//
// Read file.go first (what a plan is; example.go has one), then how it is read: parse.go, parse_topics.go and parse_steps.go
// on top of reader.go, with shape.go (what a key takes, for errors), check.go (contradictory numbers are refused) and fit.go
// (numbers with which no run can begin). How it becomes a scenario whose start has those numbers: scale.go (offsets that run
// to billions become a short log, and back), scenario.go, setup.go, intend.go (the steps) and vary.go (what a schedule
// changes). How that is run: run.go, observe.go and outcome.go (what one run came to, in the operator's numbers), with
// turned.go (transactions that the stop aborted), unseen.go (what nobody has measured) and words.go (the operator's names).
// What all runs come to: answer.go, answers.go and sentence.go; report.go is that as JSON, text.go for people.
package plan
