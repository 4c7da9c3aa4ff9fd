package format

import "slices"

// cluster reads the name of a cluster that was declared above. It is never nil.
func (l *line) cluster() *Cluster {
	w := l.word("the name of a cluster")
	if c := l.p.s.cluster(w); c != nil {
		return c
	}
	l.fail(w, "unknown cluster", l.p.s.clusters()...)
	return &Cluster{}
}

// tp reads a partition without a node.
func (l *line) tp() TP {
	w := l.word("a partition, such as B/orders-0")
	return l.plainTP(w, w)
}

// plainTP reads text, a part of word, as a partition without a node.
func (l *line) plainTP(word, text string) TP {
	t := l.parseTP(word, text)
	if t.Node != "" {
		l.fail(word, "a replica is not accepted here", "a partition without @")
	}
	return t
}

// parseTP reads text, a part of word, as a partition, and looks all of its names up.
func (l *line) parseTP(word, text string) TP {
	t, ok := ParseTP(text)
	if l.err != nil {
		return t
	}
	if !ok {
		l.fail(word, "not a partition", "CLUSTER/TOPIC-N", "CLUSTER/TOPIC-N@BROKER")
		return t
	}
	c := l.p.s.cluster(t.Cluster)
	if c == nil {
		l.fail(word, "unknown cluster "+t.Cluster, l.p.s.clusters()...)
		return t
	}
	topic := l.p.s.TopicOf(t.Cluster, t.Topic)
	if l.p.s.hasInternal(t.Topic, t.Cluster) {
		internal := l.p.s.InternalTopic(t.Topic, t.Cluster, l.p.settings())
		topic = &internal
	}
	switch {
	case topic == nil:
		l.fail(word, "cluster "+t.Cluster+" has no topic "+t.Topic, l.p.s.topicsAt(t.Cluster)...)
	case t.Partition >= topic.Partitions && t.Partition >= l.p.partitionsOf(t.Cluster, topic):
		l.fail(word, "the topic has no such partition", "0 to "+itoa(l.p.partitionsOf(t.Cluster, topic)-1))
	case t.Node != "" && c.broker(t.Node) < 0:
		l.fail(word, "cluster "+t.Cluster+" has no broker "+t.Node, c.brokers()...)
	}
	return t
}

// client reads the name of a client of one of those kinds.
func (l *line) client(act string, kinds ...ClientKind) string {
	w := l.word("the name of a client")
	l.checkClient(w, w, act, kinds...)
	return w
}

func (l *line) checkClient(word, name, act string, kinds ...ClientKind) {
	if l.err != nil {
		return
	}
	c := l.p.s.client(name)
	if c == nil {
		l.fail(word, "unknown client", l.p.s.clients(kinds...)...)
	} else if !slices.Contains(kinds, c.Kind) {
		l.fail(word, "a "+c.Kind.String()+" client cannot "+act, l.p.s.clients(kinds...)...)
	}
}

// mirror reads the name of a mirror, with its cluster where there are two of that name.
func (l *line) mirror() MirrorRef {
	return l.lookupMirror(l.word("the name of a mirror"))
}

// lookupMirror looks the mirror of that text up.
func (l *line) lookupMirror(w string) MirrorRef {
	r := ParseMirrorRef(w)
	if l.err != nil {
		return r
	}
	switch found := l.p.s.mirrors(r); {
	case len(found) == 0:
		l.fail(w, "unknown mirror", l.p.s.mirrors(MirrorRef{})...)
	case len(found) > 1:
		l.fail(w, "more than one cluster has a mirror of this name", found...)
	}
	return r
}

// FindMirror is the mirror that r names, nil if there is none or more than one.
func (s *Scenario) FindMirror(r MirrorRef) *Mirror {
	var found *Mirror
	for i := range s.Mirrors {
		if m := &s.Mirrors[i]; m.Name == r.Name && (r.Cluster == "" || r.Cluster == m.To) {
			if found != nil {
				return nil
			}
			found = m
		}
	}
	return found
}

// mirrors are the full names of the mirrors that r may mean; the empty reference means all.
func (s *Scenario) mirrors(r MirrorRef) []string {
	var names []string
	for _, m := range s.Mirrors {
		if r.Name == "" && r.Cluster == "" || r.Name == m.Name && (r.Cluster == "" || r.Cluster == m.To) {
			names = append(names, MirrorRef{m.To, m.Name}.String())
		}
	}
	return names
}

// hasInternal tells whether steps may name that internal topic of the cluster.
func (s *Scenario) hasInternal(topic, cluster string) bool {
	switch topic {
	case StateTopic:
		return slices.ContainsFunc(s.Mirrors, func(m Mirror) bool { return m.To == cluster })
	case TransactionTopic:
		return s.Transactional()
	case GroupTopic:
		return s.Grouped()
	}
	return false
}

// Transactional tells whether every cluster has __transaction_state: there is a transactional client, or the file says what
// the topic is like.
func (s *Scenario) Transactional() bool {
	return slices.ContainsFunc(s.Clients, func(c Client) bool { return c.Kind == Transactional }) ||
		slices.ContainsFunc(s.Topics, func(t Topic) bool { return t.Name == TransactionTopic })
}

// Grouped tells whether every cluster has __consumer_offsets: there is a group client, or the file says what the topic is
// like.
func (s *Scenario) Grouped() bool {
	return slices.ContainsFunc(s.Clients, func(c Client) bool { return c.Kind == Group }) ||
		slices.ContainsFunc(s.Topics, func(t Topic) bool { return t.Name == GroupTopic })
}

// IsGroup tells whether the client of that name is a group's member.
func (s *Scenario) IsGroup(client string) bool {
	c := s.client(client)
	return c != nil && c.Kind == Group
}

func (s *Scenario) cluster(name string) *Cluster {
	for i := range s.Clusters {
		if s.Clusters[i].Name == name {
			return &s.Clusters[i]
		}
	}
	return nil
}

func (s *Scenario) topic(cluster, name string) *Topic {
	for i := range s.Topics {
		if s.Topics[i].On == cluster && s.Topics[i].Name == name {
			return &s.Topics[i]
		}
	}
	return nil
}

func (s *Scenario) client(name string) *Client {
	for i := range s.Clients {
		if s.Clients[i].Name == name {
			return &s.Clients[i]
		}
	}
	return nil
}

func (s *Scenario) clusters() (names []string) {
	for _, c := range s.Clusters {
		names = append(names, c.Name)
	}
	return names
}

func (s *Scenario) clustersWith(topic string) (names []string) {
	for _, t := range s.Topics {
		if t.Name == topic {
			names = append(names, "id-of="+t.On)
		}
	}
	return names
}

func (s *Scenario) clients(kinds ...ClientKind) (names []string) {
	for _, c := range s.Clients {
		if slices.Contains(kinds, c.Kind) {
			names = append(names, c.Name)
		}
	}
	return names
}

func (c *Cluster) brokers() (names []string) {
	for b := range c.Brokers {
		names = append(names, c.Node(b))
	}
	return names
}
