package actors

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/redact"
	"github.com/drover-go/drover/runs/actors/internal/runproxy"
	"github.com/drover-go/drover/storage/projects"
)

const (
	// exitNone is that of what has ended without one: there was no process.
	exitNone = -1
	// exitKilled is that of a process which was killed.
	exitKilled = 128 + int(syscall.SIGKILL)
)

// builtRunner executes the program of a build in a process.
type builtRunner struct{ s *service }

func (b builtRunner) run(ctx context.Context, p *process) exit {
	x, err := b.execute(ctx, p)
	if err == nil || ctx.Err() != nil {
		return x
	}
	var f *builds.Failure
	switch {
	case errors.As(err, &f):
		x.message = "Actor run failed: " + f.Message
	case errtypes.Is(err, errtypes.Unavailable):
		x.message = "Actor run failed: " + errtypes.Public(err).Message
	default:
		x.message = "Actor run failed: its program could not be started"
		b.s.conf.Logger.Error("actors: a program cannot be started", "run", p.row.ID, "build", p.row.BuildID, "error", err)
	}
	x.message = cut(x.message)
	p.log.Append(joblog.System, "ACTOR: "+x.message)
	return x
}

// execute starts the process of a run and waits for its end. The error is why there was
// none.
func (b builtRunner) execute(ctx context.Context, p *process) (exit, error) {
	none := exit{exitNone, ""}
	made, err := b.s.openBuilt(ctx, p.row.ProjectID, p.row.BuildID)
	if err != nil {
		return none, err
	}
	own, permissions, err := b.s.runEnv(ctx, p.row)
	if err != nil {
		return none, err
	}
	out, err := b.s.openProxy()
	if err != nil {
		return none, err
	}
	defer out.Close()
	project, _ := projects.From(ctx)
	caller := callerOf(p.row.RunInfo, permissions)
	caller.ProxyPassword = out.Password()
	pass, at, err := b.s.endpoint.open(project, caller)
	if err != nil {
		return none, err
	}
	defer pass.close()
	at.proxy = out.Env()
	sealed, err := b.s.inputEnv(ctx, p.row)
	if err != nil {
		return none, err
	}
	hide := redact.Secrets(own.with(at.secrets(), map[string]string{inputKeyVariable: sealed[inputKeyVariable]}))
	c, err := b.s.conf.Workshop.Start(ctx, builds.Run{
		ID: p.row.BuildID, Command: made.Start, Dir: made.Dir, Memory: bytesOf(p.row.Options.Memory), Grace: b.s.conf.Limits.HandlerGrace,
		Env:    environ(b.s.hostEnv(p.row), made.Env, own.all, b.s.platformEnv(p.row, project, own, permissions, at), variables(sealed)),
		Output: func(l child.Line) { p.log.AppendAt(l.Time, streamOf(l.Stream), hide(l.Text)) },
	})
	if err != nil {
		return none, err
	}
	end := b.watch(ctx, p, c, pass)
	out.Close() // at once: its last words are for the endpoint alone
	return p.exitOf(end), nil
}

// openProxy opens the proxy of a process; nil where the host has no gate.
func (s *service) openProxy() (*runproxy.Proxy, error) {
	if s.conf.Gate == nil {
		return nil, nil
	}
	return runproxy.Open(runproxy.Options{Gate: s.conf.Gate, Pool: s.conf.Proxies, Clock: s.conf.Clock, Logger: s.conf.Logger})
}

// watch waits for the end of a process, tells it what its run is told, and ends it with
// the context. Only one whose time is over is asked first.
func (b builtRunner) watch(ctx context.Context, p *process, c *child.Process, at *pass) child.End {
	done := context.AfterFunc(ctx, func() {
		if cause := context.Cause(ctx); errors.Is(cause, execution.ErrTimedOut) {
			c.Stop(cause)
		} else {
			c.Kill(cause)
		}
	})
	defer done()
	m := newMeter(b.s.conf.Clock.Now())
	p.meter.Store(m)
	b.attend(p, c, at, m)
	end := c.Wait()
	p.meter.Store(nil)
	b.s.keepUsage(ctx, p.row, m.end(b.s.conf.Clock.Now(), end.Usage))
	return end
}

// attendEvery is how often a process is measured and told of it.
const attendEvery = time.Second

// attend goes on until the first process has ended.
func (b builtRunner) attend(p *process, c *child.Process, at *pass, m *meter) {
	timer := b.s.conf.Clock.NewTimer(attendEvery)
	defer timer.Stop()
	migrating := false
	for {
		select {
		case e := <-p.events:
			migrating = migrating || e.Name == Migrating
			at.feed.tell(e, b.s.conf.Clock.Now(), migrating)
		case <-timer.C():
			now := b.s.conf.Clock.Now()
			at.feed.send(systemInfo(m.sample(now, c.Usage()), now), false)
			timer.Reset(attendEvery)
		case <-c.Exited():
			return
		}
	}
}

func streamOf(s child.Stream) joblog.Stream {
	switch s {
	case child.Stdout:
		return joblog.Stdout
	case child.Stderr:
		return joblog.Stderr
	}
	return joblog.System
}

// exitOf is what the end of a process means for its run.
func (p *process) exitOf(e child.End) exit {
	switch e.Cause {
	case child.Exited:
		return exit{e.Code, fmt.Sprintf("Actor finished with exit code %d", e.Code)}
	case child.Signaled:
		return exit{128 + int(e.Signal), fmt.Sprintf("Actor was ended by a signal (%s)", e.Signal)}
	case child.MemoryLimit:
		return p.over(fmt.Sprintf("it took more memory than its %d MB", p.row.Options.Memory))
	case child.ProcessLimit:
		return p.over("it started more processes than it may")
	case child.DiskLimit:
		return p.over("its files took more of the disk than they may")
	}
	return exit{exitKilled, "Actor run failed: its process was ended"}
}

// over is the end of a process that was over a limit.
func (p *process) over(why string) exit {
	p.log.Append(joblog.System, "ACTOR: The process was ended: "+why)
	return exit{exitKilled, "Actor run failed: " + why}
}
