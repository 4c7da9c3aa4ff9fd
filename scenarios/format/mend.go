package format

import (
	"slices"
	"strings"
)

// A file is read to its end, so that whoever writes one hears of all mistakes at once, and of each once. So a line that is
// refused must not make the lines that build on it look wrong: what it declares is declared as far as it can be, and what
// names a thing that could not be declared at all is not judged.

// maxErrors is how many errors of a file are told.
const maxErrors = 10

// refuse takes an error of the line down, unless it follows from one that stands above.
func (p *parser) refuse(words []string, err *SyntaxError) {
	if p.follows(words) || p.toldAlready(words, err) {
		return
	}
	p.errors = append(p.errors, err)
}

// follows tells whether a line depends on one that was refused.
func (p *parser) follows(words []string) bool {
	counts := words[0] == "expect" && len(words) > 1 && words[1] == "error" // steps by their number
	if p.lost && (counts || words[0] == "end") {
		return true
	}
	for _, token := range strings.FieldsFunc(strings.Join(words[1:], " "), notInNames) {
		for _, name := range p.doubtful {
			if rest, ok := strings.CutPrefix(token, name); ok && strings.Trim(rest, "-0123456789") == "" {
				return true
			}
		}
	}
	return false
}

// notInNames tells what parts a name from what stands beside it. Letters of a node's name are a cluster's in lower case.
func notInNames(c rune) bool {
	return c == ' ' || c == '/' || c == '=' || c == ',' || c == '@' || c == '>' || c == ':'
}

// toldAlready tells whether the same word was refused above for the same reason, in lines that declare nothing: a name that is
// nowhere declared is one mistake, however often it is used.
func (p *parser) toldAlready(words []string, err *SyntaxError) bool {
	if declares(words[0]) || err.Word == "" {
		return false
	}
	return slices.ContainsFunc(p.errors, func(e *SyntaxError) bool { return e.Word == err.Word && e.Message == err.Message })
}

// declares tells whether a statement gives a name to something.
func declares(keyword string) bool {
	return slices.Contains([]string{"cluster", "topic", "client", "mirror"}, keyword)
}

// mend has the lines below a refused one go on as if it had been right, as far as one can tell what was meant.
func (p *parser) mend(before Scenario, words []string) {
	if near := Nearest(words[0], keywords()); near != "" {
		words = slices.Clone(words)
		words[0] = near
	}
	switch {
	case declares(words[0]):
		*p.s = before
		for _, instead := range meant(words) {
			if p.parseWords(instead) == nil {
				return
			}
			*p.s = before
		}
		if len(words) > 1 {
			p.doubtful = append(p.doubtful, words[1])
			if words[0] == "cluster" {
				p.doubtful = append(p.doubtful, strings.ToLower(words[1])) // its nodes
			}
		}
	case words[0] == "repeat":
		p.lost = true
		_ = p.parseWords([]string{"repeat", "1"}) // too deep a one has its end refused, which follows
	case !slices.Contains([]string{"scenario", "protocol", "set", "setting", "choose", "expect", "wrong", "end"}, words[0]):
		p.lost = true
	}
}

// meant are lines that declare at least the name that a refused one was to declare, best first: what depends on
// its options is allowed as much as there can be.
func meant(words []string) (list [][]string) {
	is := func(at int, word string) bool { return len(words) > at+1 && words[at] == word }
	switch {
	case words[0] == "cluster" && len(words) > 1:
		return [][]string{{"cluster", words[1], "brokers=16"}, {"cluster", words[1], "brokers=1"}}
	case words[0] == "topic" && is(2, "on"):
		bare := []string{"topic", words[1], "on", words[3], "partitions=" + itoa(maxPartitions), "replicas=1"}
		for _, o := range words[4:] {
			if strings.HasPrefix(o, "id-of=") {
				list = append(list, append(slices.Clone(bare), o))
			}
		}
		return append(list, bare)
	case words[0] == "client" && is(3, "on"):
		return [][]string{{"client", words[1], words[2], "on", words[4]}}
	case words[0] == "mirror" && is(2, "from") && is(4, "to"):
		return [][]string{{"mirror", words[1], "from", words[3], "to", words[5]}}
	}
	return nil
}
