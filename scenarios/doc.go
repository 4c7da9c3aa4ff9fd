// Package scenarios wires clusters into worlds, runs scenarios and keeps the catalogue of cases as files. Scenarios in
// their text form are in package format; what people need to know of it is on the page FORMAT.md.
//
// Read run.go for one run, with wiring.go and topics.go (the topology), act.go, request.go and fault.go (the steps), live.go
// (the second phase), watch.go and view.go (what waits and expectations see); story.go and tell.go put it into words, report.go into JSON.
// catalogue.go has the cases and verify.go their check; page.go, reference.go and walkthrough.go are the generated pages.
// Then generate.go for generated scenarios, sweep.go for many of them, problem.go for what failures have in common,
// shrink.go for making one small, explore.go for all runs near the calm one (EXPLORE.md), record.go for repeating a run event by event, and check_history.go for judging a history that
// package history reads.
package scenarios
