// Package assert states what must be true in the model under every setting of every decision. An assertion that fires
// is a violation of the property "assertion" with its seed; the world catches it at the step that fired it.
package assert
