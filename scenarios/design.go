package scenarios

import (
	"fmt"
	"strings"

	"mirrorsim/model/protocol"
	"mirrorsim/scenarios/format"
)

// DefaultRevision is the revision of a run whose scenario and command name none.
const DefaultRevision = "first"

// Design is a protocol configuration and how it was chosen: a revision, then single decisions.
type Design struct {
	Config   protocol.Config
	Revision string
	Sets     []Set
	Override string // what of the file the command line overrides, in words; "" if nothing
}

// Set is one decision by its name, with the token of its option.
type Set struct{ Name, Token string }

// Choose is the design under which s runs: the file's revision and its set lines, then what the command line says, which
// overrides the file: revision is "" or a revision's name, sets are of the form NAME=TOKEN. The error is a
// *format.InputError.
func Choose(s *format.Scenario, revision string, sets []string) (*Design, error) {
	d := &Design{Revision: DefaultRevision}
	var overrides []string
	if s.Revision != "" {
		d.Revision = s.Revision
	}
	if revision != "" && revision != d.Revision {
		if s.Revision != "" {
			overrides = append(overrides, fmt.Sprintf("protocol %s (the file says %s)", revision, s.Revision))
		}
		d.Revision = revision
	}
	var err error
	if d.Config, err = protocol.Revision(d.Revision); err != nil {
		return nil, format.Unknown("", err)
	}
	for _, x := range s.Sets {
		if err := d.set(x.Key, x.Token); err != nil {
			return nil, err
		}
	}
	for _, x := range sets {
		key, token, ok := strings.Cut(x, "=")
		if !ok {
			return nil, &format.InputError{Word: x, Message: "--set " + x + ": not of the form NAME=TOKEN",
				Want: []string{"NAME=TOKEN such as marker=epoch", "ID=TOKEN such as D1=epoch"}}
		}
		before := d.tokenOf(key)
		if err := d.set(key, token); err != nil {
			return nil, format.Unknown("--set "+x+": ", err)
		}
		if before != "" && before != token {
			overrides = append(overrides, fmt.Sprintf("%s=%s (the file says %s)", key, token, before))
		}
	}
	d.Override = strings.Join(overrides, ", ")
	return d, nil
}

// set makes a choice; a later one for the same decision takes the place of the earlier.
func (d *Design) set(key, token string) error {
	if err := d.Config.Set(key, token); err != nil {
		return err
	}
	name := decisionName(key)
	for i := range d.Sets {
		if d.Sets[i].Name == name {
			d.Sets[i].Token = token
			return nil
		}
	}
	d.Sets = append(d.Sets, Set{name, token})
	return nil
}

func (d *Design) tokenOf(key string) string {
	name := decisionName(key)
	for _, s := range d.Sets {
		if s.Name == name {
			return s.Token
		}
	}
	return ""
}

// decisionName is the name of the decision that key, an id or a name, stands for.
func decisionName(key string) string {
	for _, x := range protocol.Decisions() {
		if x.Name == key || strings.EqualFold(x.ID, key) {
			return x.Name
		}
	}
	return key
}

// Flags are the design as command-line flags.
func (d *Design) Flags() string {
	text := "--protocol " + d.Revision
	for _, s := range d.Sets {
		text += " --set " + s.Name + "=" + s.Token
	}
	return text
}

// report is the design as reports have it.
func (d *Design) report() ReportProtocol {
	p := ReportProtocol{d.Revision, map[string]string{}}
	for _, s := range d.Sets {
		p.Set[s.Name] = s.Token
	}
	return p
}
