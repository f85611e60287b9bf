package extensions

import (
	"context"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

type service struct {
	conf    Config
	storing *lifecycle.Calls
}

// Open returns the service. It is closed before the database. Error kind
// Invalid for a config that lacks something.
func Open(c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "extensions.Open")
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &service{conf: c.withDefaults(), storing: lifecycle.NewCalls(errClosing)}
	s.conf.Keeper.Register(retention.Orphans{Things: "extensions", Columns: blobColumns, Blobs: s.conf.Blobs})
	return s, nil
}

func (s *service) List(ctx context.Context) (_ []Extension, err error) {
	defer errtypes.Wrap(&err, "extensions.List")
	return projects.Read(ctx, s.conf.Callers, s.conf.DB, listRows)
}

func (s *service) Get(ctx context.Context, id string) (_ Extension, err error) {
	defer errtypes.Wrap(&err, "extensions.Get(%q)", id)
	r, err := s.find(ctx, id)
	return r.Extension, err
}

func (s *service) find(ctx context.Context, id string) (row, error) {
	r, err := projects.Read(ctx, s.conf.Callers, s.conf.DB, func(ctx context.Context, q storage.Querier, projectID string) (row, error) {
		return findRow(ctx, q, projectID, id)
	})
	if errors.Is(err, storage.ErrNoRow) {
		err = notFound(id)
	}
	return r, err
}

func notFound(id string) error {
	return errtypes.New(errtypes.NotFound, "there is no extension %q", id)
}

func (s *service) Delete(ctx context.Context, id string) (err error) {
	defer errtypes.Wrap(&err, "extensions.Delete(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	var key string
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		key, err = deleteRow(ctx, tx, project.ID, id)
		return err
	})
	if errors.Is(err, storage.ErrNoRow) {
		return notFound(id)
	}
	if err == nil {
		s.dropBlob(ctx, key)
	}
	return err
}

// dropBlob deletes a blob even for a caller that has gone. One that stays is
// swept, so that it is no error of the caller's.
func (s *service) dropBlob(ctx context.Context, key string) {
	if err := s.conf.Blobs.Delete(context.WithoutCancel(ctx), key); err != nil {
		s.conf.Logger.Warn("extensions: an archive cannot be deleted; it is tried again later", "error", err)
	}
}

var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

func (s *service) Close(ctx context.Context) error {
	s.storing.Close(ctx)
	return nil
}
