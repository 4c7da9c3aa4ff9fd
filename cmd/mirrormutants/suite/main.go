package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// The exit statuses: all cases are as they are to be, one is not, bad input, and a case took too long.
const (
	good     = 0
	bad      = 1
	misused  = 2
	timedOut = 4
)

// answer is what a case came to. Its JSON is one line.
type answer struct {
	Case    string  `json:"case"`
	Seconds float64 `json:"seconds"`           // of processor time
	Hash    string  `json:"hash,omitempty"`    // of all its runs, one after the other
	How     string  `json:"how,omitempty"`     // what it fell by: property, expectation, assertion, panic, time; "" if it is good
	Problem string  `json:"problem,omitempty"` // in a sentence
}

func main() {
	list := flag.Bool("list", false, "print the names of the cases")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "suite [-list] CASE[=SECONDS]... runs the cases until one is not as it is to be.\n"+
			"It is called in the module's root. Exit status: 0 all are, 1 one is not, 2 bad input, 4 one took too long.\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	// A recursion without end is to be seen before it has taken all memory.
	debug.SetMaxStack(64 << 20)
	all, err := cases(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		os.Exit(misused)
	}
	if *list {
		for _, c := range all {
			fmt.Println(c.name)
		}
		return
	}
	chosen, err := choose(all, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		os.Exit(misused)
	}
	for _, x := range chosen {
		if a := run(x); a.How != "" {
			os.Exit(bad)
		}
	}
	os.Exit(good)
}

// limited is a case with the processor time that it may take.
type limited struct {
	testCase
	limit time.Duration // 0: as much as it likes
}

// choose are the cases of those names. The error says which name there is not.
func choose(all []testCase, names []string) ([]limited, error) {
	byName := map[string]testCase{}
	for _, c := range all {
		byName[c.name] = c
	}
	var list []limited
	for _, arg := range names {
		name, text, has := strings.Cut(arg, "=")
		x := limited{testCase: byName[name]}
		if x.run == nil {
			return nil, fmt.Errorf("%q: accepted: a name that -list prints", name)
		}
		if has {
			seconds, err := strconv.ParseFloat(text, 64)
			if err != nil || seconds <= 0 {
				return nil, fmt.Errorf("%s: %q: accepted: a number of seconds above 0", arg, text)
			}
			x.limit = time.Duration(seconds * float64(time.Second))
		}
		list = append(list, x)
	}
	return list, nil
}

// run runs one case, prints its answer and answers it. One that takes too long ends the program.
func run(x limited) (a answer) {
	began := processorTime()
	if x.limit > 0 {
		defer watch(x, began)()
	}
	a = answer{Case: x.name}
	a.How, a.Problem, a.Hash = x.judge()
	a.Seconds = (processorTime() - began).Seconds()
	tell(a)
	return a
}

func tell(a answer) {
	if err := json.NewEncoder(os.Stdout).Encode(a); err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		os.Exit(misused)
	}
}

// watch looks every moment how much time a case has taken, until it is told that the case has ended.
func watch(x limited, began time.Duration) (end func()) {
	const moment = 50 * time.Millisecond
	var ended atomic.Bool // a look may be under way when the timer is stopped, and set it again
	var timer *time.Timer
	timer = time.AfterFunc(moment, func() {
		if ended.Load() {
			return
		}
		if took := processorTime() - began; took > x.limit {
			tell(answer{Case: x.name, Seconds: took.Seconds(), How: "time", Problem: fmt.Sprintf("it took more than %v", x.limit)})
			os.Exit(timedOut)
		}
		timer.Reset(moment)
	})
	return func() {
		ended.Store(true)
		timer.Stop()
	}
}
