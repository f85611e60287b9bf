package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/drover-go/drover/runs/model"
)

// watch shows each message of a run as it appears, and returns the ended run.
func watch(ctx context.Context, c console, api *apiClient, runID string) (run demoRunState, err error) {
	progress := newProgress(c.stderr)
	defer progress.done()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	since, ended := "", false
	for {
		since, err = showNew(ctx, c.stdout, api, runID, since, progress)
		if err != nil || ended {
			return run, err
		}
		if err = api.call(ctx, "GET", "/v1/agents/runs/"+runID, nil, &run); err != nil {
			return run, err
		}
		if ended = run.Status != "PENDING" && run.Status != "RUNNING"; ended {
			continue // once more for the last messages
		}
		progress.tick(run.Status)
		select {
		case <-ctx.Done():
			return run, context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// showNew prints the messages behind since and returns the last one's id.
func showNew(ctx context.Context, w io.Writer, api *apiClient, runID, since string, p *progress) (string, error) {
	query := url.Values{"all": {"true"}}
	if since != "" {
		query.Set("since", since)
	}
	var page struct {
		Data      []struct{ Message model.Message }
		NextSince *string
	}
	err := api.call(ctx, "GET", "/v1/agents/runs/"+runID+"/messages?"+query.Encode(), nil, &page)
	if err != nil || page.NextSince == nil {
		return since, err
	}
	for _, m := range page.Data {
		p.clear()
		printSteps(w, m.Message)
		p.step()
	}
	return *page.NextSince, nil
}

// progress is a line that moves while something works; nothing where standard
// error is no terminal.
type progress struct {
	bar   *progressbar.ProgressBar
	steps int
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	return &progress{bar: newBar(w)}
}

// newBar moves only when it is told to: a goroutine of the library's own would write
// between the lines of others, without a lock of theirs.
func newBar(w io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionSpinnerType(14),
		progressbar.OptionSetElapsedTime(true), progressbar.OptionSetSpinnerChangeInterval(0))
}

func (p *progress) step() { p.steps++ }

func (p *progress) tick(status string) {
	p.say(fmt.Sprintf("%s, %d messages", status, p.steps))
}

// say shows how far it has come.
func (p *progress) say(text string) {
	if p.bar != nil {
		p.bar.Describe(text)
		_ = p.bar.Add(1) // it is only a picture
	}
}

func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.clear()
	}
}
