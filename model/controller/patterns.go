package controller

import (
	"slices"

	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/record"
	"mirrorsim/model/wire"
)

// refusesPatterns is the result of a request as a whole: the older form of a stop takes no patterns, they must be valid, and
// they are about a mirror that exists.
func (c *Controller) refusesPatterns(req *wire.MirrorTopicsRequest) wire.Code {
	switch {
	case len(req.Patterns) == 0:
		return wire.OK
	case req.Action != wire.StopMirrorTopics || !c.spec.Config.Names().TakesPatterns():
		return wire.UnsupportedVersion
	case !metadata.ValidEntries(req.Patterns):
		return wire.InvalidRequest
	case c.image.Mirror(req.Mirror) == nil:
		return wire.UnknownClusterMirror
	}
	return wire.OK
}

// stopByPattern changes the mirror's lists and stops each topic of it that is mirroring, by D51 a paused one too, and that
// the new exclude matches (seed 004, Stop, 2). That is the controller's own record, whatever D48 says: it does the
// selecting, and knows no other state of topics that the request does not name.
// named are the results of the topics that it names: one that was refused is still stopped by a pattern.
func (c *Controller) stopByPattern(
	m *record.MirrorRecord, req *wire.MirrorTopicsRequest, named []wire.TopicResult,
) ([]record.Metadata, []wire.TopicResult) {
	var records []record.Metadata
	stopped := func(t id.Topic) bool {
		return slices.ContainsFunc(named, func(r wire.TopicResult) bool { return r.Topic == t && r.Code == wire.OK })
	}
	changed := excluding(m, req.Patterns)
	if changed != m {
		records = append(records, changed)
	}
	var results []wire.TopicResult
	for i := range c.image.Topics {
		t := &c.image.Topics[i]
		running := t.Desired == record.WantMirroring || t.Desired == record.WantPaused && c.spec.Config.PatternStopsPaused()
		if t.Mirror != req.Mirror || !running || stopped(t.Topic) || !metadata.Excluded(changed, t.Name) {
			continue
		}
		if _, old := c.taken(req, t.Topic); old {
			continue
		}
		records = append(records, intent(t, record.WantStopped))
		results = append(results, wire.TopicResult{Topic: t.Topic})
	}
	return records, results
}

// excluding is the mirror after a stop by patterns: the entries of include that equal one leave it, and each joins exclude.
// It is m itself where that changes nothing.
func excluding(m *record.MirrorRecord, patterns []string) *record.MirrorRecord {
	include := slices.DeleteFunc(slices.Clone(m.Include), func(entry string) bool { return slices.Contains(patterns, entry) })
	exclude := slices.Clone(metadata.ExcludeOf(m))
	for _, p := range patterns {
		if !slices.Contains(exclude, p) {
			exclude = append(exclude, p)
		}
	}
	if len(include) == len(m.Include) && len(exclude) == len(metadata.ExcludeOf(m)) {
		return m
	}
	changed := *m
	changed.Include, changed.Exclude = include, exclude
	return &changed
}
