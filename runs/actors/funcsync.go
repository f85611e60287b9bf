package actors

import (
	"context"
	"errors"
	"reflect"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// current returns the project of a call, which has all Go Actors of this process from
// then on.
func (s *service) current(ctx context.Context) (projects.Project, error) {
	p, err := s.conf.Callers.Current(ctx)
	if err != nil || len(s.funcs) == 0 {
		return p, err
	}
	if _, done := s.synced.Load(p.ID); done {
		return p, nil
	}
	if err := s.sync(ctx, p); err != nil {
		return projects.Project{}, err
	}
	s.synced.Store(p.ID, p)
	return p, nil
}

// project returns the project with an id.
func (s *service) project(ctx context.Context, id string) (projects.Project, error) {
	if p, ok := s.synced.Load(id); ok {
		return p.(projects.Project), nil
	}
	return s.conf.Callers.Get(ctx, id)
}

// sync makes rows of Go Actors that a project lacks or that have changed.
func (s *service) sync(ctx context.Context, p projects.Project) error {
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		for _, key := range s.names() {
			f := s.funcs[key]
			found, err := findActor(ctx, tx, p.ID, selector{key: key})
			switch {
			case errors.Is(err, storage.ErrNoRow):
				err = s.insertFunction(ctx, tx, p, f)
			case err == nil && !found.Registered:
				s.conf.Logger.Warn("actors: a project has an Actor of its own with the name of a registered one", "project", p.Name, "actor", found.Name)
			case err == nil && !reflect.DeepEqual(found.Details, f.details):
				found.Details, found.ModifiedAt = f.details, s.now()
				err = updateActor(ctx, tx, found)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *service) insertFunction(ctx context.Context, tx *storage.Tx, p projects.Project, f *function) error {
	now := s.now()
	a := Actor{ID: ids.NewShort(), ProjectID: p.ID, Name: f.name, Details: f.details, Registered: true, CreatedAt: now, ModifiedAt: now}
	_, err := insertActor(ctx, tx, a, maxActors)
	return err
}

// maxActors is more than any project has: Go Actors are the host's affair.
const maxActors = 1 << 30

// checkFree refuses changes of a Go Actor of this process, which would make it again.
func (s *service) checkFree(a Actor) error {
	if a.Registered && s.funcs[keyOf(a.Name)] != nil {
		return errtypes.New(errtypes.Conflict, "the Actor %q is registered by the host, which alone can change it", a.Name)
	}
	return nil
}
