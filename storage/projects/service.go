package projects

import (
	"cmp"
	"context"
	"errors"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
)

// Options configure [New].
type Options struct {
	// RequireProject makes a call whose context has no project fail instead of
	// acting for the default project. Default false.
	RequireProject bool
	// Notify tells who waits that a key has been revoked. Default nil: nobody
	// waits.
	Notify *notify.Hub
}

// New returns the service on a database and makes the default project if it is
// not there.
func New(ctx context.Context, db *storage.DB, o Options) (_ Service, err error) {
	defer errtypes.Wrap(&err, "projects.New")
	s := &service{db: db, opts: o}
	s.def, err = s.Get(ctx, Default)
	if errtypes.Is(err, errtypes.NotFound) {
		s.def, err = s.Create(ctx, Create{Name: Default})
	}
	if errtypes.Is(err, errtypes.Conflict) { // another process made it just now
		s.def, err = s.Get(ctx, Default)
	}
	return s, err
}

type service struct {
	db   *storage.DB
	opts Options
	def  Project
}

func (s *service) Current(ctx context.Context) (Project, error) {
	if p, ok := From(ctx); ok {
		return p, nil
	}
	if s.opts.RequireProject {
		return Project{}, errtypes.New(errtypes.Unauthenticated, "the call names no project")
	}
	return s.def, nil
}

func (s *service) In(ctx context.Context, ref string) (context.Context, error) {
	p, err := s.Get(ctx, ref)
	if err != nil {
		return nil, err
	}
	return With(ctx, p), nil
}

func (s *service) Create(ctx context.Context, c Create) (_ Project, err error) {
	defer errtypes.Wrap(&err, "projects.Create(%q)", c.Name)
	c.Username = cmp.Or(c.Username, c.Name)
	if err := c.Validate(); err != nil {
		return Project{}, err
	}
	p := Project{
		ID: ids.New(), UserID: ids.NewShort(), Name: c.Name, Username: c.Username,
		CreatedAt: storage.Time(storage.Millis(s.db.Clock().Now())),
	}
	err = s.db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		return insertProject(ctx, tx, p)
	})
	if errors.Is(err, storage.ErrConflict) {
		err = errtypes.New(errtypes.Conflict, "a project with the name %q or the username %q exists", p.Name, p.Username)
	}
	return p, err
}

func (s *service) Get(ctx context.Context, ref string) (p Project, err error) {
	defer errtypes.Wrap(&err, "projects.Get(%q)", ref)
	err = s.db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		p, err = findProject(ctx, q, ref)
		return err
	})
	return p, err
}

func (s *service) List(ctx context.Context) (all []Project, err error) {
	defer errtypes.Wrap(&err, "projects.List")
	err = s.db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		all, err = listProjects(ctx, q)
		return err
	})
	return all, err
}

func (s *service) CreateKey(ctx context.Context, project, name string) (_ Key, _ string, err error) {
	defer errtypes.Wrap(&err, "projects.CreateKey(%q)", project)
	secret := newSecret()
	k, err := s.addKey(ctx, project, name, secret)
	return k, secret, err
}

func (s *service) addKey(ctx context.Context, project, name, secret string) (k Key, err error) {
	if err := validateKeyName(name); err != nil {
		return Key{}, err
	}
	err = s.db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		p, err := findProject(ctx, tx, project)
		if err != nil {
			return err
		}
		k = s.newKey(p, name, secret)
		return insertKey(ctx, tx, k, hash(secret))
	})
	return k, err
}

func validateKeyName(name string) error {
	if !utf8.ValidString(name) || utf8.RuneCountInString(name) > 255 {
		return errtypes.Field("name", "must be at most 255 characters of valid UTF-8")
	}
	return nil
}

func (s *service) newKey(p Project, name, secret string) Key {
	return Key{
		ID: ids.New(), ProjectID: p.ID, Name: name, Prefix: prefix(secret),
		CreatedAt: storage.Time(storage.Millis(s.db.Clock().Now())),
	}
}

