package main

import (
	"context"
	"fmt"
	"io"

	"mirrorsim/checkers"
	"mirrorsim/scenarios"
)

// record runs x and writes its recording, unless it was stopped.
func (f *runFlags) record(x *source) (*scenarios.Result, error) {
	r, rec, err := scenarios.Record(x.scenario, x.design, x.options)
	if err != nil {
		return nil, err
	}
	if r.Stopped {
		return r, nil
	}
	return r, replace(f.recordTo, string(rec.AppendText(nil)))
}

// replay runs a recording, and says whether it is the recorded run before it says what it came to.
func (f *runFlags) replay(ctx context.Context, out, diag io.Writer) error {
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
		command: "mirrorsim run --replay " + scenarios.Quoted(f.replayFrom)}
	h, err := f.takeDown(x)
	if err != nil {
		return err
	}
	defer h.drop()
	x.options.Stop = func() bool { return ctx.Err() != nil }
	f.head(out, x)
	played, err := rec.Replay(x.options)
	switch {
	case err != nil:
		return err
	case played.Result.Stopped:
		return f.stopped(x, played.Result, out, diag)
	}
	if err := h.put(); err != nil {
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
		fmt.Fprintf(out, "\nThe recorded run, event by event: %s.\n", checkers.Several(x.Result.Events, "event", "events"))
	}
	if x.Removed > 0 {
		fmt.Fprintf(out, "%s taken out of the recording.\n", checkers.Several(x.Removed, "deviation was", "deviations were"))
	}
	if x.Unused > 0 {
		fmt.Fprintf(out, "%s.\n", checkers.Several(x.Unused, "deviation no longer applies", "deviations no longer apply"))
	}
}
