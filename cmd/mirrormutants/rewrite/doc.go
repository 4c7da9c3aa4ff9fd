// Package rewrite makes all mutants of the model at once: it rewrites every condition and arithmetic operator of model/ so that
// it consults an index, which the environment variable MIRRORMUTANTS_INDEX sets when the program starts. 0 is the model as it
// is. What it makes is an overlay for go build; nothing in the tree changes.
//
// What is a mutant:
//
//   - < and <= take each other's place, and so do > and >=; each of the four is also turned round (< becomes >=).
//   - == and != take each other's place, and so do && and ||.
//   - Any other condition is negated: what an if, a for or a case without a tag asks, and the operand of && || and !. A comparison
//     is not negated besides, as that is one of the above, nor is a && b, as a and b are.
//   - Of whole numbers + and - take each other's place, and so do * and /, & and |, << and >>. % becomes *, ^ and &^ become &, and
//     -x becomes x. The same holds for += and its sisters, ++ and --.
//
// What is left out, and why:
//
//   - constant expressions, array lengths and case labels: they have their value when the program is compiled;
//   - what is handed to assert.That, and package assert: an assertion that says less, or never fires, is no other behaviour of the
//     model;
//   - the functions that put something into words for people: String, Error, and those whose name has describe or wait in it and
//     that answer a string or hand one on. Which wait it is decides nothing but text;
//   - test files;
//   - joined strings: + has no counterpart for them;
//   - x op= y, x++ and x-- where x is an entry of a map that is found by calling something: the call would be made twice.
//
// Read mutant.go for what a mutant is, sites.go for where the rules above stand, load.go and edits.go for the tools, and
// mutant.go.txt for what the rewritten code calls.
package rewrite
