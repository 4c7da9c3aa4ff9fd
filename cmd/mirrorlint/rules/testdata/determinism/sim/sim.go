package sim

func step() (err error) {
	defer func() {
		if failure, ok := recover().(error); ok {
			err = failure
		}
	}()
	go step() // want `goroutine`
	return nil
}
