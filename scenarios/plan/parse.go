package plan

import (
	"regexp"
	"slices"

	"go.yaml.in/yaml/v4"

	"mirrorsim/model/protocol"
	"mirrorsim/model/setting"
)

var (
	topKeys = []string{"plan", "measured", "protocol", "set", "settings", "ask", "clusters", "mirrors", "topics", "groups",
		"producers", "steps"}
	topRequired = []string{"plan", "clusters", "mirrors", "topics", "steps"}
	reserved    = regexp.MustCompile(`\.(paused|stopped|removed)$|^\.{1,2}$`)
	kafkaName   = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`)
)

// mostPartitions bounds a plan: each partition is a log of its own in every run.
const mostPartitions = 100

// parser makes a plan of nodes.
type parser struct {
	reader
	plan *Plan
}

// Parse reads a plan. The error is a *format.SyntaxError with all that is wrong with the file, at most ten.
func Parse(file string, src []byte) (*Plan, error) {
	p := &parser{reader: reader{file: file}, plan: &Plan{File: file}}
	root := p.root(src)
	if root == nil {
		return nil, p.err()
	}
	f := p.fields(root, "a plan", topKeys, topRequired)
	p.head(f)
	if n := f["clusters"]; n != nil {
		p.clusters(n)
	}
	if n := f["mirrors"]; n != nil && p.plan.Clusters[1].Name != "" {
		p.mirrors(n)
	}
	if n := f["topics"]; n != nil && len(p.plan.Mirrors) > 0 {
		p.topics(n)
	}
	if n := f["groups"]; n != nil && p.sound() {
		p.groups(n)
	}
	if n := f["producers"]; n != nil && p.sound() {
		p.producers(n)
	}
	if n := f["steps"]; n != nil && p.sound() {
		p.steps(n)
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	p.plan.fit()
	return p.plan, nil
}

// sound tells whether the names that what follows refers to were read. What is wrong with single numbers does not hide the
// rest.
func (p *parser) sound() bool {
	return len(p.plan.Topics) > 0 && len(p.plan.Mirrors) > 0 && p.plan.Clusters[1].Name != ""
}

func (p *parser) head(f map[string]*yaml.Node) {
	if n := f["plan"]; n != nil {
		if p.plan.Name = p.text(n, "the plan's name"); !kafkaName.MatchString(p.plan.Name) {
			p.fail(n, wordOf(n), "not a name", legal)
		}
	}
	if n := f["measured"]; n != nil {
		p.plan.Measured = p.duration(n, "the age of the numbers")
	}
	if n := f["protocol"]; n != nil {
		p.plan.Protocol = p.oneOf(n, "a revision of the design", revisions()...)
	}
	if n := f["set"]; n != nil {
		p.plan.Sets = p.pairsOf(n, "set", func(key, value string) error {
			c, err := protocol.Revision(Default)
			if err == nil {
				err = c.Set(key, value)
			}
			return err
		})
	}
	if n := f["settings"]; n != nil {
		p.plan.Settings = p.pairsOf(n, "settings", func(key, value string) error {
			s := setting.Default()
			return s.Set(key, value)
		})
	}
	p.plan.Ask = Questions()
	if n := f["ask"]; n != nil {
		p.plan.Ask = nil
		for _, w := range p.words(n, "ask") {
			q := slices.Index(questionWords(), w)
			if q < 0 {
				p.fail(n, w, "not a question", questionWords()...)
				continue
			}
			p.plan.Ask = append(p.plan.Ask, Question(q))
		}
		slices.Sort(p.plan.Ask)
	}
}

const legal = "1 to 249 letters, digits, '.', '_' or '-'"

// pairsOf are keys with values that try accepts.
func (p *parser) pairsOf(n *yaml.Node, what string, try func(key, value string) error) (list []Setting) {
	for _, x := range p.pairs(n, what) {
		value := p.text(x.value, "a value of "+what)
		if err := try(x.name, value); err != nil {
			p.fail(x.key, x.name, err.Error())
			continue
		}
		list = append(list, Setting{x.name, value, x.key.Line})
	}
	return list
}

func (p *parser) clusters(n *yaml.Node) {
	list := p.pairs(n, "clusters")
	if n.Kind == yaml.MappingNode && len(list) != 2 {
		p.fail(n, "", "a plan is about two clusters", "NAME: {} for each of the two")
		return
	}
	for i, x := range list {
		c := &p.plan.Clusters[i]
		*c = Cluster{Name: x.name, Controllers: 1, Reachable: true}
		if !kafkaName.MatchString(x.name) {
			p.fail(x.key, x.name, "not a name for a cluster", legal)
		}
		f := p.fields(x.value, "a cluster", []string{"controllers", "down", "reachable"}, nil)
		if v := f["controllers"]; v != nil {
			c.Controllers = int(p.number(v, "the number of controllers", 1, 3))
		}
		if v := f["down"]; v != nil {
			c.Down = p.ids(v, "down")
		}
		if v := f["reachable"]; v != nil {
			c.Reachable = p.truth(v, "reachable")
		}
	}
}

// ids are broker ids, each once; there may be none.
func (p *parser) ids(n *yaml.Node, what string) (list []int64) {
	if n.Kind != yaml.SequenceNode {
		p.fail(n, wordOf(n), what+" is a list of broker ids", "[1, 2]")
		return nil
	}
	for _, x := range n.Content {
		b := p.number(x, "a broker id", 0, 1<<31-1)
		if slices.Contains(list, b) {
			p.fail(x, wordOf(x), what+" names this broker twice")
			continue
		}
		list = append(list, b)
	}
	return list
}

func (p *parser) mirrors(n *yaml.Node) {
	names := p.plan.clusterNames()
	for _, x := range p.pairs(n, "mirrors") {
		f := p.fields(x.value, "a mirror", []string{"name", "from", "to", "groups", "exclude-groups"}, []string{"from", "to"})
		if f["from"] == nil || f["to"] == nil {
			p.refuse("mirror", x.name)
			continue
		}
		m := Mirror{Name: x.name, Resource: x.name}
		if v := f["name"]; v != nil {
			m.Resource = p.text(v, "a mirror's name")
		}
		m.From = slices.Index(names, p.oneOf(f["from"], "a cluster", names...))
		m.To = slices.Index(names, p.oneOf(f["to"], "a cluster", names...))
		switch { // what is wrong with one does not hide what is wrong with the rest
		case m.From < 0:
			m.From = 1 - max(m.To, 0)
			m.To = 1 - m.From
		case m.To < 0:
			m.To = 1 - m.From
		}
		if m.From == m.To {
			p.fail(f["to"], wordOf(f["to"]), "a mirror leads to the other cluster", names[1-m.To])
			m.To = 1 - m.From
		}
		if v := f["groups"]; v != nil {
			m.Groups = p.words(v, "groups")
		}
		if v := f["exclude-groups"]; v != nil {
			m.NoGroups = p.words(v, "exclude-groups")
		}
		if !kafkaName.MatchString(m.Resource) || reserved.MatchString(m.Resource) {
			p.fail(x.key, m.Resource, "not a name for a mirror", legal+", and no end in .paused, .stopped or .removed")
		}
		for _, o := range p.plan.Mirrors {
			if o.Resource == m.Resource && o.To == m.To {
				p.fail(x.key, m.Resource, "cluster "+names[m.To]+" has a mirror of this name already", "another name")
			}
		}
		p.plan.Mirrors = append(p.plan.Mirrors, m)
	}
	if n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		p.fail(n, "", "there is no mirror", "NAME: {from: CLUSTER, to: CLUSTER}")
	}
}

// index is where a name stands in a list of names; -1, with an error, where it does not.
func (p *parser) index(n *yaml.Node, what, word string, names []string) int {
	i := slices.Index(names, word)
	switch {
	case i >= 0, slices.Contains(p.refused[what], word):
	case len(names) == 0:
		p.none(n, word, what)
	default:
		p.fail(n, word, "there is no such "+what, names...)
	}
	return i
}

// none says once of a sort of things that the file has none, whatever names one.
func (p *parser) none(n *yaml.Node, word, what string) {
	if len(p.refused[what]) == 0 {
		p.refuse(what, word)
		p.fail(n, word, "the file has no "+what+"s", valueOf("a plan", what+"s"))
	}
}

// indexes are the places of the words of a node in a list of names.
func (p *parser) indexes(n *yaml.Node, what string, names []string) (list []int) {
	for _, w := range p.words(n, what+"s") {
		if i := p.index(n, what, w, names); i >= 0 {
			list = append(list, i)
		}
	}
	return list
}

// revisions are the names of the revisions of the design.
func revisions() (list []string) {
	for _, x := range protocol.Revisions() {
		list = append(list, x.Name)
	}
	return list
}
