// Package point names the places of the protocol between two effects, where a fault may fall. A step that reaches a
// point yields there; the world resumes it at once unless a fault waits. Read point.go.
package point
