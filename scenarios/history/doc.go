// Package history writes a run's history as lines of JSON, and reads such lines, from a run or from another system, back as
// events. A checkers.Topology and events go in and text comes out; text comes in and the same events come out, or a
// *format.SyntaxError that names the line. It judges nothing: that is for package checkers, and for CheckHistory of package
// scenarios. The page for users is model/event/HISTORY.md.
//
// Read header.go first: what stands in the first line, and names.go, which puts names on ids by it. Then fields.go, the table
// of what each kind of event has, with forms.go and words.go: how a value is written. batch.go has the batches. writer.go and
// reader.go go line by line; line.go takes one line apart. page.go makes the tables of the page.
package history
