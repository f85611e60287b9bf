package extensions

import (
	"context"
	"errors"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

type service struct {
	conf Config

	mu      sync.Mutex
	closing bool
	// under counts those who are storing; end cuts them off.
	under sync.WaitGroup
	ended context.Context
	end   context.CancelCauseFunc
}

// Open returns the service. It is closed before the database. Error kind
// Invalid for a config that lacks something.
func Open(c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "extensions.Open")
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &service{conf: c.withDefaults()}
	s.ended, s.end = context.WithCancelCause(context.Background())
	s.conf.Keeper.Register(retention.Orphans{Things: "extensions", Named: isNamed, Blobs: s.conf.Blobs})
	return s, nil
}

func (s *service) List(ctx context.Context) (all []Extension, err error) {
	defer errtypes.Wrap(&err, "extensions.List")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return nil, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		all, err = listRows(ctx, q, project.ID)
		return err
	})
	return all, err
}

func (s *service) Get(ctx context.Context, id string) (_ Extension, err error) {
	defer errtypes.Wrap(&err, "extensions.Get(%q)", id)
	r, err := s.find(ctx, id)
	return r.Extension, err
}

func (s *service) find(ctx context.Context, id string) (r row, err error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return row{}, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		r, err = findRow(ctx, q, project.ID, id)
		return err
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

// begin lets nobody in any more once the service closes. The context that it
// returns ends when the service cuts off those who are still storing.
func (s *service) begin(ctx context.Context) (_ context.Context, done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil, nil, errClosing
	}
	s.under.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ended, func() { cancel(errClosing) })
	return ctx, func() {
		stop()
		cancel(nil)
		s.under.Done()
	}, nil
}

var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

func (s *service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { s.end(errClosing) })
	defer stop()
	s.under.Wait()
	return nil
}
