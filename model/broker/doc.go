// Package broker wires one broker: its metadata image and session, its replicas, the mirror coordinator, the
// transaction coordinator, the group coordinator and the mirror metadata manager. Messages and timers enter and are passed
// to the part that they concern; effects leave. Read broker.go first, then session.go, metadata.go, removal.go, requests.go,
// admin.go, configs.go, cleaning.go, transactions.go and groups.go.
package broker
