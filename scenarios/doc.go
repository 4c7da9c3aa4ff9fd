// Package scenarios wires clusters into worlds, runs scenarios and keeps the catalogue of cases as files. Scenarios in their
// text form are in package format; what people need to know of it is on the page FORMAT.md.
//
// One run: read run.go, then progress.go (how it goes on and forks) with idle.go (what is passed over where nothing
// happens), wiring.go, wiring_sync.go and topics.go (the topology), design.go (the protocol that is chosen), act.go,
// request.go and fault.go (the steps), refused.go (those that are answered with an error), live.go (the second phase),
// watch.go, view.go and cost.go (what waits, expectations and reports see). story.go, tail.go, tell.go, telling.go and
// outline.go put it into words, report.go into JSON, quoted.go makes its command one for a shell; problem.go is what
// failures have in common, record.go repeats a run event by event.
//
// Files of scenarios: catalogue.go has the cases and verify.go their check; findings.go, findings_page.go, findings_costs.go
// and findings_minimal.go are what falls in the published revisions. Generated pages are page.go, reference.go, states.go
// and walkthrough.go with walkthrough_why.go and walkthrough_words.go.
//
// Many runs: generate.go and generate_*.go make scenarios of seeds. sweep.go runs them, with sweep_level.go (how much goes
// wrong), sweep_arms.go (which strategy found what), sweep_reach.go, reach.go and coverage.go (what was hit, and what
// never), sweep_twice.go (runs that are compared), canary.go (a defect that must be found), sweep_report.go and soak.go (a
// sweep that can be interrupted). compare.go sweeps several designs, with compare_report.go and compare_table.go. guide.go
// extends runs, with guide_pool.go (which ones), guide_report.go and guidance.go (what that is worth). explore.go follows
// all runs near the calm one (EXPLORE.md), with explore_move.go (what a run may do), explore_step.go (what a state leads
// to), explore_order.go (which moves are left out), explore_ahead.go (what goes on at once), explore_set.go (which states are
// known), explore_price.go (what that takes) and explore_report.go.
//
// A failing run: shrink.go, shrink_passes.go and shrink_topology.go make it small; doom.go says where it was lost, with
// doom_pass.go (its moments), doom_search.go (how they are looked for) and doom_report.go. check_history.go and
// check_report.go judge a history that package history reads. median.go is the median of all of these.
package scenarios
