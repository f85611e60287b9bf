package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// changeRun changes a run of the caller's project in one transaction, and tells who
// follows it.
func (s *service) changeRun(ctx context.Context, id string, do func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error)) (r RunInfo, err error) {
	project, err := s.current(ctx)
	if err != nil {
		return r, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		was, err := findOwnRun(ctx, tx, project.ID, id)
		if err != nil {
			return orNoRun(err, id)
		}
		now, err := do(ctx, tx, was)
		if err == nil {
			s.executorOf(was.kind).Changed(tx, id)
		}
		r = now.RunInfo
		return err
	})
	return r, err
}

func (s *service) Abort(ctx context.Context, id string, gracefully bool) (r RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.Abort(%q)", id)
	by := s.now()
	if gracefully {
		by = by.Add(s.conf.Limits.AbortGrace)
	}
	return s.changeRun(ctx, id, func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error) {
		if r.Status.Final() {
			return r, nil
		}
		if err := allowAbort(ctx, tx, id, by); err != nil {
			return r, err
		}
		return s.executorOf(r.kind).Stop(ctx, tx, r.ProjectID, id)
	})
}

func (s *service) Resurrect(ctx context.Context, id string, o RunOptions) (r RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.Resurrect(%q)", id)
	if err := s.closing.err(); err != nil {
		return r, err
	}
	if err := o.Validate(); err != nil {
		return r, err
	}
	return s.changeRun(ctx, id, func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error) {
		if !r.Status.Final() {
			return r, errtypes.New(errtypes.Invalid, "only a run that has ended can be resurrected; its status is %s", r.Status)
		}
		if err := s.rebuilt(ctx, tx, &r, o.Build); err != nil {
			return r, err
		}
		r.Options = o.Or(r.Options)
		if err := errors.Join(s.checkOptions(r.Options), s.admits(ctx, tx, r.ProjectID, r.Options.Memory)); err != nil {
			return r, err
		}
		now, err := resurrectRun(ctx, tx, r, s.now())
		if err != nil {
			return now, err
		}
		return now, errors.Join(s.executorOf(r.kind).Enqueue(ctx, tx, s.job(now)), s.emit(ctx, tx, resurrectedEvent, s.now(), now.RunInfo))
	})
}

// rebuilt has a run go on with another build of its Actor, if one is named.
func (s *service) rebuilt(ctx context.Context, q storage.Querier, r *runRow, build string) error {
	if build == "" {
		return nil
	}
	a, err := findActor(ctx, q, r.ProjectID, selector{id: r.ProgramID})
	if err != nil {
		return orNoActor(err, r.ProgramID)
	}
	ref, err := s.resolveBuild(ctx, q, a, build)
	r.BuildID, r.BuildNumber, r.program = ref.id, ref.number, ref.program
	return err
}

// errFinished refuses what only a run that is executed can do.
func errFinished(r runRow) error {
	if !r.Status.Final() {
		return errtypes.OfType(errtypes.TypeJobFinished, "the run is %s, not RUNNING", r.Status)
	}
	return errtypes.OfType(errtypes.TypeJobFinished, "the run has already finished: it is %s, not RUNNING", r.Status)
}

func (s *service) Reboot(ctx context.Context, id string) (r RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.Reboot(%q)", id)
	return s.changeRun(ctx, id, func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error) {
		now, err := rebootRun(ctx, tx, id)
		if errors.Is(err, storage.ErrNoRow) {
			return r, errFinished(r)
		}
		return now, err
	})
}

// maxMetamorphs is how often a run may become one of another Actor.
const maxMetamorphs = 10

