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

var (
	nodeWord  = regexp.MustCompile(`\b([ab])(\d+)\b`)
	nodeIndex = regexp.MustCompile(`\bnode (\d+)\b`)
	partWord  = regexp.MustCompile(`\b([AB])/([A-Za-z0-9._-]+)-0\b`)
)

// translate puts the operator's names for those of the scenario.
func (f *folder) translate(text string) string {
	text = nodeIndex.ReplaceAllStringFunc(text, func(w string) string {
		if n, _ := strconv.Atoi(strings.TrimPrefix(w, "node ")); n < len(f.nodes) {
			return f.nodes[n]
		}
		return w
	})
	text = partWord.ReplaceAllStringFunc(text, func(w string) string {
		m := partWord.FindStringSubmatch(w)
		for _, x := range f.parts {
			if x.name == m[2] {
				return x.title() + " on " + f.plan.Clusters[strings.Index("AB", m[1])].Name
			}
		}
		return w
	})
	return nodeWord.ReplaceAllStringFunc(text, func(w string) string {
		m := nodeWord.FindStringSubmatch(w)
		c := strings.Index("ab", m[1])
		n, _ := strconv.Atoi(m[2])
		if list := f.plan.brokers(c); n < len(list) {
			return fmt.Sprintf("broker %d of %s", list[n], f.plan.Clusters[c].Name)
		}
		return w
	})
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
