// Package wire holds one struct for each request and response, with Kafka's names. Bodies are pointers, immutable after
// they are sent; a duplicate or a fork shares them. One message carries one partition, so that an idle partition costs a
// busy one nothing. A request's Correlation is echoed by its response. Read wire.go first; the files after it group the
// messages by who talks to whom.
package wire
