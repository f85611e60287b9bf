package secrets

import (
	"context"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

type service struct {
	conf    Config
	cursors keyset.Codec
}

// New returns the service. Error kind Invalid for a config that lacks something.
func New(ctx context.Context, c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "secrets.New")
	if err := c.validate(); err != nil {
		return nil, err
	}
	key, err := c.DB.SecretKey(ctx, "cursors")
	if err != nil {
		return nil, err
	}
	return &service{c.withDefaults(), keyset.New(key)}, nil
}

func (s *service) Create(ctx context.Context, c Create) (_ Secret, err error) {
	defer errtypes.Wrap(&err, "secrets.Create(%q)", c.Name)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Secret{}, err
	}
	if err := checkName(c.Name); err != nil {
		return Secret{}, err
	}
	plain, err := s.read(ctx, project.ID, c.Value)
	if err != nil {
		return Secret{}, err
	}
	now := storage.Time(storage.Millis(s.conf.Clock.Now()))
	r := row{Secret: Secret{ID: ids.New(), ProjectID: project.ID, Name: c.Name, CreatedAt: now, UpdatedAt: now}}
	s.seal(&r, plain)
	return r.Secret, s.insert(ctx, r)
}

func (s *service) seal(r *row, plain string) {
	r.size, r.value = len(plain), s.conf.Keys.Seal(values.Purpose(r.ID), []byte(plain))
}

func (s *service) insert(ctx context.Context, r row) error {
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		fits, err := insertRow(ctx, tx, r, s.conf.Limits)
		switch {
		case errors.Is(err, storage.ErrConflict):
			return errtypes.New(errtypes.Conflict, "the project has a secret %q already: give that another value, or choose another name", r.Name)
		case err == nil && !fits:
			return s.full()
		}
		return err
	})
}

func (s *service) full() error {
	l := s.conf.Limits
	return errtypes.New(errtypes.Conflict, "a project may have %d secrets, and %d bytes of values: delete some", l.PerProject, l.MaxTotal)
}

func (s *service) Update(ctx context.Context, id string, v Value) (_ Secret, err error) {
	defer errtypes.Wrap(&err, "secrets.Update(%q)", id)
	was, err := s.find(ctx, id)
	if err != nil {
		return Secret{}, err
	}
	plain, err := s.read(ctx, was.ProjectID, v)
	if err != nil {
		return Secret{}, err
	}
	r := row{Secret: was}
	r.UpdatedAt = storage.Time(storage.Millis(s.conf.Clock.Now()))
	s.seal(&r, plain)
	return r.Secret, s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		fits, err := updateRow(ctx, tx, r, s.conf.Limits)
		if err != nil || fits {
			return err
		}
		if _, err := findRow(ctx, tx, r.ProjectID, id); err != nil {
			return orNotFound(err, id)
		}
		return s.full()
	})
}

func (s *service) Get(ctx context.Context, id string) (_ Secret, err error) {
	defer errtypes.Wrap(&err, "secrets.Get(%q)", id)
	return s.find(ctx, id)
}

func (s *service) find(ctx context.Context, id string) (Secret, error) {
	found, err := projects.Read(ctx, s.conf.Callers, s.conf.DB, func(ctx context.Context, q storage.Querier, projectID string) (Secret, error) {
		return findRow(ctx, q, projectID, id)
	})
	return found, orNotFound(err, id)
}

func orNotFound(err error, id string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return errtypes.New(errtypes.NotFound, "there is no secret %q", id)
	}
	return err
}

func (s *service) List(ctx context.Context, f Filter) (_ Page, err error) {
	defer errtypes.Wrap(&err, "secrets.List")
	return s.page(ctx, f, listQuery, "secrets")
}

// page reads a part of a list, which the statement and the scope are of.
func (s *service) page(ctx context.Context, f Filter, query string, scope ...string) (Page, error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Page{}, err
	}
	w, err := s.cursors.Window(keyset.Filter(f), append(scope, project.ID)...)
	if err != nil {
		return Page{}, err
	}
	page := Page{Limit: w.Limit}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		rows, err := listRows(ctx, q, query, project.ID, w, scope[1:]...)
		page.Secrets, page.NextCursor = keyset.Cut(w, rows, Secret.position)
		return err
	})
	return page, err
}

func (s *service) Delete(ctx context.Context, id string) (err error) {
	defer errtypes.Wrap(&err, "secrets.Delete(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		ok, err := deleteRow(ctx, tx, project.ID, id)
		if err == nil && !ok {
			err = orNotFound(storage.ErrNoRow, id)
		}
		return err
	})
}

// unread puts two ends of sealing again together: what could not be opened, of both.
func unread(a, b error) error {
	var all seal.Unread
	for _, err := range []error{a, b} {
		one, ok := errors.AsType[seal.Unread](err)
		if err != nil && !ok {
			return errors.Join(a, b)
		}
		all = append(all, one...)
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