func (s *service) PresetKey(ctx context.Context, project, name, secret string) (k Key, err error) {
	defer errtypes.Wrap(&err, "projects.PresetKey(%q, %q)", project, name)
	if err := errors.Join(validateKeyName(name), validateSecret(secret)); err != nil {
		return Key{}, err
	}
	err = s.db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		p, err := findProject(ctx, tx, project)
		if err != nil {
			return err
		}
		k, err = s.preset(ctx, tx, p, name, secret)
		return err
	})
	return k, err
}

func (s *service) preset(ctx context.Context, tx *storage.Tx, p Project, name, secret string) (Key, error) {
	now := s.db.Clock().Now()
	k, err := findKeyByHash(ctx, tx, hash(secret))
	switch {
	case errors.Is(err, storage.ErrNoRow):
		k = s.newKey(p, name, secret)
		if err := insertKey(ctx, tx, k, hash(secret)); err != nil {
			return Key{}, err
		}
	case err != nil:
		return Key{}, err
	case k.ProjectID != p.ID:
		return Key{}, errtypes.New(errtypes.Conflict, "the key belongs to another project")
	default:
		if k, err = renewKey(ctx, tx, k.ID, name); err != nil {
			return Key{}, err
		}
	}
	revoked, err := revokeNamesakes(ctx, tx, k, now)
	s.changed(tx, revoked...)
	return k, err
}

// changed tells who waits for keys once the transaction is committed.
func (s *service) changed(tx *storage.Tx, keys ...string) {
	if s.opts.Notify == nil {
		return
	}
	tx.AfterCommit(func() {
		for _, id := range keys {
			s.opts.Notify.Publish(KeyTopic(id))
		}
	})
}

func (s *service) Keys(ctx context.Context, project string) (all []Key, err error) {
	defer errtypes.Wrap(&err, "projects.Keys(%q)", project)
	err = s.db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		p, err := findProject(ctx, q, project)
		if err != nil {
			return err
		}
		all, err = listKeys(ctx, q, p.ID)
		return err
	})
	return all, err
}

func (s *service) RevokeKey(ctx context.Context, id string) (k Key, err error) {
	defer errtypes.Wrap(&err, "projects.RevokeKey(%q)", id)
	err = s.db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		k, err = revokeKey(ctx, tx, id, s.db.Clock().Now())
		s.changed(tx, id)
		return err
	})
	return k, err
}

func (s *service) Authenticate(ctx context.Context, secret string) (_ Project, err error) {
	defer errtypes.Wrap(&err, "projects.Authenticate")
	h, err := s.holder(ctx, secret)
	return h.Project, err
}

func (s *service) As(ctx context.Context, secret string) (_ context.Context, err error) {
	defer errtypes.Wrap(&err, "projects.As")
	h, err := s.holder(ctx, secret)
	if err != nil {
		return nil, err
	}
	return context.WithValue(With(ctx, h.Project), callerKey{}, h.key), nil
}

func (s *service) holder(ctx context.Context, secret string) (h holder, err error) {
	if secret == "" {
		return holder{}, errtypes.New(errtypes.Unauthenticated, "an API key is required")
	}
	err = s.db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		h, err = findHolder(ctx, q, hash(secret))
		return err
	})
	if errors.Is(err, storage.ErrNoRow) {
		err = errtypes.New(errtypes.Unauthenticated, "the API key is not valid")
	}
	return h, err
}

func (s *service) CheckKey(ctx context.Context, id string) (err error) {
	defer errtypes.Wrap(&err, "projects.CheckKey(%q)", id)
	var good bool
	err = s.db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		good, err = isGood(ctx, q, id)
		return err
	})
	if err == nil && !good {
		err = errtypes.New(errtypes.Unauthenticated, "the API key is revoked")
	}
	return err
}
