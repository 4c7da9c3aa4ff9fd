package format

import (
	"fmt"
	"strings"

	"mirrorsim/model/record"
)

// Config has a cluster's admin set a dynamic config of topics, or delete it:
//
//	config orders on A retention.ms=1000
//	config orders users on A retention.ms=
//
// It has completed when the admin has a result for each topic.
type Config struct {
	Topics     []string
	On         string
	Key, Value string // as written, legal or not; an empty value: deleted
}

func parseConfig(l *line) Act {
	a := &Config{}
	a.Topics, a.On = l.topicsOnCluster()
	a.Key, a.Value = l.setting()
	return a
}

// setting reads one word of the form KEY=VALUE, of which the value may be empty.
func (l *line) setting() (key, value string) {
	w := l.word("KEY=VALUE")
	key, value, ok := strings.Cut(w, "=")
	if l.err == nil && (!ok || key == "") {
		l.fail(w, "not of the form KEY=VALUE", "KEY=VALUE", "KEY=")
	}
	return key, value
}

// Keyword is config.
func (a *Config) Keyword() string { return "config" }

// AppendText appends the line.
func (a *Config) AppendText(dst []byte) []byte {
	return append(dst, "config "+strings.Join(a.Topics, " ")+" on "+a.On+" "+a.Key+"="+a.Value...)
}

// Simpler is the same request for one topic less.
func (a *Config) Simpler() []Act {
	var list []Act
	for _, topics := range oneLess(a.Topics) {
		list = append(list, &Config{topics, a.On, a.Key, a.Value})
	}
	return list
}

// ConfigIs is that a dynamic config of a topic has that value by the metadata log of the cluster, or is not set:
//
//	expect config orders on B retention.ms=1000
//	expect config orders on B min.insync.replicas=
type ConfigIs struct {
	Topic, On string
	Key       record.ConfigKey
	Value     string // as record.ConfigValue has it; empty: not set
}

func parseConfigIs(l *line) Expectation {
	topics, on := l.topicsOnCluster()
	key, value := l.setting()
	e := ConfigIs{On: on, Value: value}
	if l.err != nil {
		return e
	}
	if e.Topic = topics[0]; len(topics) > 1 {
		l.fail(topics[1], "an expectation names one topic")
	}
	var known bool
	if e.Key, known = record.ParseConfigKey(key); !known {
		l.fail(key, "unknown config", record.ConfigNames()...)
	} else if v, ok := record.ParseConfig(e.Key, value); ok {
		e.Value = v.Text
	} else if value != "" {
		l.fail(key+"="+value, "not a value that the config takes", record.ConfigForm(e.Key))
	}
	return e
}

// AppendText appends the expectation.
func (e ConfigIs) AppendText(dst []byte) []byte {
	return fmt.Appendf(dst, "config %s on %s %v=%s", e.Topic, e.On, e.Key, e.Value)
}

// Check compares the value.
func (e ConfigIs) Check(v View) error {
	switch value, set := v.Config(e.On, e.Topic, e.Key); {
	case value == e.Value:
		return nil
	case set:
		return fmt.Errorf("%v of %s on %s is %s", e.Key, e.Topic, e.On, value)
	}
	return fmt.Errorf("%v of %s on %s is not set", e.Key, e.Topic, e.On)
}
