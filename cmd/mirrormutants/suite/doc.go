// Command suite runs the fixed suite against which mirrormutants holds its mutants: the cases that it is given by name, one after
// the other, until one is not as it is to be.
//
//	go run ./cmd/mirrormutants/suite -list
//	go run ./cmd/mirrormutants/suite catalogue/F1 seed/3
//
// The cases are the scenarios of the catalogue, of the corpus and of the findings, each on its calm schedule and under its wrong
// lines as scenarios verify runs them, and 40 swarm seeds. A name may carry a limit of processor time, as in catalogue/F1=2.5:
// a case that takes more seconds ends the program. Each case answers with a line of JSON.
//
// Nothing here knows of mutants: the program is built with them laid over the model. Read main.go, then cases.go.
package main
