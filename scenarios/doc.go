// Package scenarios wires clusters into worlds, runs scenarios and keeps the catalogue of cases as files. Scenarios in
// their text form are in package format; what people need to know of it is on the page FORMAT.md. Read catalogue.go for
// the cases.
package scenarios
