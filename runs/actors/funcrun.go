package actors

import (
	"context"
	"errors"
	"fmt"

	"github.com/drover-go/drover/internal/guard"
	"github.com/drover-go/drover/internal/joblog"
)

// The exit codes of Go Actors.
const (
	exitError = 1
	exitPanic = 91
)

// runnerOf returns what executes the program of a run.
func (s *service) runnerOf(r runRow) runner {
	if f := s.funcs[r.program]; f != nil {
		return goRunner{f}
	}
	if r.program == "" && s.conf.Workshop != nil {
		return builtRunner{s}
	}
	return noRunner{}
}

// noRunner is there for a program that this process does not have: of a run that has
// become one.
type noRunner struct{}

func (noRunner) run(context.Context, *process) exit {
	return exit{exitError, "Actor run failed: this host has no such Actor"}
}

// goRunner executes a Go function.
type goRunner struct{ f *function }

func (g goRunner) run(ctx context.Context, p *process) exit {
	handle := newRun(ctx, p)
	defer handle.active.end(errOver)
	x, ok := guard.Call(ctx, guard.Options[exit]{
		Clock: p.s.conf.Clock, Grace: p.s.conf.Limits.HandlerGrace,
		Broken: func(v any, stack []byte) exit {
			if v == nil {
				return p.fail(exitPanic, "the handler ended its goroutine")
			}
			p.log.Append(joblog.Stderr, fmt.Sprintf("panic: %v\n%s", v, stack))
			return p.fail(exitPanic, fmt.Sprintf("panic: %v", v))
		},
		Left: func() {
			p.s.conf.Logger.Warn("actors: a handler goes on although its run is over", "run", p.row.ID)
		},
		Returned: func() {
			p.s.conf.Logger.Info("actors: the handler of a run that was over has returned", "run", p.row.ID)
		},
	}, func() exit { return g.call(handle, p) })
	if !ok {
		return exit{exitError, "the handler did not return"}
	}
	return x
}

// call calls the handler. All that is its own is done here: its error may panic, too.
func (g goRunner) call(handle *Run, p *process) exit {
	err := g.f.run(handle.active.ctx, handle)
	switch {
	case err == nil, errors.Is(err, ErrReplaced):
		return exit{0, "Actor finished with exit code 0"}
	default:
		return p.fail(exitError, err.Error())
	}
}

// fail is the end of a process that has failed, which its log says, too.
func (p *process) fail(code int, said string) exit {
	p.log.Append(joblog.Stderr, "error: "+said)
	return exit{code, cut(fmt.Sprintf("Actor finished with exit code %d: %s", code, said))}
}

// maxMessage is the longest status message, in characters.
const maxMessage = 1000

func cut(text string) string {
	if runes := []rune(text); len(runes) > maxMessage {
		return string(runes[:maxMessage-1]) + "…"
	}
	return text
}
