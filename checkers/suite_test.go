package checkers

import (
	"strings"
	"testing"
)

// The calm F1 run breaks nothing, and every property has occasions in it but those of transactions, of groups and of mirror-wide
// work, of which it has none.
func TestF1Holds(t *testing.T) {
	s := judge(t, f1().events)
	for _, v := range s.Verdicts() {
		switch v.Property {
		case NoOpenTransaction.String(), TransactionIsolation.String(), GroupOffset.String(), MetadataSync.String():
			continue
		}
		if v.Status != Holds || v.Occasions == 0 {
			t.Errorf("%s: %v, %d occasions", v.Property, v.Status, v.Occasions)
			for _, x := range v.Violations {
				t.Log(x.Sentence)
			}
		}
	}
	if quiet, why := s.Ledger().Quiet(); !quiet {
		t.Errorf("the run has ended, but %s", why)
	}
}

func TestUnknownProperty(t *testing.T) {
	_, err := NewSuite(topology, "durability", "epoch-odour")
	if err == nil {
		t.Fatal("an unknown property was accepted")
	}
	for _, p := range Properties() {
		if !strings.Contains(err.Error(), p.ID) {
			t.Errorf("%q does not list %s", err, p.ID)
		}
	}
}
