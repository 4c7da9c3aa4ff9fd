package scenarios

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

func TestZZProfile(t *testing.T) {
	k, _ := strconv.Atoi(os.Getenv("K"))
	c, _ := strconv.Atoi(os.Getenv("C"))
	max, _ := strconv.Atoi(os.Getenv("MAX"))
	o := ExploreOptions{From: 5, Departures: k, Crashes: c, MaxStates: max, AllOrders: os.Getenv("ALL") != ""}
	r := exploring(t, scenarioOf(t, stopAndFailback), o, os.Getenv("REV"))
	fmt.Println(r.States, r.Transitions, r.Widest, r.Complete, r.Seconds, r.PerSecond)
}
