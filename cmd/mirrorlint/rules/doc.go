// Package rules holds the project's style rules as analyzers. A type-checked package enters, diagnostics leave; each
// one says what is wrong and what would be accepted.
//
//   - determinism: what model, sim and faults may not use (determinism.go and the files named after one construct each);
//   - imports: which package may import which (the table is graph.go);
//   - docs: doc comments, doc.go, the length of functions and files.
//
// There is no comment that switches a rule off. Test files are free of all rules but the lengths. Read rules.go first.
package rules
