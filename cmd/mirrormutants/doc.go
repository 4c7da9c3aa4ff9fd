// Command mirrormutants asks how much of the model the checks hold up: it makes small changes of model/, mutants, and tells
// which of them no check notices.
//
//	make mutants
//	make mutants ALL=1
//	go run ./cmd/mirrormutants 'model/plog (*Log).'
//
// All mutants are compiled into one program, laid over the source by go build -overlay, and an environment variable says which
// one a run has: nothing in the tree changes. A mutant is run against a fixed suite (package suite: the catalogue, the corpus,
// the findings, 40 swarm seeds), and if that does not notice it, against the tests of the packages of model/ and those of
// package scenarios that judge runs. Only what comes by the place of a mutant is run: which that is, everything tells once,
// without a mutant. The first failure ends it. A violated property, an expectation that is not met, an assertion of the model, a
// panic and a failed test kill a mutant. One that takes ten times the processor time that the case or the tests take without it
// has timed out, and so has one that takes more than 2 GB; it counts neither as killed nor as alive.
//
// The score is killed / (killed + lived + uncovered): uncovered is a mutant by whose place nothing comes. What no check can
// notice is explained in EQUIVALENT.txt, by the mutant's name, which does not change when lines move; the exit status is 1 if
// any other one survives, or if an explained one is killed. What is run is noted in a file, and a call with the same sources
// goes on behind it. Ctrl-C ends it with status 4, and leaves that file and nothing else; a second one does not wait for that, and may
// leave what was built in the directory for temporary files.
//
// There are some 4,500 mutants, which -list -all prints. 300 of them, drawn each by its own lot so that a change of the model
// leaves most of the sample as it was, take some six minutes of processor time with all that is built for them.
//
// Read run.go first, then parts.go (what is built and run), judge.go (one mutant), report.go; package rewrite says what the
// mutants are and what is left out.
package main
