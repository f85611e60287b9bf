package builds

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

// New returns the service. Close it, whether or not it is used.
func New(c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "builds.New")
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &service{conf: c.withDefaults(), executors: map[Kind]*execution.Executor[row, ending]{}}
	s.conf.Keeper.Register(s.kept()...)
	return s, nil
}

type service struct {
	conf Config

	mu        sync.Mutex
	closing   bool
	executors map[Kind]*execution.Executor[row, ending]
}

var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

// now is what a row can hold of the time.
func (s *service) now() time.Time { return storage.Time(storage.Millis(s.conf.Clock.Now())) }

func (s *service) Register(kind Kind, b Builder) {
	x := s.newExecutor(kind, b)
	s.mu.Lock()
	s.executors[kind] = x
	s.mu.Unlock()
	s.conf.Jobs.Register(kindOf(kind), x.Work, jobs.KindOptions{Workers: s.conf.Limits.Concurrent, MaxAttempts: 1 + maxRestarts, Exhausted: x.Exhausted})
}

// maxRestarts is how often a build starts again whose host died: one that ends every
// host it is done by is not done for ever.
const maxRestarts = 3

// executor returns what the builds of a kind are made, stopped and waited for
// with; one that does no builds where another process does them.
func (s *service) executor(kind Kind) *execution.Executor[row, ending] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.executors[kind]; x != nil {
		return x
	}
	return s.newExecutor(kind, nil)
}

func (s *service) Create(ctx context.Context, c Create) (_ Build, err error) {
	defer errtypes.Wrap(&err, "builds.Create")
	if err := s.accepting(); err != nil {
		return Build{}, err
	}
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Build{}, err
	}
	timeout := cmp.Or(c.Timeout, s.conf.Limits.DefaultTimeout)
	if timeout < time.Second || timeout > s.conf.Limits.MaxTimeout {
		return Build{}, errtypes.Field("timeout", "must be from 1 to %d seconds", int(s.conf.Limits.MaxTimeout/time.Second))
	}
	if !json.Valid(c.Request) {
		return Build{}, errtypes.Field("request", "must be JSON")
	}
	if err := s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error { return s.roomFor(ctx, q, project.ID, c.Kind) }); err != nil {
		return Build{}, err
	}
	var info blob.Info
	if c.Source != nil {
		if info, err = s.conf.Blobs.Put(ctx, c.Source, s.conf.Limits.MaxSource); err != nil {
			return Build{}, err
		}
	}
	now := s.now()
	r := row{source: info.Key, Build: Build{
		ID: cmp.Or(c.ID, ids.New()), ProjectID: project.ID, Kind: c.Kind, OwnerID: c.OwnerID, Status: Pending, Request: c.Request, Meta: c.Meta,
		CreatedAt: now, UpdatedAt: now, ExpiresAt: now.Add(timeout),
	}}
	r, err = s.insert(ctx, r, c)
	return r.Build, err
}

func (s *service) Record(ctx context.Context, tx *storage.Tx, b Build) (_ Build, err error) {
	defer errtypes.Wrap(&err, "builds.Record")
	now := s.now()
	b.ID, b.Status, b.CreatedAt, b.UpdatedAt, b.StartedAt, b.EndedAt, b.ExpiresAt = cmp.Or(b.ID, ids.New()), Succeeded, now, now, now, now, now
	return b, errors.Join(
		insertBuild(ctx, tx, row{Build: b}),
		setRecorded(ctx, tx, b),
		s.conf.Logs.Create(ctx, tx, logOf(b)),
		s.conf.Logs.End(ctx, tx, logOf(b).ID()),
		s.emit(ctx, tx, row{Build: b}),
	)
}

func (s *service) Release(ctx context.Context, tx *storage.Tx, id string) (err error) {
	defer errtypes.Wrap(&err, "builds.Release(%q)", id)
	r, err := release(ctx, tx, id, s.now())
	if errors.Is(err, storage.ErrNoRow) {
		return nil
	}
	return errors.Join(err, s.dropSource(ctx, tx, r))
}

func (s *service) accepting() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return errClosing
	}
	return nil
}