func (s *service) Metamorph(ctx context.Context, id string, m Metamorph) (_ RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.Metamorph(%q, %q)", id, m.Actor)
	r, err := s.own(ctx, id)
	switch {
	case err != nil:
		return r.RunInfo, err
	case r.Status != Running:
		return r.RunInfo, errFinished(r)
	case r.Stats.Metamorphs >= maxMetamorphs:
		return r.RunInfo, errtypes.OfType(errtypes.TypeMaxMetamorphsExceeded, "a run may become another one %d times", maxMetamorphs)
	}
	if err := (RunOptions{Build: m.Build}).Validate(); err != nil {
		return r.RunInfo, err
	}
	a, b, err := s.target(ctx, m)
	if err != nil {
		return r.RunInfo, err
	}
	key, size, err := s.keepInput(ctx, r, a.ID, b, m.Input)
	if err != nil {
		return r.RunInfo, err
	}
	return s.changeRun(ctx, id, func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error) {
		now, err := metamorphRun(ctx, tx, r, Metamorphosis{At: s.now(), ActorID: a.ID, BuildID: b.id, InputKey: key}, b, size)
		if errors.Is(err, storage.ErrNoRow) {
			return r, errFinished(r)
		}
		return now, err
	})
}

// target finds what a run is to become.
func (s *service) target(ctx context.Context, m Metamorph) (a Actor, b buildRef, err error) {
	project, err := s.current(ctx)
	if err != nil {
		return a, b, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		if a, err = findActor(ctx, q, project.ID, selectorOf(project, m.Actor)); err != nil {
			return orNoActor(err, m.Actor)
		}
		b, err = s.resolveBuild(ctx, q, a, RunOptions{Build: m.Build}.Or(a.Runs).withDefaults().Build)
		return err
	})
	return a, b, err
}

// keepInput keeps the input of what a run becomes, under a key of its own.
func (s *service) keepInput(ctx context.Context, r runRow, actorID string, b buildRef, in *Input) (key string, size int, err error) {
	key = fmt.Sprintf("%s-METAMORPH-%d", inputKey, r.Stats.Metamorphs+1)
	if in, err = s.acceptInput(ctx, actorID, b, in); err != nil || in == nil {
		return key, 0, err
	}
	_, err = s.conf.Stores.PutRecord(ctx, r.KeyValueStoreID, *in.record(key))
	return key, len(in.Body), err
}

func (s *service) UpdateRun(ctx context.Context, id string, u RunUpdate) (r RunInfo, err error) {
	defer errtypes.Wrap(&err, "actors.UpdateRun(%q)", id)
	u.StatusMessage = cut(u.StatusMessage)
	return s.changeRun(ctx, id, func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error) {
		last := r.Status.Final() && r.MessageTerminal // who says it again has not heard the answer
		if last && (u != RunUpdate{StatusMessage: r.StatusMessage, Terminal: true}) {
			return r, errtypes.OfType(errtypes.TypeCannotSetIsStatusMessageTerminal, "the run has ended with a status message that is its last one")
		}
		return setMessage(ctx, tx, r.ProjectID, id, u)
	})
}

func (s *service) DeleteRun(ctx context.Context, id string) (err error) {
	defer errtypes.Wrap(&err, "actors.DeleteRun(%q)", id)
	var gone runRow
	if _, err := s.changeRun(ctx, id, func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error) {
		if !r.Status.Final() {
			return r, errtypes.OfType(errtypes.TypeCannotRemoveRunningRun, "the run has not ended: its status is %s", r.Status)
		}
		gone = r
		return r, s.removeRun(ctx, tx, r)
	}); err != nil {
		return err
	}
	s.dropStores(ctx, gone)
	return nil
}

// removeRun deletes a run with its log.
func (s *service) removeRun(ctx context.Context, tx *storage.Tx, r runRow) error {
	return errors.Join(s.conf.Logs.Delete(ctx, tx, logOf(r).ID()), deleteRun(ctx, tx, r.ID))
}

// dropStores deletes the default stores of a run that is deleted, but those that were
// given a name. What stays goes when it has not been used for long enough.
func (s *service) dropStores(ctx context.Context, r runRow) {
	ctx, cancel := context.WithTimeout(projects.With(context.WithoutCancel(ctx), projects.Project{ID: r.ProjectID}), time.Minute)
	defer cancel()
	for kind, id := range r.stores() {
		st, err := s.conf.Stores.Get(ctx, kind, id)
		if err == nil && st.Name == "" {
			err = s.conf.Stores.Delete(ctx, kind, id)
		}
		if err != nil && !errtypes.Is(err, errtypes.NotFound) {
			s.conf.Logger.Warn("actors: a store of a deleted run cannot be deleted; it goes later", "run", r.ID, "error", err)
		}
	}
}
