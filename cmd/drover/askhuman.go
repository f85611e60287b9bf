package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/tools"
)

// person answers on the terminal what agents ask. Lines are read from the first
// question on.
type person struct {
	runs  runs.Service
	in    io.Reader
	out   io.Writer
	lines chan string
}

// nobody is what an agent is told where no line follows.
const nobody = "(nobody is here to answer; go on without, or end the run)"

// hear answers the questions of a message. Nil hears nothing.
func (p *person) hear(ctx context.Context, id string, m model.Message) error {
	if p == nil {
		return nil
	}
	for _, c := range m.Calls() {
		if c.ToolName != tools.AskHumanName {
			continue
		}
		if err := p.answer(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// answer waits for the question of a run and reads a line for it. A run that has
// ended, or did not ask after all, has none.
func (p *person) answer(ctx context.Context, id string) error {
	run, err := p.asked(ctx, id)
	if err != nil || run.Pause == nil {
		return err
	}
	fmt.Fprintf(p.out, "? %s\n> ", oneParagraph(run.Pause.Question))
	line, err := p.line(ctx)
	if err != nil {
		return err
	}
	_, err = p.runs.Resume(ctx, id, line)
	return err
}

// asked returns the run once it waits for a person, has ended, or has been answered
// by somebody else: its next message is there then.
func (p *person) asked(ctx context.Context, id string) (run runs.Run, err error) {
	before, err := p.runs.ListMessages(ctx, id, runs.MessageFilter{All: true})
	if err != nil {
		return run, err
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if run, err = p.runs.Get(ctx, id); err != nil || run.Status.Final() || run.Pause != nil && !run.Pause.Requested {
			return run, err
		}
		now, err := p.runs.ListMessages(ctx, id, runs.MessageFilter{Since: before.NextSince, Limit: 1})
		if err != nil || len(now.Messages) > 0 {
			return runs.Run{}, err
		}
		select {
		case <-ctx.Done():
			return run, context.Cause(ctx)
		case <-tick.C:
		}
	}
}

func (p *person) line(ctx context.Context) (string, error) {
	if p.lines == nil {
		p.lines = make(chan string)
		go p.read(ctx)
	}
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case line, ok := <-p.lines:
		if !ok {
			return nobody, nil
		}
		return line, nil
	}
}

// read hands on lines until the input or the command ends; one that is never
// written keeps it to the end of the process.
func (p *person) read(ctx context.Context) {
	defer close(p.lines)
	for lines := bufio.NewScanner(p.in); lines.Scan(); {
		select {
		case <-ctx.Done():
			return
		case p.lines <- lines.Text():
		}
	}
}
