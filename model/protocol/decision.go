package protocol

// Decision is one decision point of section 12 of the design, as data for printing and for generators.
type Decision struct {
	ID      string   // "D1" to "D54"
	Name    string   // as in --set NAME=TOKEN, such as "stop-bump"
	Doc     string   // what it decides
	Source  string   // where the question comes from: a step of a seed, or a section of the design
	Options []Option // at least two
	All     bool     // the token lists all the options, in any order, separated by commas, instead of naming one
}

// Option is one answer to a decision.
type Option struct {
	Token string // as in --set NAME=TOKEN
	Doc   string // what it means
}

// Decisions are all decision points, D1 to D54 in the order of their numbers. The caller owns the answer.
func Decisions() []Decision {
	var c Config
	fields := c.fields()
	all := make([]Decision, len(fields))
	for i, f := range fields {
		all[i] = f.decision()
	}
	return all
}

// Tokens are the tokens of the decision's options, in their order.
func (d Decision) Tokens() []string {
	tokens := make([]string, len(d.Options))
	for i, o := range d.Options {
		tokens[i] = o.Token
	}
	return tokens
}

// option is one option of a row.
func option(token, doc string) Option { return Option{Token: token, Doc: doc} }

// decide makes a row whose token names one option.
func decide(id, name, doc, source string, options ...Option) Decision {
	return Decision{ID: id, Name: name, Doc: doc, Source: source, Options: options}
}
