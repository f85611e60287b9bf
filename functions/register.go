package functions

import (
	"context"
	"errors"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

// register makes a version of each Go function that has changed, in one
// transaction, and registers what executes its invocations.
func (s *service) register(ctx context.Context) error {
	all, err := s.definitions(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		for i := range all {
			if err := s.sync(ctx, tx, &all[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range all {
		r.executor = s.newExecutor(r.function.ID, func(ctx context.Context, a execution.Attempt[row]) (ending, error) {
			return s.execute(ctx, r, a.Row)
		})
		s.registered[r.function.ID] = r
		s.conf.Jobs.Register(kindOf(r.function.ID), r.executor.Work, s.kindOptions(r))
	}
	return nil
}

// definitions checks what is to be registered and finds its projects.
func (s *service) definitions(ctx context.Context) (all []registered, err error) {
	names := map[[2]string]bool{}
	for _, d := range s.conf.Functions {
		var r registered
		if r.definition, err = s.conf.check(d); err != nil {
			return nil, err
		}
		project, err := s.conf.Projects.Get(ctx, r.o.Project)
		if err != nil {
			return nil, err
		}
		at := [2]string{project.ID, r.name}
		if names[at] {
			return nil, errtypes.Field("Functions", "has %q twice", r.name)
		}
		names[at] = true
		r.function = Function{ID: ids.New(), ProjectID: project.ID, Name: r.name, CreatedAt: s.now()}
		all = append(all, r)
	}
	return all, nil
}

// sync finds or makes the function of a definition, and its version.
func (s *service) sync(ctx context.Context, tx *storage.Tx, r *registered) error {
	found, err := findFunctionNamed(ctx, tx, r.function.ProjectID, r.name)
	if err == nil {
		r.function = found
		newest, err := newestVersion(ctx, tx, found.ID)
		if err == nil && newest.fingerprint == r.fingerprint {
			r.versionID = newest.ID
			return nil
		}
	}
	if err != nil && !errors.Is(err, storage.ErrNoRow) {
		return err
	}
	var v version
	r.function, v, err = s.newVersion(ctx, tx, r.function, r.version())
	r.versionID = v.ID
	return err
}

// version is what the registration says of the function.
func (r registered) version() version {
	return version{
		Version:     Version{ProjectID: r.function.ProjectID, FunctionID: r.function.ID, ParamsSchema: r.o.ParamsSchema, Session: r.session, Timeout: r.o.Timeout},
		fingerprint: r.fingerprint,
	}
}

// newExecutor says what the life of an invocation of a Go function is, or of all
// published ones. It is executed at most once (DECISIONS 26).
func (s *service) newExecutor(of string, execute func(context.Context, execution.Attempt[row]) (ending, error)) *execution.Executor[row, ending] {
	return execution.New(execution.Config[row, ending]{
		Name: kindOf(of), DB: s.conf.DB, Jobs: s.conf.Jobs, Notify: s.conf.Notify, Clock: s.conf.Clock, Logger: s.conf.Logger,
		Find: findRow, Start: startInvocation, Started: s.started, RequestStop: requestStop, End: s.end, State: row.state,
		Execute: execute, Broken: broken, Check: s.check, Release: s.values.Drop,
	})
}

// executorOf returns what an invocation is made, stopped and waited for with. Where
// the function is another process's, that executes it.
func (s *service) executorOf(r row) *execution.Executor[row, ending] {
	if r.program != "" {
		return s.published
	}
	if g, ok := s.registered[r.FunctionID]; ok {
		return g.executor
	}
	return s.newExecutor(r.FunctionID, nil) // it is not registered with the queue
}

// registerPrograms registers what builds and runs published programs, where this
// process can.
func (s *service) registerPrograms() {
	s.published = s.newExecutor(programKind, s.executeProgram)
	if s.conf.Programs.Missing() != nil {
		return
	}
	s.conf.Builds.Register(builds.Function, builder{s})
	s.conf.Jobs.Register(kindOf(programKind), s.published.Work, jobs.KindOptions{
		Workers: s.conf.Programs.conf.MaxProcesses, Exhausted: s.published.Exhausted, Admission: s.places,
	})
}
