package scenarios

// median is the middle one of a sorted list, which has at least one; of an even number the lower of the two in the middle, so that
// it is always one of them.
func median[T any](sorted []T) T { return sorted[(len(sorted)-1)/2] }
