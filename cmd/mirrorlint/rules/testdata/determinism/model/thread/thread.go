package thread

type world struct {
	inbox chan int // want `channel: a run is single-threaded`
}

func step(w *world) {
	go step(w)     // want `goroutine: a run is single-threaded; .* node.Timer`
	w.inbox <- 1   // want `channel send`
	n := <-w.inbox // want `channel receive`
	n = -n
	for range w.inbox { // want `range over a channel`
	}
	select { // want `select picks a ready case at random`
	default:
	}
	defer step(w)         // want `defer outside sim`
	if recover() != nil { // want `recover outside sim`
		println(n) // want `println writes to standard error`
	}
}

func plain(recover func() int, list []int) int {
	for range list {
		recover()
	}
	return recover()
}
