// Command mirrorlint refuses what the project's own rules forbid and the compiler allows: nondeterminism in model, sim
// and faults, an import against the one way that imports go, an exported identifier without a doc comment, a package
// without a doc.go, a function or a file that is too long. Package names enter, diagnostics and an exit status leave:
//
//	go run ./cmd/mirrorlint ./...
//	go run ./cmd/mirrorlint -determinism ./model/...
//
// It runs itself under go vet, so it takes go vet's flags (among them -overlay, -json and one flag a rule) and its
// results are cached. Read main.go first, then package rules.
package main
