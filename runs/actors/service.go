package actors

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

type service struct {
	conf    Config
	schemas schemas
	// funcs are the Go Actors of this process, by the key of their name; synced are
	// projects that have them all.
	funcs  map[string]*function
	synced sync.Map // projects by id
	// built is the executor of runs of built Actors; nil where there is none.
	built *execution.Executor[runRow, runEnd]
	// memory admits runs; nil where all are.
	memory jobs.Admission
	live   *live
	// endpoint is where runs in processes ask their host.
	endpoint *endpoint
	closing  closing
}

// New returns the service, and registers what executes its runs with the queue, which
// the host starts. Close it before that is stopped. Error kind Invalid for a config that
// lacks something, and for a Go Actor that is not in order.
func New(c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "actors.New")
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &service{conf: c.withDefaults(), schemas: newSchemas(), funcs: map[string]*function{}, live: &live{all: map[*process]bool{}}}
	s.endpoint = newEndpoint(s.conf)
	if c.Platform != nil {
		s.endpoint.platform = c.Platform(s)
	}
	if c.Memory != nil {
		s.memory = jobs.Memory(c.Memory)
	}
	if err := s.register(c.Actors); err != nil {
		return nil, err
	}
	s.registerBuilds()
	s.registerBuilt()
	s.conf.Keeper.Register(s.kept()...)
	s.conf.Keeper.Register(retention.Orphans{Things: "sources and builds of Actors and inputs of tasks", Columns: blobColumns, Blobs: s.conf.Blobs})
	return s, nil
}

func noActor(ref string) error {
	return errtypes.New(errtypes.NotFound, "there is no Actor %q", ref).WithType(errtypes.TypeRecordNotFound)
}

// orNoActor explains a row that is not there.
func orNoActor(err error, ref string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return noActor(ref)
	}
	return err
}

// orNameTaken explains a name that another one has.
func orNameTaken(err error, typ errtypes.Type, name string) error {
	if errors.Is(err, storage.ErrConflict) {
		return errtypes.OfType(typ, "the name %q is taken by another one", name)
	}
	return err
}

func (s *service) CreateActor(ctx context.Context, c CreateActor) (a Actor, err error) {
	defer errtypes.Wrap(&err, "actors.CreateActor(%q)", c.Name)
	project, err := s.current(ctx)
	if err != nil {
		return Actor{}, err
	}
	c.Permissions, c.Pricings = cmp.Or(c.Permissions, LimitedPermissions), stamped(c.Pricings, s.now())
	if err := errors.Join(validateName(c.Name), c.Details.validate()); err != nil {
		return Actor{}, err
	}
	versions, err := s.prepareAll(ctx, c.Versions)
	if err != nil {
		return Actor{}, err
	}
	now := s.now()
	a = Actor{ID: ids.NewShort(), ProjectID: project.ID, Name: c.Name, Details: c.Details, CreatedAt: now, ModifiedAt: now}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		fits, err := insertActor(ctx, tx, a, s.conf.Limits.PerProject)
		switch {
		case err != nil:
			return orNameTaken(err, errtypes.TypeActorNameNotUnique, a.Name)
		case !fits:
			return errtypes.OfType(errtypes.TypeTooManyActors, "a project may have %d Actors", s.conf.Limits.PerProject)
		}
		if err := s.putVersions(ctx, tx, a.ID, versions); err != nil {
			return err
		}
		return s.readVersions(ctx, tx, &a)
	})
	return a, s.orDrop(ctx, err, versions...)
}

func (s *service) Actor(ctx context.Context, ref string) (a Actor, err error) {
	defer errtypes.Wrap(&err, "actors.Actor(%q)", ref)
	project, err := s.current(ctx)
	if err != nil {
		return Actor{}, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		if a, err = findActor(ctx, q, project.ID, selectorOf(project, ref)); err != nil {
			return orNoActor(err, ref)
		}
		return s.readVersions(ctx, q, &a)
	})
	return a, err
}

const maxPage = 1000

func (f Filter) checked() (Filter, error) {
	f.Limit = cmp.Or(f.Limit, maxPage)
	switch {
	case f.Offset < 0:
		return f, errtypes.Field("offset", "must be at least 0")
	case f.Limit < 1 || f.Limit > maxPage:
		return f, errtypes.Field("limit", "must be from 1 to %d", maxPage)
	case actorOrders[f.Order][0] == "":
		return f, errtypes.Field("order", "is none that there is")
	}
	return f, nil
}

func (s *service) Actors(ctx context.Context, f Filter) (l List[Actor], err error) {
	defer errtypes.Wrap(&err, "actors.Actors")
	return list(ctx, s, f, listActors)
}

// list reads a part of a list of the caller's project.
func list[T any](ctx context.Context, s *service, f Filter, read func(context.Context, storage.Querier, string, Filter) (List[T], error)) (l List[T], err error) {
	project, err := s.current(ctx)
	if err != nil {
		return l, err
	}
	if f, err = f.checked(); err != nil {
		return l, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		l, err = read(ctx, q, project.ID, f)
		return err
	})
	return l, err
}

func (s *service) UpdateActor(ctx context.Context, ref string, u UpdateActor) (a Actor, err error) {
	defer errtypes.Wrap(&err, "actors.UpdateActor(%q)", ref)
	versions, err := s.prepareAll(ctx, u.Versions)
	if err != nil {
		return Actor{}, err
	}
	var former []string
	err = s.change(ctx, ref, func(ctx context.Context, tx *storage.Tx, found Actor) (err error) {
		a, former = found, nil
		if err := s.apply(ctx, tx, &a, u); err != nil || u.Versions == nil {
			return errors.Join(err, s.readVersions(ctx, tx, &a))
		}
		if former, err = s.replaceVersions(ctx, tx, a.ID, versions); err != nil {
			return err
		}
		return s.readVersions(ctx, tx, &a)
	})
	if err == nil {
		s.dropBlobs(ctx, former...)
	}
	return a, s.orDrop(ctx, err, versions...)
}

// change changes what belongs to an Actor, in one transaction.
func (s *service) change(ctx context.Context, ref string, do func(ctx context.Context, tx *storage.Tx, a Actor) error) error {
	project, err := s.current(ctx)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		a, err := findActor(ctx, tx, project.ID, selectorOf(project, ref))
		if err != nil {
			return orNoActor(err, ref)
		}
		if err := s.checkFree(a); err != nil {
			return err
		}
		return do(ctx, tx, a)
	})
}

func (s *service) apply(ctx context.Context, tx *storage.Tx, a *Actor, u UpdateActor) error {
	if u.Name != nil {
		if err := validateName(*u.Name); err != nil {
			return err
		}
		a.Name = *u.Name
	}
	if u.Change != nil {
		u.Change(&a.Details)
		a.Pricings = stamped(a.Pricings, s.now())
		if err := a.Details.validate(); err != nil {
			return err
		}
	}
	a.ModifiedAt = s.now()
	if err := changeTags(ctx, tx, a.ID, u.Tags); err != nil {
		return err
	}
	return orNameTaken(updateActor(ctx, tx, *a), errtypes.TypeActorNameNotUnique, a.Name)
}

func (s *service) DeleteActor(ctx context.Context, ref string) (err error) {
	defer errtypes.Wrap(&err, "actors.DeleteActor(%q)", ref)
	return s.change(ctx, ref, func(ctx context.Context, tx *storage.Tx, a Actor) error {
		if err := s.deleteBuilds(ctx, tx, a.ID); err != nil {
			return err
		}
		return deleteActor(ctx, tx, a.ID)
	})
}
