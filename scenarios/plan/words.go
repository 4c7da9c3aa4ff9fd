package plan

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"mirrorsim/checkers"
)

// stuck finds the steps that were refused, or did not come to their end.
func (f *folder) stuck(lines []int) {
	note := func(line int, what string) {
		step := sort.SearchInts(lines, line+1) - 1
		if step >= 0 && step < len(f.plan.Steps) {
			f.outcome.ends = append(f.outcome.ends, end{part: -1, cluster: -1, step: step, state: f.plan.Steps[step].Act,
				waits: f.translate(what)})
		}
	}
	for _, r := range f.result.Refused {
		if slices.ContainsFunc(acts, func(a string) bool { return strings.HasPrefix(r.Text, a+" ") }) {
			note(r.Line, "it was refused with "+r.Code.String())
		}
	}
	for _, x := range f.result.Failures {
		note(x.Line, "it did not come to its end, and nothing behind it was done: "+x.Got)
	}
}

// scenarioWord is a name that the scenario has for something of the operator's: a replica of a partition, a partition, a node by its
// name or its number, a cluster.
var scenarioWord = regexp.MustCompile(`\b([AB])/([A-Za-z0-9._-]+)-0(?:@([ab])(\d+))?\b|\b([ab])(\d+)\b|\bnode (\d+)\b|\b([AB])\b`)

// translate puts the operator's names for those of the scenario. It does so in one pass, as an operator may call a cluster A as well.
func (f *folder) translate(text string) string {
	return scenarioWord.ReplaceAllStringFunc(text, func(w string) string {
		m := scenarioWord.FindStringSubmatch(w)
		switch {
		case m[2] != "":
			return f.partition(m)
		case m[6] != "":
			return f.broker(m[5], m[6], w)
		case m[7] != "":
			if n, _ := strconv.Atoi(m[7]); n < len(f.nodes) {
				return f.translate(f.nodes[n])
			}
			return w
		}
		return f.plan.Clusters[strings.Index("AB", w)].Name
	})
}

// partition is a partition of the scenario by its name, on a cluster or on a broker; m is the match of scenarioWord.
func (f *folder) partition(m []string) string {
	for _, x := range f.parts {
		if x.name != m[2] {
			continue
		}
		if m[4] != "" {
			return x.title() + " on " + f.broker(m[3], m[4], m[3]+m[4])
		}
		return x.title() + " on " + f.plan.Clusters[strings.Index("AB", m[1])].Name
	}
	return m[0]
}

// broker is a broker of the scenario by its id; one that the file does not have keeps its name.
func (f *folder) broker(letter, number, name string) string {
	c := strings.Index("ab", letter)
	n, _ := strconv.Atoi(number)
	if list := f.plan.brokers(c); n < len(list) {
		return fmt.Sprintf("broker %d of %s", list[n], f.plan.Clusters[c].Name)
	}
	return name
}

// title is a partition as Kafka prints it.
func (x *Partition) title() string { return x.topic.Name + "-" + strconv.Itoa(x.Index) }

// count is a number with commas between its thousands.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// records is so many records, in words.
func records(n int64) string {
	return count(n) + " " + checkers.Noun(n, "record", "records")
}

// spread is a number or a range of numbers of records.
func spread(least, most int64, about bool) string {
	text := count(most)
	if least != most {
		text = count(least) + " to " + count(most)
	}
	if about {
		text = "about " + text
	}
	return text
}

// list joins names as a sentence has them.
func list(names []string) string {
	switch n := len(names); n {
	case 0:
		return "none"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
