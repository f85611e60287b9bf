package actors

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
)

func noTask(ref string) error {
	return errtypes.New(errtypes.NotFound, "there is no task %q", ref).WithType(errtypes.TypeRecordNotFound)
}

// orNoTask explains a row that is not there.
func orNoTask(err error, ref string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return noTask(ref)
	}
	return err
}

// checkInput refuses an input that is no object.
func (s *service) checkInput(input json.RawMessage) error {
	switch {
	case len(input) == 0:
		return nil
	case len(input) > s.conf.Limits.MaxInput:
		return errtypes.New(errtypes.TooLarge, "input must be at most %d bytes", s.conf.Limits.MaxInput).WithType(errtypes.TypeRequestTooLarge)
	case !json.Valid(input) || bytes.TrimSpace(input)[0] != '{':
		return errtypes.Field("input", "must be an object in JSON").WithType(errtypes.TypeInvalidInput)
	}
	return nil
}

func (s *service) CreateTask(ctx context.Context, c CreateTask) (t Task, err error) {
	defer errtypes.Wrap(&err, "actors.CreateTask(%q)", c.Name)
	project, err := s.current(ctx)
	if err != nil {
		return Task{}, err
	}
	if c.Name != "" {
		if err := validateName(c.Name); err != nil {
			return Task{}, err
		}
	}
	now := s.now()
	if err := errors.Join(c.TaskDetails.validate(), c.publish(false, now), s.checkInput(c.Input)); err != nil {
		return Task{}, err
	}
	r := taskRow{Task: Task{ID: ids.NewShort(), ProjectID: project.ID, Name: c.Name, TaskDetails: c.TaskDetails, Input: c.Input, CreatedAt: now, ModifiedAt: now}}
	if r.input, r.blob, err = blob.Keep(ctx, s.conf.Blobs, c.Input); err != nil {
		return Task{}, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		a, err := findActor(ctx, tx, project.ID, selectorOf(project, c.Actor))
		if errors.Is(err, storage.ErrNoRow) {
			return errtypes.Field("actId", "names no Actor of the project: %q", c.Actor)
		}
		if err != nil {
			return err
		}
		r.ActorID, r.ActorName = a.ID, a.Name
		return s.insertTask(ctx, tx, project, &r, c.Name == "")
	})
	if err != nil {
		s.dropBlobs(ctx, r.blob)
		return Task{}, err
	}
	return r.Task, nil
}

// insertTask adds a task, which is given a name if it has none.
func (s *service) insertTask(ctx context.Context, tx *storage.Tx, project projects.Project, r *taskRow, nameless bool) error {
	for n := 0; nameless; n++ {
		r.Name = taskName(r.ActorName, n)
		taken, err := hasTask(ctx, tx, project.ID, r.Name)
		if err != nil {
			return err
		}
		nameless = taken
	}
	fits, err := insertTask(ctx, tx, *r, s.conf.Limits.Tasks)
	if err == nil && !fits {
		return errtypes.OfType(errtypes.TypeTooManyActorTasks, "a project may have %d tasks", s.conf.Limits.Tasks)
	}
	return orNameTaken(err, errtypes.TypeActorTaskNameNotUnique, r.Name)
}

func (s *service) Task(ctx context.Context, ref string) (t Task, err error) {
	defer errtypes.Wrap(&err, "actors.Task(%q)", ref)
	r, err := s.storedTask(ctx, ref)
	return r.Task, err
}

func (s *service) storedTask(ctx context.Context, ref string) (r taskRow, err error) {
	project, err := s.current(ctx)
	if err != nil {
		return r, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		r, err = findTask(ctx, q, project.ID, selectorOf(project, ref))
		return orNoTask(err, ref)
	})
	if err != nil {
		return r, err
	}
	input, err := blob.Kept(ctx, s.conf.Blobs, r.input, r.blob)
	if len(input) > 0 {
		r.Input = input
	}
	return r, err
}

func (s *service) Tasks(ctx context.Context, f Filter) (l List[Task], err error) {
	defer errtypes.Wrap(&err, "actors.Tasks")
	return list(ctx, s, f, listTasks)
}

func (s *service) UpdateTask(ctx context.Context, ref string, u UpdateTask) (t Task, err error) {
	defer errtypes.Wrap(&err, "actors.UpdateTask(%q)", ref)
	for range updateTries {
		was, err := s.storedTask(ctx, ref)
		if err != nil {
			return Task{}, err
		}
		now, err := s.changed(was, u)
		if err != nil {
			return Task{}, err
		}
		if done, err := s.replaceTask(ctx, was, &now); done || err != nil {
			return now.Task, err
		}
	}
	return Task{}, errtypes.New(errtypes.Unavailable, "the task is being changed by others; try again")
}

// changed is a task with changes, which are checked.
func (s *service) changed(r taskRow, u UpdateTask) (_ taskRow, err error) {
	if u.Name != nil {
		if err := validateName(*u.Name); err != nil {
			return r, err
		}
		r.Name = *u.Name
	}
	was := r.Public
	if u.Change != nil {
		u.Change(&r.TaskDetails)
	}
	if u.Input != nil {
		if r.Input, err = u.Input(r.Input); err != nil {
			return r, err
		}
	}
	r.ModifiedAt = s.now()
	return r, errors.Join(r.TaskDetails.validate(), r.publish(was, r.ModifiedAt), s.checkInput(r.Input))
}

// replaceTask puts a task in the place of one that is still as it was.
func (s *service) replaceTask(ctx context.Context, was taskRow, now *taskRow) (done bool, err error) {
	if now.input, now.blob, err = blob.Keep(ctx, s.conf.Blobs, now.Input); err != nil {
		return false, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		done, err = replaceTask(ctx, tx, *now)
		return orNameTaken(err, errtypes.TypeActorTaskNameNotUnique, now.Name)
	})
	if err != nil || !done {
		s.dropBlobs(ctx, now.blob)
		return false, err
	}
	s.dropBlobs(ctx, was.blob)
	return true, nil
}

func (s *service) DeleteTask(ctx context.Context, ref string) (err error) {
	defer errtypes.Wrap(&err, "actors.DeleteTask(%q)", ref)
	project, err := s.current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		done, err := deleteTask(ctx, tx, project.ID, selectorOf(project, ref))
		if err == nil && !done {
			err = noTask(ref)
		}
		return err
	})
}
