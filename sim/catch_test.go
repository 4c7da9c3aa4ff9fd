package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"mirrorsim/model/event"
	"mirrorsim/model/id"
	"mirrorsim/model/wire"
)

func TestCatch(t *testing.T) {
	whole := []arrival{{0, ms}, {1, 2 * ms}, {2, 3 * ms}, {3, 4 * ms}}
	links := [][2]id.Node{{1, 0}, {0, 1}}
	for _, c := range []struct {
		name  string
		catch Catch
		want  []arrival
		left  int
	}{
		{"the second is lost", Catch{links, wire.ReportCommandAPI, 2, event.Lost, 0}, []arrival{{0, ms}, {2, 3 * ms}, {3, 4 * ms}}, 0},
		{"every one is lost", Catch{links, wire.ReportCommandAPI, 0, event.Lost, 0}, nil, 1},
		{"the first is late, and what follows with it", Catch{links, wire.ReportCommandAPI, 1, event.Late, 2 * ms},
			[]arrival{{0, 3 * ms}, {1, 3 * ms}, {2, 3 * ms}, {3, 4 * ms}}, 0},
		{"the third comes twice", Catch{links, wire.ReportCommandAPI, 3, event.Twice, 5 * ms}, append(whole[:4:4], arrival{2, 8 * ms}), 0},
		{"another link", Catch{links[:1], wire.ReportCommandAPI, 1, event.Lost, 0}, whole, 1},
		{"another message", Catch{links, wire.Fetch, 1, event.Lost, 0}, whole, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := wired(calm(), Network{}, nodes(relay, note)...)
			w.Catch(c.catch)
			if diff := cmp.Diff(c.want, sendFour(t, w)); diff != "" {
				t.Error(diff)
			}
			caught := 0
			for _, e := range w.Monitor().(*watcher).events {
				if e.Kind == event.Caught {
					caught++
					if field := e.Undeclared(); field != "" || e.Node != 0 || e.Peer != 1 || e.To != uint8(wire.ReportCommandAPI) ||
						e.Cause != uint8(c.catch.Effect) || e.Offset != int64(c.catch.By) {
						t.Errorf("event %+v, undeclared %q", e, field)
					}
				}
			}
			if want := 4 - len(c.want); c.catch.Effect == event.Lost && caught != want || len(w.catches) != c.left {
				t.Errorf("%d were caught, %d wait still", caught, len(w.catches))
			}
		})
	}
}

// Each of several counts for itself; what ends one leaves its like alone.
func TestRelease(t *testing.T) {
	w := wired(calm(), Network{}, nodes(relay, note)...)
	lost, late := Catch{Links: [][2]id.Node{{0, 1}}, API: wire.ReportCommandAPI}, Catch{[][2]id.Node{{0, 1}}, wire.ReportCommandAPI, 2, event.Late, 9 * ms}
	for _, c := range []Catch{lost, lost, late} {
		w.Catch(c)
	}
	w.Inject(0, ping(0))
	w.Next()
	w.Release(lost)
	w.Inject(0, ping(1))
	w.Next()
	w.Release(lost)
	w.Release(lost)
	w.Inject(0, ping(2))
	finish(t, w)
	if diff := cmp.Diff([]arrival{{2, ms}}, arrivals(w)); diff != "" {
		t.Error(diff)
	}
	w.Catch(lost)
	w.ReleaseAll()
	w.Inject(0, ping(3))
	finish(t, w)
	if got := arrivals(w); len(got) != 2 {
		t.Errorf("arrived: %v", got)
	}
}
