package program

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/drover-go/drover/functions/internal/runtime"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/clock"
)

// Why a process is ended.
var (
	errBroken   = errors.New("program: its invocation did not end well")
	errLeft     = errors.New("program: its invocation has left processes running")
	errIdle     = errors.New("program: it was idle for too long")
	errReplaced = errors.New("program: others need its place")
	errNotTaken = errors.New("program: the process ended before it took the invocation")
)

// process is one process of a version.
type process struct {
	pool    *Pool
	version Version
	grant   *admission.Grant
	channel *runtime.Channel
	child   *child.Process
	used    bool // it has handled an invocation
	stale   bool // it handles no more, once it has answered
	leaving bool // it makes room for another version's
	timer   clock.Timer
	ready   map[int]bool // the processes that there were when it asked for its first invocation

	mu  sync.Mutex
	log Log // of the invocation under way
}

// blocking is a module that makes what a program prints be in the pipe before it
// goes on, and so before it answers. Node.js would write what does not fit into the
// pipe later. It has no question mark, behind which an address goes on otherwise.
const blocking = "data:text/javascript,for(const s of[process.stdout,process.stderr])if(s._handle%26%26s._handle.setBlocking)s._handle.setBlocking(true)"

// start starts the process. When it ends, its place becomes free.
func (o *process) start() error {
	conf := o.pool.conf
	o.channel = conf.Endpoint.Open()
	address, err := o.channel.Address()
	if err != nil {
		o.channel.Close()
		return err
	}
	user, release, err := conf.User(o.version.Dir)
	if err != nil {
		o.channel.Close()
		return err
	}
	o.child, err = conf.Children.Start(child.Spec{
		Path: conf.Node, Args: append(append([]string{"--import", blocking}, conf.Args...), filepath.Join(o.version.Dir, o.version.Entrypoint)), Dir: o.version.Dir,
		Env: append([]string{
			"AWS_LAMBDA_RUNTIME_API=" + address, "BB_FUNCTIONS_PHASE=runtime", "NODE_ENV=production", "PATH=" + filepath.Dir(conf.Node),
		}, o.version.Env...),
		User: user, Wrapper: conf.Wrapper, Limits: conf.Limits, Grace: -1, Output: o.print, OutputLimits: child.OutputLimits{Total: -1},
		Measured: func(u child.Usage) { o.grant.Measured(u.Memory) },
	})
	if err != nil {
		release()
		o.channel.Close()
		return err
	}
	go func() {
		end := o.child.Wait()
		release()
		o.channel.Close()
		o.grant.Release()
		if end.Cause == child.Exited && end.Code != 0 {
			conf.Logger.Debug("program: a process has ended", "version", o.version.ID, "error", end)
		}
		o.pool.gone(o)
	}()
	return nil
}

// print passes on a line to the invocation under way. What is printed between two
// belongs to none.
func (o *process) print(l child.Line) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.log != nil {
		o.log(l)
	}
}

func (o *process) listen(log Log) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.log = log
}

// over reports whether the process has ended.
func (o *process) over() bool {
	select {
	case <-o.child.Exited():
		return true
	default:
		return false
	}
}

// do handles one invocation.
func (o *process) do(ctx context.Context, in runtime.Invocation, log Log) (runtime.Outcome, error) {
	if o.over() { // who waits for an invocation may not have been missed yet
		return runtime.Outcome{}, errors.Join(o.child.Wait(), errNotTaken)
	}
	o.listen(log)
	defer o.listen(nil)
	alive, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-o.child.Exited():
			cancel(errExited)
		case <-alive.Done():
		}
	}()
	if !o.used {
		in.Taken = o.isReady
	}
	out, err := o.channel.Do(alive, in)
	switch {
	case err == nil:
		_ = o.child.Drain(ctx) // its lines are those of the invocation, as far as they come in its time
		return out, nil
	case ctx.Err() != nil:
		o.child.Kill(context.Cause(ctx))
		return out, context.Cause(ctx)
	case errors.Is(err, runtime.ErrNotTaken):
		return out, errors.Join(o.child.Wait(), errNotTaken)
	}
	return out, o.child.Wait()
}

// isReady notes of which processes the program is without an invocation: a sandbox, or
// what it starts when it is loaded.
func (o *process) isReady() {
	o.ready = map[int]bool{}
	for _, pid := range o.child.PIDs() {
		o.ready[pid] = true
	}
}

// left reports whether an invocation has left processes running.
func (o *process) left() bool {
	for _, pid := range o.child.PIDs() {
		if !o.ready[pid] {
			return true
		}
	}
	return false
}

// errExited is that the process has ended.
var errExited = errors.New("program: the process has ended")

// end ends the process whole and waits until nothing is left.
func (o *process) end(why error) { o.child.Kill(why) }
