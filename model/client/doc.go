// Package client is Kafka's clients as nodes of a run: a producer (plain, idempotent or transactional), a consumer, the
// member of a group and an admin, with their time-outs, retries and back-off. What enters are the runner's commands and the
// brokers' answers; what leaves are requests, and the events by which a run is judged: what a client was told, never what is
// so inside a broker.
//
// Read client.go and metadata.go first: what the clients share. Then producer.go (the commands and the answers), send.go
// (which batch goes next) and sequence.go (producer id, epoch and sequences); transaction.go and
// transaction_request.go (what a transactional producer adds); consumer.go and aborted.go; group.go, member.go and
// member_answer.go (what a group adds to a consumer); admin.go.
//
// Op is one for each batch of a producer and for each request of an admin. A batch that must be sent with another
// producer epoch or sequence is another batch for a broker; its records get a new Op, and the old one is returned with the
// code that made it so. A batch that was sent more than once may stand in a log whatever code it is returned with.
package client
