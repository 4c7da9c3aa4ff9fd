package choice

// Replay answers from the list; keys that it does not list are calm. unused, which may be nil, counts from now on the
// entries that no longer apply: those whose question has not been asked, or has fewer answers than the entry's value. Of
// entries with one key the first counts. The list is not kept.
func Replay(list []Deviation, unused *int) Chooser {
	if unused == nil {
		unused = new(int)
	}
	r := &replay{values: make(map[Key]answer, len(list)), unused: unused}
	*unused = len(list)
	for _, d := range list {
		if _, twice := r.values[d.Key]; !twice && int(d.Key.Label) < Labels {
			r.values[d.Key] = answer{value: d.Value}
			r.filter[d.Key.Label] |= bit(d.Key)
		}
	}
	return r
}

type replay struct {
	values map[Key]answer
	filter [Labels]uint64 // most questions are calm and are told so without a look into the map
	unused *int
}

type answer struct {
	value uint32
	used  bool
}

func (r *replay) Choose(k Key, n uint32, _ uint16) uint32 {
	if r.filter[k.Label]&bit(k) == 0 {
		return 0
	}
	a, ok := r.values[k]
	if !ok || a.value >= n {
		return 0
	}
	if !a.used {
		r.values[k] = answer{a.value, true}
		*r.unused--
	}
	return a.value
}

func bit(k Key) uint64 { return 1 << (splitmix(uint64(k.Subject)<<32|uint64(k.Nth)) >> 58) }
