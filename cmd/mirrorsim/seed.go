package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mirrorsim/scenarios"
)

const maxSeed = 1<<53 - 1

// parseSeed reads the value of a flag as a seed.
func parseSeed(flag, value string) (uint64, error) {
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil || n > maxSeed {
		return 0, wrongValue(flag, value, "not a seed", fmt.Sprintf("a whole number from 0 to %d", uint64(maxSeed)))
	}
	return n, nil
}

// addFaults adds the flag of a fault level; what is what the level means to the command, "" where it is the faults of all runs.
func addFaults(c *cobra.Command, level *string, what string) {
	c.Flags().StringVar(level, "faults", scenarios.NoFaults.String(), "fault `LEVEL`: "+strings.Join(scenarios.Levels(), ", ")+what)
}

// parseSeeds reads the flags that say which seeds are run at which fault level.
func parseSeeds(first, level string, count int) (start uint64, l scenarios.Level, err error) {
	if start, err = parseSeed("seed-start", first); err != nil {
		return start, l, err
	}
	if l, err = parseLevel("faults", level); err != nil {
		return start, l, err
	}
	if count < 1 || uint64(count-1) > maxSeed-start {
		most := uint64(maxSeed) - start + 1
		err = wrongValue("count", strconv.Itoa(count), "not a number of seeds", fmt.Sprintf("a whole number from 1 to %d, as the last seed is %d", most, uint64(maxSeed)))
	}
	return start, l, err
}

// parseLevel is the level of faults that a flag names.
func parseLevel(flag, word string) (scenarios.Level, error) {
	l, err := scenarios.ParseLevel(word)
	if err != nil {
		return l, wrongValue(flag, word, "no level of faults is called so", scenarios.Levels()...)
	}
	return l, nil
}
