package plan

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// reader walks the nodes of a plan's file and gathers what is wrong with it.
type reader struct {
	file    string
	errs    []*format.SyntaxError
	refused map[string][]string // by what it names, such as "topic": names that stand in the file, whose entries are refused
}

// mostErrors is how many errors of one file are told, as of a scenario.
const mostErrors = 10

// largest is the largest number of a plan: every larger one would not survive JSON.
const largest = 1 << 53

// root is the top mapping of the file; nil, with an error noted, where there is none.
func (r *reader) root(src []byte) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		r.notYAML(src, err)
		return nil
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 || doc.Content[0].Tag == "!!null" {
		r.errs = append(r.errs, &format.SyntaxError{File: r.file, Line: 1, Message: "the file is empty", Want: topKeys})
		return nil
	}
	return doc.Content[0]
}

func (r *reader) notYAML(src []byte, err error) {
	e := &format.SyntaxError{File: r.file, Line: 1, Want: []string{"what scenarios/plan/PLAN.md describes; mirrorsim plan --example prints some"},
		Message: "neither YAML nor JSON: " + strings.ReplaceAll(err.Error(), "\n", " ")}
	var at *yaml.LoadError
	if errors.As(err, &at) {
		e.Line, e.Message = max(at.Mark.Line, 1), "neither YAML nor JSON: "+at.Message
		if i := at.Mark.Index; strings.Contains(at.Message, "tab character") || i < len(src) && src[i] == '\t' {
			e.Word, e.Message, e.Want = "\t", "YAML takes no tabs for indentation", []string{"spaces"}
		}
	}
	r.errs = append(r.errs, e)
}

// fail notes an error at a node; word is what is wrong, as the file has it.
func (r *reader) fail(n *yaml.Node, word, message string, want ...string) {
	r.errs = append(r.errs, &format.SyntaxError{File: r.file, Line: n.Line, Word: word, Message: message, Want: want})
}

// refuse notes that the entry of a name is refused: what names it later on is not wrong for that.
func (r *reader) refuse(what, name string) {
	if r.refused == nil {
		r.refused = map[string][]string{}
	}
	r.refused[what] = append(r.refused[what], name)
}

// err is all that was noted, the first of the file in front; nil if nothing was.
func (r *reader) err() error {
	if len(r.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(r.errs, func(a, b *format.SyntaxError) int { return a.Line - b.Line })
	r.errs = onceEach(r.errs)
	first := r.errs[0]
	first.More = r.errs[1:min(len(r.errs), mostErrors)]
	return first
}

// onceEach are the errors without those that say of another line what one before says: a name that is wrong throughout is one mistake.
func onceEach(errs []*format.SyntaxError) (list []*format.SyntaxError) {
	again := map[*format.SyntaxError][]string{}
	for _, e := range errs {
		same := func(o *format.SyntaxError) bool {
			return e.Word != "" && o.Word == e.Word && o.Message == e.Message && slices.Equal(o.Want, e.Want)
		}
		if i := slices.IndexFunc(list, same); i < 0 {
			list = append(list, e)
		} else if line := strconv.Itoa(e.Line); e.Line > list[i].Line && !slices.Contains(again[list[i]], line) {
			again[list[i]] = append(again[list[i]], line)
		}
	}
	for e, lines := range again {
		e.Message += fmt.Sprintf(", also in %s %s", checkers.Noun(len(lines), "line", "lines"), strings.Join(lines, ", "))
	}
	return list
}

// pair is one entry of a mapping.
type pair struct {
	name       string
	key, value *yaml.Node
}

// pairs are the entries of a mapping, each name once. what says of what, for the error.
func (r *reader) pairs(n *yaml.Node, what string) (list []pair) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, wordOf(n), what+" is a mapping", shapeOf("a plan", what, "NAME: VALUE"))
		return nil
	}
	r.joinThousands(n)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		switch {
		case k.Kind != yaml.ScalarNode || k.Tag == "!!merge":
			r.fail(k, wordOf(k), "not a name for an entry of "+what)
		case slices.ContainsFunc(list, func(p pair) bool { return p.name == k.Value }):
			r.fail(k, k.Value, what+" has this entry already")
		case v.Kind == yaml.AliasNode:
			r.fail(v, "*"+v.Value, "aliases are not accepted", "the value itself")
		default:
			list = append(list, pair{k.Value, k, v})
		}
	}
	return list
}

var (
	leading   = regexp.MustCompile(`^-?[0-9]{1,3}$`)
	thousands = regexp.MustCompile(`^[0-9]{3}$`)
	digits    = regexp.MustCompile(`^-?[0-9]+$`)
)

