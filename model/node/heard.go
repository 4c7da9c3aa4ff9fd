package node

import "mirrorsim/model/id"

// Heard is how far a broker has heard each client, ordered by client; the zero value has heard none. A client has one
// request to a coordinator under way: one that comes behind a newer one, or for the second time, is dropped, as Kafka's
// connections never bring it.
type Heard []heard

// heard is the newest request of one client.
type heard struct {
	client      id.Node
	correlation uint32
}

// Fresh tells whether a client's request is neither late nor a duplicate, and notes it.
func (h *Heard) Fresh(client id.Node, correlation uint32) bool {
	s := *h
	i := 0
	for i < len(s) && s[i].client < client {
		i++
	}
	if i < len(s) && s[i].client == client {
		fresh := correlation > s[i].correlation
		s[i].correlation = max(s[i].correlation, correlation)
		return fresh
	}
	s = append(s, heard{})
	copy(s[i+1:], s[i:])
	s[i] = heard{client, correlation}
	*h = s
	return true
}

// Clone is a copy that hears on its own.
func (h Heard) Clone() Heard { return append(Heard(nil), h...) }
