//go:build !unix

package main

import "time"

var start = time.Now()

// processorTime is the time on the wall here: the system does not tell what the program took.
func processorTime() time.Duration { return time.Since(start) }
