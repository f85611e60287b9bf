package functions

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// Service manages functions and their invocations. Every method acts for the
// caller's project, whose functions are the only ones there are for it.
//
// The interface may gain methods; implement it only inside Drover.
type Service interface {
	// List returns functions, newest first. Error kind Invalid for a page out of
	// range.
	List(ctx context.Context, p Page) (List[Function], error)
	// Get returns a function by its id or its name. Error kind NotFound.
	Get(ctx context.Context, function string) (Function, error)
	// Versions returns the versions of a function that are kept, newest first:
	// Limits.MaxVersions. Error kinds:
	// NotFound; Invalid for a page out of range.
	Versions(ctx context.Context, function string, p Page) (List[Version], error)
	// Version returns a version. Error kind NotFound.
	Version(ctx context.Context, id string) (Version, error)
	// Rollback makes a version of a function the one that is invoked, until a
	// newer one is made. Error kinds: NotFound; Invalid for a version of another
	// function.
	Rollback(ctx context.Context, function, versionID string) (Function, error)
	// Delete deletes a function with its versions, and what was published of it.
	// Its invocations stay as long as others. Error kinds: NotFound; Conflict for a Go function of this process.
	Delete(ctx context.Context, function string) error

	// Publish makes a build of a program, PENDING, which makes a version of each
	// function of the program when it succeeds: see [BuiltBy]. Its log, wait and end
	// are those of builds.Service. Error kinds: Invalid for the entry point; TooLarge
	// for the archive; Unavailable where there is no Node.js that is new enough, and
	// while closing.
	Publish(ctx context.Context, in Publish) (builds.Build, error)

	// Invoke makes an invocation, PENDING, of a function by its id or name. Error
	// kinds: NotFound; Invalid for a bad field, for parameters that do not fit the
	// schema, with the place, and for session settings that cannot be honoured;
	// Conflict for an idempotency key of another invocation; Unavailable for a
	// published function where Publish is, and while closing.
	Invoke(ctx context.Context, function string, in Invoke) (Invocation, error)
	// PrepareInvoke checks all about an invocation, and leaves it to the caller to make it,
	// within a transaction of its own. Error kinds: those of Invoke; Invalid for an
	// idempotency key, and for what is never stored.
	PrepareInvoke(ctx context.Context, function string, in Invoke) (*Launch, error)
	// Unfinished returns which of some invocations have not ended.
	Unfinished(ctx context.Context, q storage.Querier, invocations []string) ([]string, error)
	// Invocation returns an invocation. Error kind NotFound.
	Invocation(ctx context.Context, id string) (Invocation, error)
	// Invocations returns those of a version, newest first, without their results.
	// Error kinds: NotFound for the version; Invalid for a page out of range.
	Invocations(ctx context.Context, versionID string, f Filter) (List[Invocation], error)
	// Wait returns the invocation once it has ended. It polls nothing. Error
	// kinds: NotFound; those of the context.
	Wait(ctx context.Context, id string) (Invocation, error)
	// Cancel ends an invocation; it returns before a handler that works has
	// returned. Error kinds: NotFound; Conflict for one that has ended.
	Cancel(ctx context.Context, id string) (Invocation, error)
	// Logs returns what was logged, oldest first, as far as it was kept and
	// written, which it is once a second. Error kind NotFound.
	Logs(ctx context.Context, id string) ([]LogEntry, error)
	// Follow yields what Logs returns, and goes on until the invocation has ended.
	// Error kinds: NotFound; those of the context.
	Follow(ctx context.Context, id string) iter.Seq2[LogEntry, error]
	// Close refuses new invocations. Those under way are the queue's, which the
	// host stops next. It is idempotent.
	Close(ctx context.Context) error
}

// New returns the service, registers what executes its invocations with the queue,
// which the host starts, and makes versions of the Go functions that have changed.
// Close it, whether or not it is used. Error kinds: Invalid for a definition that
// is not in order; NotFound for its project.
func New(ctx context.Context, c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "functions.New")
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &service{conf: c.withDefaults(), registered: map[string]registered{}, schemas: newSchemas()}
	s.values, s.places = newValues(s.conf), s.conf.admission()
	if s.hashKey, err = s.conf.DB.SecretKey(ctx, "idempotency"); err != nil {
		return nil, err
	}
	if err := s.register(ctx); err != nil {
		return nil, err
	}
	s.registerPrograms()
	s.conf.Keeper.Register(s.kept()...)
	s.conf.Programs.Workshop().Needs(s.needsProgram)
	return s, nil
}

type service struct {
	conf   Config
	values *execution.Values[held]
	// registered are the Go functions of this process, by their function's id.
	registered map[string]registered
	// published executes the invocations of published programs.
	published *execution.Executor[row, ending]
	schemas   schemas
	// places bounds what is executed at the same time; nil for no limit.
	places jobs.Admission
	// hashKey is for what is told apart by a hash and may hold passwords.
	hashKey []byte
	closing closing
}

