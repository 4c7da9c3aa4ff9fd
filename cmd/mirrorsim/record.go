package main

import (
	"fmt"
	"io"

	"mirrorsim/scenarios"
)

// record runs x and writes its recording.
func (f *runFlags) record(x *source) (*scenarios.Result, error) {
	r, rec, err := scenarios.Record(x.scenario, x.design, x.options)
	if err != nil {
		return nil, err
	}
	return r, replace(f.recordTo, string(rec.AppendText(nil)))
}

// replay runs a recording, and says whether it is the recorded run before it says what it came to.
func (f *runFlags) replay(out io.Writer) error {
	src, err := read(f.replayFrom, "a recording, as run --record FILE writes one")
	if err != nil {
		return err
	}
	rec, err := scenarios.ParseRecording(f.replayFrom, src)
	if err != nil {
		return err
	}
	d, err := scenarios.Choose(rec.Scenario, f.what.design.revision, f.what.design.sets)
	if err != nil {
		return err
	}
	if err := scenarios.Runnable(rec.Scenario, d.Config); err != nil {
		return err
	}
	x := &source{scenario: rec.Scenario, name: f.replayFrom, design: d, options: scenarios.Options{Protocol: d.Config, CrossCheck: true},
		command: "mirrorsim run --replay " + f.replayFrom}
	h, err := f.takeDown(x)
	if err != nil {
		return err
	}
	defer h.drop()
	f.head(out, x)
	played, err := rec.Replay(x.options)
	if err == nil {
		err = h.put(played.Result)
	}
	if err != nil {
		return err
	}
	pictures, err := f.pictures(x, played.Result)
	if err != nil {
		return err
	}
	if *f.json {
		rep := x.report(played.Result)
		rep.Pictures = pictures
		rep.Replay = &scenarios.ReportReplay{Same: played.Differs == nil, Removed: played.Removed, Unused: played.Unused}
		if played.Differs != nil {
			rep.Replay.Differs = played.Differs.String()
		}
		printJSON(out, rep)
	} else {
		printReplay(out, played)
		printVerdict(out, played.Result, x.command, nil, pictures)
	}
	code := played.Result.ExitStatus()
	if code == 0 && played.Differs != nil {
		code = 4
	}
	if code != 0 {
		return status(code)
	}
	return nil
}

func printReplay(out io.Writer, x *scenarios.Replay) {
	switch {
	case x.Differs != nil:
		fmt.Fprintf(out, "\nNot the recorded run: %v.\n", x.Differs)
	default:
		fmt.Fprintf(out, "\nThe recorded run, event by event: %d events.\n", x.Result.Events)
	}
	if x.Removed > 0 {
		fmt.Fprintf(out, "%s taken out of the recording.\n", several(x.Removed, "deviation was", "deviations were"))
	}
	if x.Unused > 0 {
		fmt.Fprintf(out, "%s.\n", several(x.Unused, "deviation no longer applies", "deviations no longer apply"))
	}
}

// several is a number with what there is one of, or many.
func several(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
