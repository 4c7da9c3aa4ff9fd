package scenarios

// slowStories are those whose second phases take long: without -long one design of each is explored as it stands, with -long all.
var slowStories = []string{"beside-a-failed-partition", "consumer-that-waits", "grown-and-stopped"}

// tooLate is why lines are not found of which all departures that there may be put off messages to one node.
const tooLate = "what is late has to be later"

// insides is where each finding lies, by name. One with a name only is shown whole by the run without a departure and a crash,
// and has no fault of its own.
var insides = []inside{
	{name: "abort-that-failed",
		crashes: []way{
			{without: "fault crash b1, fault heal b1", crashes: 1, from: 2},
		},
	},
	{name: "beside-a-failed-partition",
		needs: []way{
			{lines: "hardened set fetch-above=out-of-range", latencies: true},
			{lines: "add-remove, start-stop, aligned violates lag-drains, aligned violates fault-isolation",
				latencies: true, slow: true},
			{lines: "start-stop violates position-durable", departures: 1, from: 9, to: 10},
		},
		late: []way{
			{lines: "aligned violates reaches-desired", without: "fault isolate", slow: true},
			{none: true, lines: "add-remove, start-stop, hardened set fetch-above=out-of-range",
				without: "fault isolate", departures: 1, from: 7, to: 8, settings: "timer-lead=1ms"},
			{none: true, lines: "aligned violates lag-drains, aligned violates fault-isolation",
				without: "fault isolate", departures: 1, from: 7, to: 8, settings: "timer-lead=1ms", slow: true},
		},
		outside: "C is cut off for 28 s",
	},
	{name: "chain-across-a-failback",
		late: []way{
			{lines: "first", without: "fault cut B>C", departures: 1, from: 6, settings: "timer-lead=1s"},
			{lines: "add-remove, start-stop", without: "fault cut B>C", departures: 1, from: 6, settings: "timer-lead=1s", slow: true},
		},
	},
	{name: "chain-that-hears-nothing",
		needs: []way{
			{latencies: true},
		},
		late: []way{
			{none: true, without: "fault isolate", departures: 1, from: 3, settings: "timer-lead=1ms", slow: true},
		},
		outside: "C is cut off for 28 s",
	},
	{name: "cleaned-before-the-failback"},
	{name: "commit-behind-the-stop",
		needs: []way{
			{lines: "add-remove", latencies: true},
		},
		late: []way{
			{none: true, without: "fault delay", departures: 14, from: 3, putOff: "b2", slow: true},
		},
		outside: tooLate,
	},
	{name: "consumer-ahead-of-the-epoch",
		needs: []way{
			{lines: "start-stop", departures: 1},
			{lines: "add-remove", departures: 1, slow: true},
		},
	},
	{name: "consumer-that-waits"},
	{name: "cut-into-a-gap"},
	{name: "cut-to-the-last-stable-offset"},
	{name: "epoch-of-an-earlier-era",
		needs: []way{
			{latencies: true},
			{lines: "hardened set stop-bump=if-not-above", departures: 2, slow: true},
		},
	},
	{name: "epoch-of-the-leader"},
	{name: "failed-above-its-source"},
	{name: "failed-and-never-stopped"},
	{name: "failed-over-own-records"},
	{name: "first-mirror-over-own-records"},
	{name: "group-of-the-deleted-records"},
	{name: "group-offset-below-the-log-start"},
	{name: "group-offset-without-records",
		late: []way{
			{none: true, without: "fault cut b0>b1", departures: 1, to: 3, slow: true},
		},
		outside: "b1 does not hear b0 for 1 m",
	},
	{name: "group-that-reads-on-at-the-source"},
	{name: "grown-and-stopped"},
	{name: "high-watermark-over-a-cut",
		needs: []way{
			{latencies: true},
			{departures: 1, from: 2, to: 3, settings: "timer-lead=1s"},
		},
		late: []way{
			{lines: "add-remove, start-stop", without: "fault cut b1>b0", kept: "fault cut a1>a0", departures: 1, from: 2,
				settings: "timer-lead=1s"},
			{none: true, lines: "hardened set leader-cut=keep",
				without: "fault cut b1>b0", kept: "fault cut a1>a0", departures: 1, from: 2, settings: "timer-lead=1s"},
		},
		outside: "b0 does not hear b1 for 15 s",
	},
	{name: "late-write-of-a-deposed-leader",
		unjudged: []string{"start-stop violates cross-check"},
		needs: []way{
			{lines: "start-stop violates position-durable, hardened set alignment-wait=isr-or-all", latencies: true},
			{lines: "hardened set alignment-wait=isr-or-all", departures: 1, from: 7, to: 7},
			{lines: "start-stop violates position-durable", departures: 1, from: 8, to: 8, slow: true},
		},
		late: []way{
			{lines: "start-stop violates position-durable", without: "fault delay", departures: 1, from: 6, to: 7},
			{none: true, lines: "start-stop violates legal-state, start-stop violates read-only, " +
				"hardened set alignment-wait=isr-or-all",
				without: "fault delay", departures: 14, from: 4, putOff: "b2", slow: true},
			{none: true, lines: "hardened set alignment-wait=isr-or-all", without: "fault delay", departures: 1, from: 4},
		},
		outside: tooLate,
	},
	{name: "mirrored-in-a-circle",
		late: []way{
			{lines: "add-remove", without: "fault cut b1>b2"},
			{none: true, lines: "start-stop",
				without: "fault cut b1>b2", departures: 2, from: 3, settings: "timer-lead=1s", slow: true},
		},
		outside: "b2 does not hear b1 for 6 s",
	},
	{name: "mirroring-before-the-cut",
		needs: []way{
			{lines: "start-stop", latencies: true},
			{lines: "start-stop", departures: 3, from: 2, settings: "timer-lead=500ms", slow: true},
		},
	},
	{name: "mirroring-below-a-log-start"},
	{name: "offset-epoch-above-the-leaders"},
	{name: "offset-of-records-of-one-replica",
		late: []way{
			{lines: "start-stop", without: "fault cut b0>b1, fault cut b0 for", departures: 1, from: 2},
			{lines: "first, first set marker=epoch-and-offset, hardened set position-end=leo",
				without: "fault cut b0 for", kept: "fault cut b0>b1", departures: 1, from: 6, to: 6},
		},
	},
	{name: "older-position"},
	{name: "one-epoch-two-histories"},
	{name: "own-epoch-recorded",
		needs: []way{
			{lines: "start-stop", latencies: true},
		},
		crashes: []way{
			{lines: "start-stop violates position-durable",
				without: "fault crash coordinator, fault crash b0", latencies: true, crashes: 1, from: 2, slow: true},
			{lines: "start-stop violates log-matching, start-stop violates mirror-prefix, start-stop violates convergence, " +
				"start-stop violates exact-cut",
				without: "fault crash coordinator, fault crash b0", latencies: true, crashes: 2, from: 2, slow: true},
			{lines: "add-remove", without: "fault crash coordinator, fault crash b0"},
		},
	},
	{name: "own-position-of-a-gone-log"},
	{name: "position-below-the-next-leaders-log",
		crashes: []way{ // two that are 20 s apart are too many states
			{lines: "start-stop", without: "fault crash b1 for 1m", kept: "fault crash b1 for 1s"},
			{lines: "aligned, first set marker=epoch-and-offset set position-end=hw, hardened set epoch-source=cache",
				without: "fault crash b1 for 1m", kept: "fault crash b1 for 1s", crashes: 1, from: 9},
		},
		late: []way{
			{lines: "start-stop, aligned", without: "fault cut b-log>b0, fault cut b1>a0"},
			{none: true, lines: "first set marker=epoch-and-offset set position-end=hw, hardened set epoch-source=cache",
				without: "fault cut b-log>b0, fault cut b1>a0", departures: 1, from: 5, settings: "timer-lead=1ms"},
		},
		outside: "b0 does not hear b-log for 15 s, nor a0 b1 for 30 s",
	},
	{name: "position-not-waited-for",
		needs: []way{
			{lines: "aligned violates clean-switch", departures: 1, from: 4},
		},
		crashes: []way{
			{lines: "aligned violates exact-cut, aligned violates position-durable, hardened set marker-write=fire-and-forget",
				without: "fault crash b2", crashes: 1, from: 4},
			{lines: "aligned violates clean-switch",
				without: "fault crash b2", departures: 1, crashes: 1, from: 4, to: 4, settings: "timer-lead=500ms"},
		},
	},
	{name: "position-of-a-deposed-leader",
		unjudged: []string{"start-stop violates cross-check", "aligned violates cross-check"},
		late: []way{
			{lines: "start-stop violates position-durable, aligned violates position-durable, hardened set epoch-source=cache",
				without: "fault delay", departures: 1, from: 3},
			{none: true, lines: "hardened set marker-write=fire-and-forget",
				without: "fault delay", departures: 14, from: 3, putOff: "b2"},
			{none: true, lines: "start-stop violates legal-state, aligned violates legal-state",
				without: "fault delay", departures: 14, from: 3, putOff: "b2", slow: true},
		},
		outside: tooLate,
	},
	{name: "position-of-an-earlier-run",
		unjudged: []string{
			"start-stop violates cross-check",
			"aligned violates cross-check",
			"hardened set position-fence=none violates cross-check",
		},
		late: []way{
			{lines: "start-stop violates position-durable", without: "fault late"},
			{lines: "aligned violates position-durable, aligned violates era-boundary",
				without: "fault late", departures: 1, from: 3, to: 6},
			{none: true, lines: "start-stop violates legal-state, aligned violates exact-cut, aligned violates clean-switch, " +
				"aligned violates legal-state, hardened set position-fence=none violates exact-cut, " +
				"hardened set position-fence=none violates clean-switch, hardened set position-fence=none violates legal-state, " +
				"hardened set position-fence=none violates position-durable",
				without: "fault late", departures: 14, from: 3, putOff: "b2", slow: true},
		},
		outside: tooLate,
	},
	{name: "position-under-another-name"},
	{name: "replica-that-missed-the-alignment",
		late: []way{
			{none: true, without: "fault cut a1, until isr", departures: 1, from: 2, to: 4, settings: "timer-lead=1ms"},
		},
		outside: "a1 is cut off, for good",
	},
	{name: "replica-that-was-away",
		needs: []way{
			{latencies: true},
			{departures: 1, from: 2, to: 3, settings: "timer-lead=1s"},
		},
		crashes: []way{
			{without: "fault crash b1", latencies: true, crashes: 1, from: 4},
		},
		late: []way{
			{none: true, without: "fault cut a1>a0", departures: 1, from: 1, to: 3, settings: "timer-lead=1s"},
		},
		outside: "a0 does not hear a1, for good",
	},
	{name: "replica-with-the-deleted-records",
		crashes: []way{
			{lines: "start-stop", without: "fault crash b1, fault heal b1", crashes: 1, from: 2, to: 5},
			{lines: "add-remove, aligned, hardened set absent-replica=fetch-only",
				without: "fault crash b1, fault heal b1", crashes: 1, from: 2, to: 5, slow: true},
		},
	},
	{name: "reset-taken-for-mirrored",
		crashes: []way{
			{lines: "add-remove, start-stop, aligned", without: "fault crash b0", crashes: 1, from: 3},
			{lines: "hardened set marker-rerun=overwrite", without: "fault crash b0", crashes: 1, from: 3, slow: true},
		},
	},
	{name: "source-that-begins-below",
		needs: []way{
			{lines: "add-remove, start-stop violates loss-accounted, start-stop violates clean-switch, aligned violates loss-accounted, " +
				"hardened set divergence=truncate",
				latencies: true},
			{lines: "hardened set divergence=truncate violates loss-accounted", departures: 1, from: 7, to: 9},
		},
		late: []way{
			{lines: "add-remove, start-stop, hardened set divergence=truncate", without: "fault cut C>B", departures: 1, from: 4},
			{lines: "aligned violates loss-accounted", without: "fault cut C>B", departures: 1, from: 4, slow: true},
			{lines: "aligned violates era-boundary, hardened set stop-bump=if-not-above", without: "fault cut C>B"},
		},
	},
	{name: "start-that-undoes-a-stop",
		unjudged: []string{
			"add-remove violates cross-check",
			"start-stop violates cross-check",
			"aligned violates cross-check",
			"first violates cross-check",
			"hardened set repeat-request=success violates cross-check",
		},
	},
	{name: "started-both-ways",
		needs: []way{
			{latencies: true},
			{departures: 1},
		},
	},
	{name: "stop-that-runs-again",
		crashes: []way{
			{without: "fault crash b0", crashes: 1, from: 3},
		},
	},
	{name: "stopped-before-it-began",
		crashes: []way{
			{without: "fault crash b0"},
		},
	},
	{name: "topic-id-that-comes-back"},
	{name: "transaction-of-the-log-before",
		late: []way{
			{lines: "add-remove", without: "fault cut b0"},
			{lines: "start-stop, hardened set reset-scope=producers", without: "fault cut b0", departures: 1, from: 5},
		},
	},
	{name: "transaction-without-its-abort",
		crashes: []way{
			{without: "fault crash b1, fault heal b1", crashes: 1, from: 4},
		},
	},
	{name: "trimmed-beyond-the-boundary"},
}
