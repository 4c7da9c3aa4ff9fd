// Package node is the contract between a protocol node and whoever runs it: inputs, effects, timers. Read node.go.
package node
