// Package protocol holds the decision points of the design: the places where its revisions differ or its texts are
// silent. A Config is one choice for each of them, a revision is a named Config, and a mix is made by Set.
//
// What enters is the name of a revision and pairs of a decision and a token. What leaves is the answer of one method
// of Config for each decision, such as BumpTarget or StopAccepted: the rest of the model asks these methods and never
// reads a field, so whoever wants to know what a decision changes looks for the callers of one method.
//
// Read config.go first, then order.go, and then the file of the theme at hand: position.go (what a stop records),
// lookup.go (what a failback makes of it), alignment.go, epochs.go, replication.go, producers.go, coordinator.go,
// states.go, requests.go and groups.go. The named revisions are in revisions.go.
package protocol
