// Package event is the history of a run. An event says what is so after the act, read back from the real structure; it
// carries virtual time, node and partition. Checkers, reports, pictures and the running hash read events and nothing
// else of the model. Read event.go, then kinds.go. HISTORY.md is their form in files.
package event
