package scenarios

import (
	"slices"

	"mirrorsim/checkers"
	"mirrorsim/model/id"
	"mirrorsim/model/metadata"
	"mirrorsim/model/record"
	"mirrorsim/scenarios/format"
)

// nameAcls notes the words of every ACL binding that a step adds or removes: mirrors only carry them on.
func (w *wiring) nameAcls() {
	w.names.Acls = map[uint64]string{}
	for _, a := range w.acls() {
		w.names.Acls[a.Word()] = a.String()
	}
}

// acls are the ACL bindings that steps add or remove, each once, in the order of the steps.
func (w *wiring) acls() (list []record.Acl) {
	for _, due := range w.scenario.Unroll()[1:] {
		if a, ok := due.Step.Do.(*format.AlterAcl); ok && !slices.Contains(list, a.Acl) {
			list = append(list, a.Acl)
		}
	}
	return list
}

// syncLists are what each mirror's work is to synchronise, by its mirror statement.
func (w *wiring) syncLists() (list []checkers.SyncLists) {
	for i := range w.scenario.Mirrors {
		m := &w.scenario.Mirrors[i]
		r := w.mirrorRecord(m)
		x := checkers.SyncLists{Cluster: w.clusterOf(m.To), Mirror: r.Mirror}
		for k := range record.ConfigKeys {
			x.Excluded[k] = metadata.ConfigExcluded(r, record.ConfigKey(k))
		}
		for _, a := range w.acls() {
			if !metadata.AclIncluded(r, a) {
				continue
			}
			synced := checkers.SyncedAcl{Word: a.Word()}
			if a.Resource == record.TopicResource {
				synced.Topics = w.topicsNamed(m.To, a.Name)
			}
			x.Acls = append(x.Acls, synced)
		}
		list = append(list, x)
	}
	return list
}

// topicsNamed are the topics that a cluster may have under a name: what the statements say, and what steps create anew anywhere,
// which a start may bring there.
func (w *wiring) topicsNamed(cluster, name string) (list []id.Topic) {
	if t := w.topicOn(cluster, name); t != 0 {
		list = append(list, t)
	}
	for c := range w.scenario.Clusters {
		list = append(list, w.again[topicOn{id.Cluster(c), name}]...)
	}
	return list
}
