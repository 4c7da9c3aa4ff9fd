// Package scenarios wires clusters into worlds, runs scenarios and keeps the catalogue of cases as files. Scenarios in
// their text form are in package format; what people need to know of it is on the page FORMAT.md. Read run.go for
// one run and catalogue.go for the cases; then sweep.go for many generated runs, shrink.go for making a failure small, and
// record.go for repeating a run event by event.
package scenarios
