package main

import (
	"fmt"

	"mirrorsim/scenarios"
	"mirrorsim/scenarios/history"
)

// takenDown is the history of a run under way; nil: nobody takes it down.
type takenDown struct {
	to     *beside
	writer *history.Writer
}

// takeDown has the history of x written where --history says.
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
	h := &takenDown{to, history.NewWriter(to, "mirrorsim "+scenarios.Version+": "+x.command)}
	x.options.History = h.writer
	return h, nil
}

// put puts the history of a run in its place.
func (h *takenDown) put() error {
	if h == nil {
		return nil
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
		h.to.drop()
	}
}
