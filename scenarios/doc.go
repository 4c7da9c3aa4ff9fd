// Package scenarios wires clusters into worlds, runs scenarios and keeps the catalogue of cases as files. Scenarios in
// their text form are in package format; what people need to know of it is on the page FORMAT.md.
//
// Read run.go for one run and progress.go for how it goes on and forks, with wiring.go and topics.go (the topology), act.go,
// request.go and fault.go (the steps), live.go (the second phase), watch.go and view.go (what waits and expectations see); story.go and tell.go put it into words, report.go into JSON.
// catalogue.go has the cases and verify.go their check; page.go, reference.go and walkthrough.go are the generated pages.
// Then generate.go for generated scenarios, sweep.go for many of them, with sweep_arms.go (which strategy found what),
// sweep_reach.go and reach.go (what was hit, and what never), canary.go (a defect that must be found) and soak.go (a sweep that
// can be interrupted); guide.go for runs that extend others, with guide_pool.go (which are extended) and guidance.go (what that
// is worth); problem.go for what failures have in common, shrink.go for making one small, doom.go for where one was lost, with
// doom_pass.go (its moments) and doom_search.go (how they are looked for), explore.go for all runs near the calm one (EXPLORE.md), with
// explore_move.go (what a run may do) and explore_step.go (what a state leads to); record.go for repeating a run event by event, and
// check_history.go for judging a history that package history reads.
package scenarios
