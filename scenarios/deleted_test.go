package scenarios

import (
	"slices"
	"testing"
)

// The loss report of C7 says that the source's topic was deleted, and under source-deleted=stop that the deletion has put the
// destination in charge.
func TestReportTellsOfTheDeletion(t *testing.T) {
	const failover = "partition t-0: B is in charge\n  failover A -> B by mirror m: mirrored up to 3, source end unknown, position epoch 0"
	for name, want := range map[string]string{
		"C7":      failover + ", the source had deleted the topic, and that put B in charge (source-deleted=stop)\n",
		"C7-fail": failover + ", the source had deleted the topic\n",
		"C7-stay": failover + ", the source had deleted the topic\n",
	} {
		all := Catalogue()
		s, err := all[slices.IndexFunc(all, func(f File) bool { return f.Name == name })].Scenario()
		if err != nil {
			t.Fatal(err)
		}
		d, err := Choose(s, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := Run(s, Options{Protocol: d.Config})
		if err != nil {
			t.Fatal(err)
		}
		reports := res.Ledger.LossReports()
		if len(reports) != 1 {
			t.Fatalf("%s: %d reports", name, len(reports))
		}
		text := string(reports[0].AppendText(nil, res.Names))
		if text != want+"  alignment B <- A by mirror m: no position, so the log is copied anew\n  nothing is lost\n" {
			t.Errorf("%s: the report says\n%s", name, text)
		}
	}
}