// registered is a Go function and what executes its invocations.
type registered struct {
	definition
	function Function
	// versionID is the version that it is.
	versionID string
	executor  *execution.Executor[row, ending]
}

// now is what a row can hold of the time.
func (s *service) now() time.Time { return storage.Time(storage.Millis(s.conf.Clock.Now())) }

func (s *service) current(ctx context.Context) (projects.Project, error) {
	return s.conf.Projects.Current(ctx)
}

// read reads what belongs to the caller's project.
func (s *service) read(ctx context.Context, do func(ctx context.Context, q storage.Querier, projectID string) error) error {
	project, err := s.current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error { return do(ctx, q, project.ID) })
}

const (
	defaultLimit = 20
	maxLimit     = 100
)

// check refuses what is out of range and fills in the default.
func (p *Page) check() error {
	if p.Limit == 0 {
		p.Limit = defaultLimit
	}
	switch {
	case p.Offset < 0:
		return errtypes.Field("offset", "must be at least 0")
	case p.Limit < 1 || p.Limit > maxLimit:
		return errtypes.Field("limit", "must be from 1 to %d", maxLimit)
	}
	return nil
}

func orNotFound(err error, what, id string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return errtypes.New(errtypes.NotFound, "there is no %s %q", what, id)
	}
	return err
}

func (s *service) List(ctx context.Context, p Page) (l List[Function], err error) {
	defer errtypes.Wrap(&err, "functions.List")
	if err := p.check(); err != nil {
		return l, err
	}
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) (err error) {
		l, err = listFunctions(ctx, q, projectID, p)
		return err
	})
	return l, err
}

func (s *service) Get(ctx context.Context, function string) (f Function, err error) {
	defer errtypes.Wrap(&err, "functions.Get(%q)", function)
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) (err error) {
		f, err = find(ctx, q, projectID, function)
		return err
	})
	return f, err
}

// find returns a function by its id or its name.
func find(ctx context.Context, q storage.Querier, projectID, function string) (f Function, err error) {
	err = storage.ErrNoRow
	if id := ids.Canonical(function); ids.Valid(id) {
		f, err = findFunction(ctx, q, projectID, id)
	}
	if errors.Is(err, storage.ErrNoRow) {
		f, err = findFunctionNamed(ctx, q, projectID, function)
	}
	return f, orNotFound(err, "function", function)
}

func (s *service) Versions(ctx context.Context, function string, p Page) (l List[Version], err error) {
	defer errtypes.Wrap(&err, "functions.Versions(%q)", function)
	if err := p.check(); err != nil {
		return l, err
	}
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) error {
		f, err := find(ctx, q, projectID, function)
		if err != nil {
			return err
		}
		l, err = listVersions(ctx, q, f.ID, p)
		return err
	})
	return l, err
}

func (s *service) Version(ctx context.Context, id string) (v Version, err error) {
	defer errtypes.Wrap(&err, "functions.Version(%q)", id)
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) error {
		found, err := findVersion(ctx, q, projectID, id)
		v = found.Version
		return orNotFound(err, "version", id)
	})
	return v, err
}

func (s *service) Rollback(ctx context.Context, function, versionID string) (f Function, err error) {
	defer errtypes.Wrap(&err, "functions.Rollback(%q)", function)
	project, err := s.current(ctx)
	if err != nil {
		return f, err
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if f, err = find(ctx, tx, project.ID, function); err != nil {
			return err
		}
		v, err := findVersion(ctx, tx, project.ID, versionID)
		if err != nil {
			return orNotFound(err, "version", versionID)
		}
		if v.FunctionID != f.ID {
			return errtypes.Field("versionId", "is a version of another function")
		}
		f, err = setCurrent(ctx, tx, f.ID, v.ID, s.now())
		return err
	})
	return f, err
}

func (s *service) Delete(ctx context.Context, function string) (err error) {
	defer errtypes.Wrap(&err, "functions.Delete(%q)", function)
	project, err := s.current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		f, err := find(ctx, tx, project.ID, function)
		if err != nil {
			return err
		}
		if _, ok := s.registered[f.ID]; ok {
			return errtypes.New(errtypes.Conflict, "the function %q is registered by the host, which would make it again", f.Name)
		}
		gone, err := deleteVersions(ctx, tx, f.ID)
		if err != nil {
			return err
		}
		if _, err = deleteFunction(ctx, tx, project.ID, f.ID); err != nil {
			return err
		}
		return s.deletedVersions(ctx, tx, gone)
	})
}

func (s *service) Close(ctx context.Context) error {
	s.closing.begin()
	s.values.Close(ctx)
	return nil
}

var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

// kindOf is the kind of the jobs of a Go function: a process that has not
// registered it leaves them alone.
func kindOf(functionID string) string { return "function/" + functionID }

// kindOptions of the jobs of a Go function.
func (s *service) kindOptions(r registered) jobs.KindOptions {
	return jobs.KindOptions{Workers: r.o.Concurrent, Exhausted: r.executor.Exhausted, Admission: s.places}
}