// joinThousands puts numbers together that are written with commas, as in {end: 1,500,020}, where YAML reads 1 and two entries without a
// value. That is one mistake, and nothing else is to be said of the parts.
func (r *reader) joinThousands(n *yaml.Node) {
	var joined []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		v, written := n.Content[i+1], n.Content[i+1].Value
		joined = append(joined, n.Content[i], v)
		for leading.MatchString(v.Value) && i+3 < len(n.Content) && n.Content[i+3].Tag == "!!null" &&
			thousands.MatchString(n.Content[i+2].Value) {
			i += 2
			written += "," + n.Content[i].Value
		}
		if written != v.Value {
			v.Value = strings.ReplaceAll(written, ",", "")
			r.fail(v, written, "a number has no commas", v.Value)
		}
	}
	n.Content = joined
}

// fields are the entries of a mapping that may have these keys and no other, and must have those of required.
func (r *reader) fields(n *yaml.Node, what string, keys, required []string) map[string]*yaml.Node {
	found := map[string]*yaml.Node{}
	var unknown []string
	for _, p := range r.pairs(n, what) {
		if !slices.Contains(keys, p.name) {
			unknown = append(unknown, p.name)
			r.fail(p.key, p.name, "unknown key of "+what, keys...)
			continue
		}
		if p.value.Tag == "!!null" {
			r.fail(p.key, p.name, "this key of "+what+" has no value", valueOf(what, p.name))
			continue
		}
		found[p.name] = p.value
	}
	if n.Kind != yaml.MappingNode {
		return found
	}
	for _, k := range required {
		if found[k] == nil && !hasKey(n, k) && !misspelt(unknown, k, keys) {
			r.fail(n, "", what+" lacks "+k, valueOf(what, k))
		}
	}
	return found
}

// misspelt tells whether one of the unknown keys is likely to be meant for a key: that is said of the unknown one already.
func misspelt(unknown []string, key string, keys []string) bool {
	return slices.ContainsFunc(unknown, func(u string) bool { return format.Nearest(u, keys) == key })
}

func hasKey(n *yaml.Node, name string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return true
		}
	}
	return false
}

// wordOf is a node as an error names it.
func wordOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "{...}"
	case yaml.SequenceNode:
		return "[...]"
	case yaml.AliasNode:
		return "*" + n.Value
	}
	first, _, more := strings.Cut(n.Value, "\n")
	if more {
		first += " ..."
	}
	return first
}

// text is a word or a number, as it is written.
func (r *reader) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		r.fail(n, wordOf(n), what+" is one word")
		return ""
	}
	return n.Value
}

// oneOf is one of the words.
func (r *reader) oneOf(n *yaml.Node, what string, words ...string) string {
	s := r.text(n, what)
	if s != "" && !slices.Contains(words, s) {
		r.fail(n, s, "not "+what, words...)
		return ""
	}
	return s
}

// number is a whole number from least to most.
func (r *reader) number(n *yaml.Node, what string, least, most int64) int64 {
	v, err := strconv.ParseInt(n.Value, 10, 64)
	if whole := strings.ReplaceAll(n.Value, ",", ""); whole != n.Value && n.Kind == yaml.ScalarNode && digits.MatchString(whole) {
		r.fail(n, wordOf(n), "a number has no commas", whole)
		return least
	}
	if n.Kind != yaml.ScalarNode || err != nil || v < least || v > most {
		r.fail(n, wordOf(n), what+" is a whole number", fmt.Sprintf("%d to %d", least, most))
		return least
	}
	return v
}

// offset is a number from 0, or nil where the node is.
func (r *reader) offset(n *yaml.Node, what string) *int64 {
	if n == nil {
		return nil
	}
	v := r.number(n, what, 0, largest)
	return &v
}

func (r *reader) truth(n *yaml.Node, what string) bool {
	return r.oneOf(n, what, "true", "false") == "true"
}

// duration is a time such as 30s.
func (r *reader) duration(n *yaml.Node, what string) id.Duration {
	d, err := id.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || d < 0 || d > longest {
		r.fail(n, wordOf(n), what+" is a time", "a whole number and us, ms, s, m or h, up to 1000h, such as 30s")
		return 0
	}
	return d
}

// longest is the longest time of a plan.
const longest = 1000 * 60 * id.Minute

// words are a list, or a single word.
func (r *reader) words(n *yaml.Node, what string) (list []string) {
	if n.Kind == yaml.ScalarNode {
		return []string{r.text(n, what)}
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		r.fail(n, wordOf(n), what+" is a list", "[NAME, NAME]")
		return nil
	}
	for _, x := range n.Content {
		s := r.text(x, what)
		if slices.Contains(list, s) {
			r.fail(x, s, what+" names this twice")
			continue
		}
		list = append(list, s)
	}
	return list
}
