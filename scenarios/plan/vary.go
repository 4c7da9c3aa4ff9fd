package plan

import (
	"fmt"
	"slices"
	"strings"

	"mirrorsim/faults"
	"mirrorsim/model/id"
	"mirrorsim/scenarios"
	"mirrorsim/scenarios/format"
	"mirrorsim/sim/choice"
)

// Schedule is one schedule of a plan: the calm one, or that of a seed under a level of faults.
type Schedule struct {
	Seed  *uint64 // nil: calm, and no fault
	Level scenarios.Level
}

// made is the scenario of a schedule as text, and on which lines the steps of the plan stand.
type made struct {
	text  string
	lines []int // by step, and one for the end: the line of its act, from 1
}

// apart is the distance of two steps in the time on which faults are planned: more than a fault falls behind the step it aims
// at.
const apart = 5 * id.Second

// text puts the lines together for a schedule.
func (s *script) text(v Schedule) made {
	before, behind := s.faults(v)
	running := s.running(v)
	var b strings.Builder
	b.WriteString(s.head(s.title(v)))
	lines := 1 + strings.Count(b.String(), "\n")
	var at []int
	add := func(list ...string) {
		for _, l := range list {
			b.WriteString(l + "\n")
			lines++
		}
	}
	add(s.setup...)
	for i, x := range s.steps {
		if i < len(s.plan.Steps) {
			add(fmt.Sprintf("# Step %d: %s.", i+1, s.plan.Steps[i].Act))
		}
		if i == 0 {
			add(s.pause(v)...)
		}
		add(before[i]...)
		at = append(at, lines)
		if running && i < len(s.plan.Steps) && operates(s.plan.Steps[i].Act) {
			add(x.writes...)
			add(x.act...)
		} else {
			add(x.act...)
			add(x.writes...)
		}
		add(behind[i]...)
		add(x.waits...)
	}
	return made{b.String(), at}
}

func (s *script) title(v Schedule) string {
	if v.Seed == nil {
		return "Made of the plan " + s.plan.Name + ", on the calm schedule."
	}
	return fmt.Sprintf("Made of the plan %s, for seed %d under faults %v.", s.plan.Name, *v.Seed, v.Level)
}

// scenario is the scenario of a schedule. The error says that what the file names makes none, such as a pattern of groups.
func (s *script) scenario(v Schedule) (*format.Scenario, []int, error) {
	m := s.text(v)
	x, err := format.Parse(s.plan.Name+".scn", []byte(m.text))
	return x, m.lines, err
}

// pauses are how long a mirror goes on before the first step: in half of the schedules not at all.
var pauses = [...]id.Duration{0, 0, 100 * id.Millisecond, 2500 * id.Millisecond}

// pause lets the mirrors catch up before the first step in some schedules, where all that they are behind is kept record by
// record: a longer stretch would be gone in a moment that takes the real mirror its time.
func (s *script) pause(v Schedule) []string {
	if v.Seed == nil {
		return nil
	}
	if s.far() {
		return nil
	}
	c := choice.NewSource(choice.Seeded(*v.Seed))
	d := pauses[c.Int(choice.Workload, 0, uint32(len(pauses)), 1<<16-1-1<<14)]
	if d == 0 {
		return nil
	}
	w := &writer{script: s, dark: [2]bool{s.plan.dark(0), s.plan.dark(1)}}
	return w.idle(d)
}

// running tells whether producers write what they write in the time of a step right before a request for a mirror, in half of the
// schedules: then it finds their records under way and their transactions open. In the others they write right behind it.
func (s *script) running(v Schedule) bool {
	return v.Seed != nil && choice.NewSource(choice.Seeded(*v.Seed)).Int(choice.Workload, 1, 2, 1<<15) > 0
}

// faults are the faults of a schedule, by the step that they aim at: those at points of the protocol are armed before it, the
// others fall behind its act.
func (s *script) faults(v Schedule) (before, behind [][]string) {
	n := len(s.steps)
	before, behind = make([][]string, n), make([][]string, n)
	if v.Seed == nil || v.Level == scenarios.NoFaults {
		return before, behind
	}
	field := s.field()
	if len(field.Sides) == 0 {
		return before, behind
	}
	last := make([]id.Duration, n)
	for _, plan := range faults.Draw(choice.NewSource(choice.Seeded(*v.Seed)), v.Level.Budget(), field) {
		if !s.may(&plan) {
			continue
		}
		i := int(plan.When.At / apart)
		delay := plan.When.At % apart
		plan.When.At = 0
		line := string((&format.Fault{Plan: plan}).AppendText(nil))
		if plan.When.Point != 0 {
			before[i] = append(before[i], line)
			continue
		}
		behind[i] = append(behind[i], fmt.Sprintf("after %v %s", delay-last[i], line))
		last[i] = delay
	}
	return before, behind
}

// longestCut is how long a cut lasts that was to be mended by a heal: that would mend what the plan has cut.
const longestCut = 10 * id.Second

// may tells whether a fault may fall. None may end what the file says, such as that a cluster is out of reach.
func (s *script) may(x *faults.Planned) bool {
	if x.Fault.Kind == faults.Cut && x.Fault.For == 0 {
		x.Fault.For = longestCut
	}
	return x.Fault.Kind != faults.Heal
}

// field is where faults may fall: brokers that the file has down are down.
func (s *script) field() faults.Field {
	f := faults.Field{End: apart * id.Duration(len(s.steps))}
	for i := range s.steps {
		f.Moments = append(f.Moments, apart*id.Duration(i))
	}
	for c := range letters {
		x := format.Cluster{Name: letters[c], Brokers: s.brokerCount(c), Controllers: s.plan.Clusters[c].Controllers}
		side := faults.Side{Name: x.Name, Log: x.Log()}
		down := s.down(c)
		for b := range x.Brokers {
			if name := x.Node(b); !slices.Contains(down, name) {
				side.Brokers = append(side.Brokers, name)
			}
		}
		for k := range x.Controllers {
			side.Controllers = append(side.Controllers, x.Controller(k))
		}
		if len(side.Brokers) > 0 {
			f.Sides = append(f.Sides, side)
		}
	}
	for _, x := range s.parts {
		for c := range letters {
			f.Roles = append(f.Roles, "leader "+x.tp(c))
		}
		for i := range s.plan.Mirrors {
			f.Roles = append(f.Roles, fmt.Sprintf("coordinator %s %s", s.mirror(i), x.tp(s.plan.Mirrors[i].To)))
		}
	}
	return f
}
