package scenarios

// SweepArm is what the runs of one strategy of the adversary came to.
type SweepArm struct {
	Name     string `json:"name"`     // of the strategy
	Runs     int    `json:"runs"`     // that were dealt it
	Violated int    `json:"violated"` // of these
	Groups   int    `json:"groups"`   // of failures that it found
	Alone    int    `json:"alone"`    // of these, those that no other one found
}

func (a *SweepArm) add(x *swept) {
	a.Runs++
	if len(x.problems) > 0 {
		a.Violated++
	}
}

// countGroups says which strategy found how many groups of failures.
func (r *SweepReport) countGroups() {
	for _, f := range r.Failures {
		for _, a := range r.Arms {
			if f.Arms[a.Name] > 0 {
				a.Groups++
				if len(f.Arms) == 1 {
					a.Alone++
				}
			}
		}
	}
}
