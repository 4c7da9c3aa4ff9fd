package scenarios

import (
	"fmt"

	"mirrorsim/model/id"
	"mirrorsim/scenarios/format"
)

// mostClients is how many clients a run has at most.
const mostClients = 6

// addGroups adds one or two groups, which begin on the source, to some runs, in the place of the clients that would be too
// many. Beside transactional clients there is one, which may read in read_committed as the reader does whose place it takes.
func (g *generator) addGroups() {
	if !g.chance(groupsOf, 35) {
		return
	}
	groups := 1 + g.ask(groupsOf, 2)
	if g.x.committed {
		groups = 1
	}
	g.s.Clients = g.s.Clients[:min(len(g.s.Clients), mostClients-groups)]
	for n := range groups {
		g.s.Clients = append(g.s.Clients, format.Client{Name: "g" + fmt.Sprint(n), Kind: format.Group, On: "A"})
	}
}

// groups are the clients that are members of groups.
func (g *generator) groups() (list []string) {
	for i := range g.s.Clients {
		if c := &g.s.Clients[i]; c.Kind == format.Group {
			list = append(list, c.Name)
		}
	}
	return list
}

// join has a group read partitions of a cluster.
func (g *generator) join(client, cluster string) *format.Consume {
	return &format.Consume{Client: client, From: g.anyPartition(cluster), ReadCommitted: g.x.committed && g.chance(groupsOf, 50),
		Reset: format.Reset(g.ask(resetOf, 2))}
}

// moveGroups has most groups follow a failover: they leave the old side, and go on at the new one. Some do not leave.
func (g *generator) moveGroups(from, to string) {
	for _, client := range g.groups() {
		switch g.ask(groupMoveOf, 8) {
		case 6:
		case 7:
			g.then(g.join(client, to))
		default:
			g.then(&format.Leave{Client: client, On: g.elsewhere(from)})
			g.then(g.join(client, to))
		}
	}
}

// elsewhere is a cluster as the acts of groups name it: their home, A, by no name.
func (g *generator) elsewhere(cluster string) string {
	if cluster == "A" {
		return ""
	}
	return cluster
}

// groupWork adds what groups and admins do to the window: a commit, an end of reading and another beginning, a reset of an
// offset, which is refused where the group is active.
func (g *generator) groupWork(from, to string) {
	for _, client := range g.groups() {
		on := from
		if g.chance(groupsOf, 25) {
			on = to
		}
		at := g.some()
		switch g.ask(groupWorkOf, 6) {
		case 1:
			g.at(at, &format.Commit{Client: client, On: g.elsewhere(on)})
		case 2:
			g.at(at, &format.Leave{Client: client, On: g.elsewhere(on)})
			g.at(at+id.Second*id.Duration(1+g.ask(offsetOf, 20)), g.join(client, on))
		case 3:
			g.at(at, g.join(client, on))
		case 4:
			g.at(at, &format.ResetOffset{Client: client, Partition: g.anyPartition(on), To: int64(g.ask(countOf, 12))})
		}
	}
}