// insert writes the build, its job and its log in one transaction.
func (s *service) insert(ctx context.Context, asked row, c Create) (r row, err error) {
	x := s.executor(asked.Kind)
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		r = asked
		if err := s.roomFor(ctx, tx, r.ProjectID, r.Kind); err != nil { // others have come while the source was stored
			return err
		}
		if c.Ranked {
			if err := s.rank(ctx, tx, &r, c); err != nil {
				return err
			}
		}
		return errors.Join(
			insertBuild(ctx, tx, r),
			s.conf.Logs.Create(ctx, tx, logOf(r.Build)),
			s.emit(ctx, tx, r),
			x.Enqueue(ctx, tx, jobs.Insert{ProjectID: r.ProjectID, Ref: r.ID}),
		)
	})
	return r, err
}

// logOf is the owner of the log of a build.
func logOf(b Build) joblog.Owner {
	return joblog.Owner{Kind: "build", Ref: b.ID, ProjectID: b.ProjectID}
}

// read reads what belongs to the caller's project.
func (s *service) read(ctx context.Context, do func(ctx context.Context, q storage.Querier, projectID string) error) error {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error { return do(ctx, q, project.ID) })
}

func orNotFound(err error, id string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return errtypes.New(errtypes.NotFound, "there is no build %q", id)
	}
	return err
}

func (s *service) Get(ctx context.Context, kind Kind, id string) (b Build, err error) {
	defer errtypes.Wrap(&err, "builds.Get(%q)", id)
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) error {
		r, err := findBuild(ctx, q, projectID, kind, id)
		b = r.Build
		return orNotFound(err, id)
	})
	return b, err
}

func (s *service) OpenSource(ctx context.Context, kind Kind, id string) (_ io.ReadSeekCloser, err error) {
	defer errtypes.Wrap(&err, "builds.OpenSource(%q)", id)
	var source string
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) error {
		r, err := findBuild(ctx, q, projectID, kind, id)
		if err == nil && r.source == "" {
			err = storage.ErrNoRow
		}
		source = r.source
		return orNotFound(err, id)
	})
	if err != nil {
		return nil, err
	}
	return s.conf.Blobs.Open(ctx, source)
}

const (
	defaultLimit = 20
	maxLimit     = 100
)

func (s *service) List(ctx context.Context, f Filter) (l List, err error) {
	defer errtypes.Wrap(&err, "builds.List")
	f.Limit = cmp.Or(f.Limit, defaultLimit)
	switch {
	case f.Offset < 0:
		return l, errtypes.Field("offset", "must be at least 0")
	case f.Limit < 1 || f.Limit > maxLimit:
		return l, errtypes.Field("limit", "must be from 1 to %d", maxLimit)
	}
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) (err error) {
		l, err = listBuilds(ctx, q, projectID, f)
		return err
	})
	return l, err
}

func (s *service) Wait(ctx context.Context, kind Kind, id string) (b Build, err error) {
	defer errtypes.Wrap(&err, "builds.Wait(%q)", id)
	err = s.executor(kind).Follow(ctx, id, func() (done bool, err error) {
		b, err = s.Get(ctx, kind, id)
		return b.Status.Final(), err
	})
	return b, err
}

func (s *service) Abort(ctx context.Context, kind Kind, id string) (b Build, err error) {
	defer errtypes.Wrap(&err, "builds.Abort(%q)", id)
	known, err := s.Get(ctx, kind, id)
	if err != nil {
		return Build{}, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		stopped, err := s.executor(kind).Stop(ctx, tx, known.ProjectID, id)
		if errors.Is(err, storage.ErrNoRow) {
			return errtypes.New(errtypes.Conflict, "the build has already ended")
		}
		b = stopped.Build
		return err
	})
	return b, err
}

func (s *service) Logs(ctx context.Context, kind Kind, id string) (all []LogEntry, err error) {
	defer errtypes.Wrap(&err, "builds.Logs(%q)", id)
	b, err := s.Get(ctx, kind, id)
	if err != nil {
		return nil, err
	}
	for e, err := range s.conf.Logs.Entries(ctx, logOf(b).ID(), 0) {
		if err != nil {
			return nil, err
		}
		all = append(all, LogEntry{e.Seq, e.Time, e.Text})
	}
	return all, nil
}

func (s *service) Follow(ctx context.Context, kind Kind, id string) iter.Seq2[LogEntry, error] {
	return func(yield func(LogEntry, error) bool) {
		b, err := s.Get(ctx, kind, id)
		if err != nil {
			yield(LogEntry{}, err)
			return
		}
		for e, err := range s.conf.Logs.Follow(ctx, logOf(b).ID(), 0) {
			if !yield(LogEntry{e.Seq, e.Time, e.Text}, err) {
				return
			}
		}
	}
}

func (s *service) Close(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	return nil
}
