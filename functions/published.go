package functions

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/program"
	"github.com/drover-go/drover/functions/internal/runtime"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// Secrets are what a project lets its published functions know.
type Secrets interface {
	// Secrets returns the secrets of a function by their names, which its programs
	// get as context.secrets.
	Secrets(ctx context.Context, projectID, functionID string) (map[string]string, error)
}

// programKind is the kind of the jobs of published functions: a process without
// Node.js leaves them alone.
const programKind = "program"

// task is a published function that is to be run.
type task struct {
	row
	version  version
	function Function
	secrets  map[string]string
}

// errDeleted is the end of an invocation whose function went before it began.
var errDeleted = errors.New("functions: the function was deleted")

// task reads what an invocation needs.
func (s *service) task(ctx context.Context, r row) (t task, err error) {
	t.row = r
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		if t.version, err = findVersion(ctx, q, r.ProjectID, r.VersionID); err != nil {
			return err
		}
		t.function, err = findFunction(ctx, q, r.ProjectID, r.FunctionID)
		return err
	})
	if errors.Is(err, storage.ErrNoRow) {
		return t, errDeleted
	}
	if err == nil && s.conf.Secrets != nil {
		t.secrets, err = s.conf.Secrets.Secrets(ctx, r.ProjectID, r.FunctionID)
	}
	return t, err
}

// executeProgram has a process of the program handle an invocation. When it
// returns, the browser of the invocation is gone, and so is a process that has not
// answered.
func (s *service) executeProgram(ctx context.Context, x execution.Attempt[row]) (e ending, err error) {
	t, err := s.task(ctx, x.Row)
	if err != nil {
		return ending{}, err
	}
	base, err := s.base(t.version)
	if err != nil {
		return ending{}, err
	}
	a, err := s.activate(ctx, base, t.row, redactor(t.secrets))
	if err != nil {
		return ending{}, err
	}
	defer a.close()
	e, err = s.runProgram(ctx, a, t)
	switch {
	case err != nil:
		a.log.Append(joblog.System, "The invocation has failed: "+broken(t.row, err).cause.Message)
	case e.status == Failed:
		e.cause.Message = redactor(t.secrets)(e.cause.Message)
		a.log.Append(joblog.System, "The invocation has failed: "+e.cause.Message)
	}
	return e, err
}

func (s *service) runProgram(ctx context.Context, a *active, t task) (ending, error) {
	p := s.conf.Programs
	if err := p.begin(ctx); errtypes.Is(err, errtypes.Unavailable) {
		return failed(CauseInternal, "%s", errtypes.Public(err).Message), nil
	} else if err != nil {
		return ending{}, err
	}
	bundle, err := s.bundle(ctx, t.ProjectID, t.program)
	if err != nil {
		return ending{}, err
	}
	dir, err := p.ready(ctx, bundle)
	if err != nil {
		return ending{}, err
	}
	out, err := p.pool.Do(ctx, program.Version{ID: t.VersionID, Project: t.ProjectID, Dir: dir, Entrypoint: bundle.bundle}, runtime.Invocation{
		Function: t.function.Name, Params: fill(t.version.ParamsSchema, t.Params), Context: t.context, Connect: a.connect,
	}, func(l child.Line) { // where the program lies is nothing to its author
		a.log.AppendAt(l.Time, streamOf(l.Stream), strings.ReplaceAll(l.Text, dir+string(filepath.Separator), ""))
	})
	var end child.End
	switch {
	case ctx.Err() != nil:
		return ending{}, context.Cause(ctx)
	case errors.As(err, &end):
		return ended(end), nil
	case errtypes.Is(err, errtypes.Unavailable):
		return failed(CauseInternal, "%s", errtypes.Public(err).Message), nil
	case err != nil:
		return ending{}, err
	}
	return s.answered(ctx, a, out), nil
}

// bundle is the program that a build has made.
func (s *service) bundle(ctx context.Context, projectID, buildID string) (built, error) {
	ctx = projects.With(ctx, projects.Project{ID: projectID})
	b, err := s.conf.Builds.Get(ctx, builds.Function, buildID)
	if err != nil {
		return built{}, err
	}
	m, err := madeBy(b)
	return built{
		id: buildID, project: projectID, entry: Entrypoint(b), bundle: m.Bundle,
		source: func(ctx context.Context) (io.ReadCloser, error) {
			return s.conf.Builds.OpenSource(projects.With(ctx, projects.Project{ID: projectID}), builds.Function, buildID)
		},
		lock: func(ctx context.Context) (lock []byte, err error) {
			err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
				lock, err = findLock(ctx, q, buildID)
				return err
			})
			return lock, err
		},
	}, err
}

// context is what the function gets beside its parameters.
func (t task) context(connectURL string) (json.RawMessage, error) {
	type session struct {
		ID         string `json:"id"`
		ConnectURL string `json:"connectUrl"`
	}
	type invocation struct {
		ID string `json:"id"`
	}
	secrets := t.secrets
	if secrets == nil {
		secrets = map[string]string{}
	}
	return encode(struct {
		Session    session           `json:"session"`
		Secrets    map[string]string `json:"secrets"`
		Invocation invocation        `json:"invocation"`
		Params     json.RawMessage   `json:"params"`
	}{session{t.SessionID, connectURL}, secrets, invocation{t.ID}, fill(t.version.ParamsSchema, t.Params)})
}

// connect opens the browser of the invocation and returns its websocket.
func (a *active) connect(ctx context.Context) (string, error) {
	if _, err := a.browser(ctx); err != nil {
		return "", err
	}
	known, err := a.s.conf.Sessions.Get(projects.With(ctx, projects.Project{ID: a.create.ProjectID}), a.create.ID)
	return known.ConnectURL, err
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

// ended is the end of an invocation whose process has ended before it answered.
func ended(e child.End) ending {
	switch e.Cause {
	case child.Exited:
		return failed(CauseWorkload, "the process exited with code %d before it answered", e.Code)
	case child.Signaled:
		return failed(CauseWorkload, "the process was ended by the signal %q before it answered", e.Signal)
	case child.MemoryLimit:
		return failed(CauseWorkload, "the process took more memory than it may")
	case child.ProcessLimit:
		return failed(CauseWorkload, "the process started more processes than it may")
	case child.DiskLimit:
		return failed(CauseWorkload, "the files of the process took more of the disk than they may")
	case child.CPULimit:
		return failed(CauseWorkload, "the process took more time of processors than it may")
	case child.NotStarted:
		return failed(CauseInternal, "no process could be started%s", reason(orFull(e.Reason)))
	}
	return failed(CauseInternal, "the process was ended before it answered")
}

// answered is the end of an invocation whose process has answered.
func (s *service) answered(ctx context.Context, a *active, out runtime.Outcome) ending {
	lacking, ok := a.lacking()
	switch f := out.Failure; {
	case f != nil && ok:
		return lacking
	case f != nil && slices.Contains([]string{"", "Error", "UnknownError"}, f.Type):
		return failed(CauseWorkload, "%s", f.Message)
	case f != nil:
		return failed(CauseWorkload, "%s", strings.TrimSuffix(f.Type+": "+f.Message, ": "))
	case out.TooLarge > 0:
		return s.tooLarge(out.TooLarge)
	case out.Result == nil:
		return ending{status: Completed}
	}
	encoded, err := encode(out.Result)
	if err != nil {
		return failed(CauseWorkload, "the result is not valid JSON")
	}
	return s.completed(ctx, encoded)
}
