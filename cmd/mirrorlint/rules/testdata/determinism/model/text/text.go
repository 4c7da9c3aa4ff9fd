package text

import "fmt"

type node struct{ err error }

func (n *node) Error() string { return fmt.Sprintf("node %d", 1) }

func (n *node) String() string { return fmt.Sprint("node") }

func (n *node) Waits(yield func(what string) bool) { yield(fmt.Sprintf("%d replicas", 2)) }

func (n *node) fail() { n.err = fmt.Errorf("100%% of %d", 3) }

func parse(s string) (int, error) {
	what := fmt.Sprintf("%q", s)
	return 0, fmt.Errorf("not %s", what)
}

func step(n *node) string {
	if n == nil {
		panic(fmt.Sprintf("no node %d", 4))
	}
	f := func() error { return fmt.Errorf("%s", fmt.Sprint(5)) }
	if f() == nil {
		fmt.Println("step") // want `fmt.Println does I/O`
	}
	_, _ = fmt.Sscan("1")         // want `fmt.Sscan does I/O`
	n.err = fmt.Errorf("%p", n)   // want `%p prints an address`
	n.err = fmt.Errorf("%-8p", n) // want `%p prints an address`
	return fmt.Sprintf("%d", 6)   // want `fmt.Sprintf outside the text of an error: it is accepted in a function that answers an error`
}
