// Package good has all the comments that it needs.
package good
