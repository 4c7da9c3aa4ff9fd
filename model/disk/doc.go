// Package disk is what a node keeps over a process crash: plain data, owned by the world and lent to the node. A process
// crash keeps all that was written; a power loss keeps, per file, a length between synced and written. Read disk.go.
package disk
