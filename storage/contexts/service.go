package contexts

import (
	"context"
	"errors"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

type service struct {
	conf  Config
	given sync.Map // who has let go of a context, and could not write it
}

// New returns the service. Error kind Invalid for a config that lacks something.
func New(c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "contexts.New")
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &service{conf: c.withDefaults()}
	s.conf.Reaper.Register("contexts", reap)
	s.conf.Keeper.Register(
		retention.Sweep{Things: "profiles", Run: s.sweepTemp},
		retention.Orphans{Things: "contexts", Columns: blobColumns, Blobs: s.conf.Blobs},
	)
	return s, nil
}

func (s *service) Create(ctx context.Context, c Create) (_ Context, err error) {
	defer errtypes.Wrap(&err, "contexts.Create")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Context{}, err
	}
	r := row{Context: Context{ID: ids.New()}, projectID: project.ID}
	if r.Name, err = readName(c.Name); err != nil {
		return Context{}, err
	}
	if r.PublicKey, r.privateKey, err = s.newKeys(r.ID); err != nil {
		return Context{}, err
	}
	r.CreatedAt = storage.Time(storage.Millis(s.conf.Clock.Now()))
	r.UpdatedAt = r.CreatedAt
	return r.Context, s.insert(ctx, r)
}

func (s *service) insert(ctx context.Context, r row) error {
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		fits, err := insertRow(ctx, tx, r, s.conf.Limits.PerProject)
		if err == nil && !fits {
			err = errtypes.New(errtypes.Conflict, "the project has %d contexts, as many as it may have: delete some", s.conf.Limits.PerProject)
		}
		return err
	})
	if errors.Is(err, storage.ErrConflict) {
		return s.taken(ctx, r)
	}
	return err
}

// taken names the context that has the name, as that is written.
func (s *service) taken(ctx context.Context, r row) error {
	name := r.Name
	err := s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		name, err = findName(ctx, q, r.projectID, r.Name)
		return err
	})
	if err != nil && !errors.Is(err, storage.ErrNoRow) { // it may have been deleted just now
		return err
	}
	if err != nil {
		name = r.Name
	}
	return errtypes.New(errtypes.Conflict, "name: there is a context %q already, upper and lower case being the same", name)
}

func (s *service) Get(ctx context.Context, id string) (_ Context, err error) {
	defer errtypes.Wrap(&err, "contexts.Get(%q)", id)
	r, err := s.find(ctx, id)
	return r.Context, err
}

func (s *service) find(ctx context.Context, id string) (row, error) {
	r, err := projects.Read(ctx, s.conf.Callers, s.conf.DB, func(ctx context.Context, q storage.Querier, projectID string) (row, error) {
		return findRow(ctx, q, projectID, id)
	})
	return r, orNotFound(err, id)
}

func orNotFound(err error, id string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return notFound(id)
	}
	return err
}

func notFound(id string) error { return errtypes.New(errtypes.NotFound, "there is no context %q", id) }

func (s *service) List(ctx context.Context) (_ []Context, err error) {
	defer errtypes.Wrap(&err, "contexts.List")
	return projects.Read(ctx, s.conf.Callers, s.conf.DB, listRows)
}

func (s *service) Delete(ctx context.Context, id string) (err error) {
	defer errtypes.Wrap(&err, "contexts.Delete(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	var gone row
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		gone, err = deleteRow(ctx, tx, project.ID, id)
		return err
	})
	if err != nil {
		return orNotFound(err, id)
	}
	s.dropBlobs(ctx, gone.blob, gone.previous)
	return nil
}
