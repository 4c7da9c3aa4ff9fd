package sim

// Shrink looks for a short part of the list that still fails, by delta debugging (Zeller and Hildebrandt 2002): it drops
// halves, quarters and so on down to single entries, in order. From what it answers no single entry can be dropped. If
// the whole list does not fail, the answer is the whole list. fails must answer the same for the same list; it must not
// change the list, and may keep it.
func Shrink[T any](list []T, fails func([]T) bool) []T {
	list = append([]T(nil), list...)
	if len(list) == 0 || !fails(list) {
		return list
	}
	for size := len(list); size >= 1; {
		shorter := dropChunks(list, size, fails)
		again := size == 1 && len(shorter) < len(list) // dropping one may free another before it
		list = shorter
		if !again {
			size /= 2
		}
		size = min(size, len(list))
	}
	return list
}

// dropChunks goes once through the list and drops every chunk of that size without which it still fails.
func dropChunks[T any](list []T, size int, fails func([]T) bool) []T {
	for i := 0; i < len(list); {
		end := min(i+size, len(list))
		without := make([]T, 0, len(list)-(end-i))
		without = append(append(without, list[:i]...), list[end:]...)
		if fails(without) {
			list = without
		} else {
			i = end
		}
	}
	return list
}
