package format

import (
	"errors"
	"slices"
	"strings"

	"mirrorsim/model/protocol"
	"mirrorsim/model/setting"
)

// DefaultRevision is the revision of a file without a protocol statement.
const DefaultRevision = "first"

// parseProtocol reads:
//
//	protocol start-stop
func parseProtocol(l *line) {
	if l.p.s.Revision != "" {
		l.fail("protocol", "the file has a protocol statement already")
	}
	l.p.s.Revision = l.revision()
	l.p.s.RevisionAt = l.p.pos()
}

// revision reads the name of a revision.
func (l *line) revision() string {
	name := l.word("the name of a revision")
	if l.err == nil {
		if _, err := protocol.Revision(name); err != nil {
			l.failProtocol(name, err)
		}
	}
	return name
}

// parseSet reads:
//
//	set stop-bump=above-log
//	set D7=above-log
func parseSet(l *line) {
	s := l.decision()
	for _, o := range l.p.s.Sets {
		if decisionID(o.Key) == decisionID(s.Key) {
			l.fail(s.Key, "this decision is set already")
		}
	}
	s.Pos = l.p.pos()
	l.p.s.Sets = append(l.p.s.Sets, s)
}

// parseSetting reads:
//
//	setting retry-backoff=200ms
//	setting state-partitions=1
func parseSetting(l *line) {
	key, value := l.pair("SETTING=VALUE")
	for _, o := range l.p.s.Settings {
		if o.Key == key {
			l.fail(key, "this setting is set already")
		}
	}
	scratch := setting.Default()
	if l.err == nil && !slices.Contains(settingKeys(), key) {
		l.fail(key, "unknown setting", settingKeys()...)
	} else if err := scratch.Set(key, value); l.err == nil && err != nil {
		l.fail(key+"="+value, err.Error())
	}
	l.p.s.Settings = append(l.p.s.Settings, Set{l.p.pos(), key, value})
}

func settingKeys() (keys []string) {
	s := setting.Default()
	for _, row := range s.Table() {
		keys = append(keys, row.Key)
	}
	return keys
}

// decision reads one decision with its option.
func (l *line) decision() Set {
	key, token := l.pair("DECISION=OPTION")
	var scratch protocol.Config
	if l.err == nil {
		if err := scratch.Set(key, token); err != nil {
			l.failProtocol(key+"="+token, err)
		}
	}
	return Set{Key: key, Token: token}
}

// failProtocol takes over what the protocol package would accept.
func (l *line) failProtocol(word string, err error) {
	var unknown *protocol.UnknownError
	if errors.As(err, &unknown) {
		l.fail(word, "unknown "+unknown.Kind, unknown.Want...)
		return
	}
	l.fail(word, err.Error())
}

// decisionID is the id of a decision that is called by id or by name.
func decisionID(key string) string {
	for _, d := range protocol.Decisions() {
		if d.Name == key || strings.EqualFold(d.ID, key) {
			return d.ID
		}
	}
	return key
}

func (s *Set) appendText(dst []byte) []byte { return append(dst, s.Key+"="+s.Token...) }

// Config is the protocol configuration of the file: its revision, or base if it names none, and its set lines.
func (s *Scenario) Config(base string) (protocol.Config, error) {
	if s.Revision != "" {
		base = s.Revision
	}
	c, err := protocol.Revision(base)
	for i := 0; i < len(s.Sets) && err == nil; i++ {
		err = c.Set(s.Sets[i].Key, s.Sets[i].Token)
	}
	return c, err
}

// Constants are the settings of the file over Kafka's defaults.
func (s *Scenario) Constants() (setting.Settings, error) {
	c := setting.Default()
	for i := range s.Settings {
		if err := c.Set(s.Settings[i].Key, s.Settings[i].Token); err != nil {
			return c, err
		}
	}
	return c, nil
}

// settings are the settings so far, all of which were checked.
func (p *parser) settings() *setting.Settings {
	c, _ := p.s.Constants()
	return &c
}
