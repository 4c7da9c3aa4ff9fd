package main

import (
	"fmt"
	"io"
	"os/signal"
	"syscall"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/history"
)

// takenDown is the history of a run under way; nil: nobody takes it down.
type takenDown struct {
	to     *beside
	writer *history.Writer
	diag   io.Writer
	ended  func()
}

// takeDown has the history of x written where --history says. Ctrl-C ends such a run, so that nothing is left of its file.
func (f *runFlags) takeDown(x *source) (*takenDown, error) {
	if f.historyTo == "" {
		return nil, nil
	}
	if err := creatable("history", f.historyTo); err != nil {
		return nil, err
	}
	to, err := writeBeside(f.historyTo)
	if err != nil {
		return nil, fmt.Errorf("--history: %w", err)
	}
	ctx, stop := signal.NotifyContext(f.command.Context(), syscall.SIGINT, syscall.SIGTERM)
	h := &takenDown{to, history.NewWriter(to, "mirrorsim "+scenarios.Version+": "+x.command), f.command.ErrOrStderr(), stop}
	x.options.History, x.options.Stop = h.writer, func() bool { return ctx.Err() != nil }
	return h, nil
}

// put puts the history of a run in its place. One that was stopped has none.
func (h *takenDown) put(r *scenarios.Result) error {
	if h == nil {
		return nil
	}
	if r.Stopped {
		fmt.Fprintf(h.diag, "mirrorsim: the run was interrupted: %s is not written\n", h.to.file)
		return status(exitUnknown)
	}
	err := h.writer.Close()
	if err == nil {
		err = h.to.put()
	}
	if err != nil {
		return fmt.Errorf("--history: %w", err)
	}
	return nil
}

// drop removes what is not in its place.
func (h *takenDown) drop() {
	if h != nil {
		h.ended()
		h.to.drop()
	}
}
