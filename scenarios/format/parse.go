package format

import (
	"slices"
	"strconv"
	"strings"
)

// statement is one kind of line by its first word.
type statement struct {
	keyword string
	place   place
	parse   func(l *line)
}

// place is where a statement may stand.
type place uint8

const (
	early  place = iota // before the first step and the first expectation: these may name what it declares
	step                // anywhere, in a repeat too
	judged              // anywhere but in a repeat
)

// statements are all kinds of lines but for the acts, which acts lists, in the order of the manual.
var statements = []statement{
	{"scenario", early, parseScenario},
	{"protocol", early, parseProtocol},
	{"set", early, parseSet},
	{"setting", early, parseSetting},
	{"cluster", early, parseCluster},
	{"topic", early, parseTopic},
	{"client", early, parseClient},
	{"mirror", early, parseMirror},
	{"at", step, parseTimed},
	{"after", step, parseTimed},
	{"until", step, parseUntil},
	{"repeat", step, parseRepeat},
	{"end", step, parseEnd},
	{"choose", judged, parseChoose},
	{"expect", judged, parseExpect},
	{"wrong", judged, parseWrong},
}

// parser is the state between the lines.
type parser struct {
	file     string
	line     int
	s        *Scenario
	notes    []string // comment lines that wait for their statement
	named    bool     // the scenario statement was seen
	open     []*Step  // the repeats that are not ended yet, outermost first
	steps    int      // steps of the run so far, repeats counted out
	grown    []*CreatePartitions
	replaced []*CreateMirror // those with another source
	created  map[string]int  // topics that the steps create so far, by cluster, repeats counted out
	errors   []*SyntaxError  // so far
	doubtful []string        // names that refused lines were to declare
	lost     bool            // a step was refused: steps are numbered otherwise than the file means
}

// Parse reads a scenario file; file is its name for errors, which are of type *SyntaxError: the first one, which has up to
// nine others of the file with it.
func Parse(file string, src []byte) (*Scenario, error) {
	p := &parser{file: file, s: &Scenario{}}
	for text := range strings.Lines(string(src)) {
		p.line++
		if !p.parseLine(text) || len(p.errors) == maxErrors {
			break
		}
	}
	if len(p.errors) < maxErrors {
		p.finish()
	}
	if len(p.errors) > 0 {
		first := p.errors[0]
		first.More = p.errors[1:]
		return nil, first
	}
	return p.s, nil
}

// parseLine reads a line. It answers false when the file is none of a scenario, so that nothing can be said of the others.
func (p *parser) parseLine(text string) bool {
	words, comment, commented := splitLine(text)
	if commented {
		p.notes = append(p.notes, comment)
	}
	if len(words) == 0 {
		return true
	}
	before, named := *p.s, p.named
	err := p.parseWords(words)
	if err == nil {
		return true
	}
	p.refuse(words, err)
	if !named && !p.named {
		p.named = slices.Contains(keywords(), words[0])
		return p.named && p.parseLine(strings.Join(words, " "))
	}
	p.mend(before, words)
	return true
}

// parseWords reads a line that has words. The error is the first of the line.
func (p *parser) parseWords(words []string) *SyntaxError {
	l := &line{p: p, words: words}
	l.statement()
	l.end()
	return l.err
}

// splitLine cuts a line into words and the comment. A number sign begins a comment where a word would begin, but for the
// fourth word of a choose line.
func splitLine(text string) (words []string, comment string, commented bool) {
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] == '#' && !(len(words) == 3 && words[0] == "choose") {
			return words, strings.TrimPrefix(rest[1:], " "), true
		}
		i := strings.IndexAny(rest, " \t")
		if i < 0 {
			i = len(rest)
		}
		words = append(words, rest[:i])
		rest = rest[i:]
	}
	return words, "", false
}

// statement reads the first word and hands over.
func (l *line) statement() {
	w := l.words[0]
	if !l.p.named && w != "scenario" {
		l.fail(w, "a file begins with its scenario statement", "scenario NAME")
		return
	}
	for _, s := range statements {
		if s.keyword != w {
			continue
		}
		if s.place == early && l.p.steps+len(l.p.s.Expect) > 0 {
			l.fail(w, "this statement stands before the first step and the first expectation")
		}
		if s.place != step && len(l.p.open) > 0 {
			l.fail(w, "only steps stand in a repeat", "end")
		}
		if l.err != nil {
			return
		}
		l.next = 1
		s.parse(l)
		return
	}
	if isAct(w) {
		parseTimed(l)
		return
	}
	l.fail(w, "unknown statement", keywords()...)
}

// keywords are the first words that are accepted.
func keywords() []string {
	var list []string
	for _, s := range statements {
		list = append(list, s.keyword)
	}
	return append(list, actKeywords()...)
}

// pos takes the comment lines that were waiting.
func (p *parser) pos() Pos {
	pos := Pos{p.line, strings.Join(p.notes, "\n")}
	p.notes = p.notes[:0]
	return pos
}

// finish looks at what only the end of the file shows.
func (p *parser) finish() {
	l := &line{p: p}
	switch {
	case !p.named && len(p.errors) > 0:
	case !p.named:
		p.line = max(p.line, 1)
		l.fail("", "the file has no scenario statement", "scenario NAME")
	case len(p.open) > 0 && len(p.errors) > 0 && p.errors[len(p.errors)-1].Line >= p.open[len(p.open)-1].Line:
		// what is wrong in the repeat may be its end
	case len(p.open) > 0:
		p.line = p.open[len(p.open)-1].Line
		l.fail("repeat", "this repeat has no end", "end")
	}
	if l.err != nil {
		p.errors = append(p.errors, l.err)
	}
	p.s.EndNote = strings.Join(p.notes, "\n")
}

// parseScenario reads:
//
//	scenario F1
func parseScenario(l *line) {
	if l.p.named {
		l.fail("scenario", "a file holds one scenario")
	}
	l.p.s.Name = l.name("a name for the scenario")
	l.p.s.Story = l.p.pos().Note
	l.p.named = true
}

func itoa(n int) string { return strconv.Itoa(n) }
