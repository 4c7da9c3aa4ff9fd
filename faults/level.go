package faults

import (
	"fmt"
	"strings"

	"mirrorsim/model/id"
	"mirrorsim/sim"
	"mirrorsim/sim/choice"
)

// Level is how hard a run is hit.
type Level uint8

// The levels.
const (
	None   Level = iota // no fault; now and then a connection is late
	Light               // delays, two process crashes with a restart, one cut of a link
	Swarm               // every kind of fault, by the strategy that the seed is dealt
	Beyond              // as Swarm, beyond the budget: power losses may take what was acknowledged
	levels
)

var levelNames = [levels]string{"none", "light", "swarm", "beyond"}

// String is the word on the command line.
func (l Level) String() string {
	if l < levels {
		return levelNames[l]
	}
	return "?"
}

// Levels are the words on the command line, the calmest first.
func Levels() []string { return levelNames[:] }

// ParseLevel is the level of that word. The error lists the words.
func ParseLevel(s string) (Level, error) {
	for i, n := range levelNames {
		if n == s {
			return Level(i), nil
		}
	}
	return None, fmt.Errorf("no level of faults is called %q; there are %s", s, strings.Join(levelNames[:], ", "))
}

// Budget bounds what an adversary may do to one run. What is promised is promised under such faults only. Of all kinds only a
// power loss can take away what was acknowledged, when it hits every in-sync replica, or lets an unclean election do so; the
// checkers see both in the history and name them where a property is not promised (checkers.Reporter). Whatever else goes
// beyond a budget un-promises nothing: it delays, and the second phase begins when all of it has ended.
type Budget struct {
	Crashes     int         // process crashes, each with its restart
	PowerLosses int         // of one cluster: so no replica set meets more
	Cuts        int         // of links, of nodes or between clusters; what falls at one moment counts as one
	Delays      int         // bursts in which messages are late
	Pauses      int         // stop-the-world pauses of a process
	Slows       int         // times in which a node handles its inputs late
	Isolations  int         // times in which a whole cluster is cut off
	Stales      int         // times in which a broker or controller hears nothing of the metadata log
	Moves       int         // of the controller's or a coordinator's role
	Messages    int         // single messages that are lost, late or come twice
	DiskSlows   int         // times in which the answers of a broker wait for its disk
	DiskFulls   int         // times in which a broker's disk takes nothing
	DiskErrors  int         // failures of a log directory, or of all of a broker
	Corruptions int         // batches of which a bit turns round on a disk, and later back
	MaxCut      id.Duration // the longest cut
	MaxDown     id.Duration // the longest time from a crash to the restart
	MaxDelay    id.Duration // by which a burst makes messages late, a node its inputs, and a disk the answers
	MaxPause    id.Duration // the longest pause
	MaxFull     id.Duration // the longest time in which a disk is full
	Portfolio   bool        // the seed is dealt an Arm, which says how the budget is spent; else up to so many of each kind fall
	Beyond      bool        // nothing spares a replica set: more of it may lose its power than is promised for
}

var budgets = [levels]Budget{
	Light: {Crashes: 2, Cuts: 1, Delays: 2, MaxCut: 20 * id.Second, MaxDown: 15 * id.Second, MaxDelay: id.Second},
	Swarm: {Crashes: 5, PowerLosses: 1, Cuts: 4, Delays: 4, MaxCut: 40 * id.Second, MaxDown: 40 * id.Second,
		MaxDelay: 5 * id.Second, Portfolio: true,
		Pauses: 2, Slows: 1, Isolations: 1, Stales: 2, Moves: 3, Messages: 9, DiskSlows: 1, DiskFulls: 1, DiskErrors: 1,
		Corruptions: 2,
		MaxPause:    15 * id.Second, MaxFull: 20 * id.Second},
}

// beyondPowerLosses is how many power losses each cluster meets at most beyond the budget: one of every replica, and another.
const beyondPowerLosses = 4

// Budget is the level's.
func (l Level) Budget() Budget {
	if l != Beyond {
		return budgets[l]
	}
	b := budgets[Swarm]
	b.PowerLosses, b.Beyond = beyondPowerLosses, true
	return b
}

// Promised tells whether what is promised is promised of runs of this level.
func (l Level) Promised() bool { return l != Beyond }

// Network is how the network of a run of that seed treats messages. All levels have one longest delay, so that what was
// chosen in a run means the same when it is repeated without the seed, in a network that is calm by itself.
func (l Level) Network(seed uint64) sim.Network {
	switch l {
	case None:
		return sim.Network{Delay: 1 << 7, Jitter: 1 << 10}
	case Light:
		return sim.Network{Delay: 1 << 8, Jitter: 1 << 11}
	}
	c := choice.NewSource(choice.Seeded(seed))
	odds := func(of planned) uint16 {
		return uint16(c.Int(choice.Plan, uint32(of), 9, 1<<15)) << 5 // calm in half of the runs, else 1/2048 to 1/256
	}
	return sim.Network{Drop: odds(netDrop), Delay: odds(netDelay), Duplicate: odds(netDuplicate),
		Reorder: odds(netReorder), Jitter: 8 * odds(netJitter)}
}
