package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// Options configure [New].
type Options struct {
	// MaxSystemPrompt is the longest system prompt in bytes. Default 64 KiB.
	MaxSystemPrompt int
	// MaxResultSchema is the longest result schema in bytes. Default 64 KiB.
	MaxResultSchema int
}

func (o Options) withDefaults() Options {
	o.MaxSystemPrompt = cmp.Or(o.MaxSystemPrompt, 64<<10)
	o.MaxResultSchema = cmp.Or(o.MaxResultSchema, 64<<10)
	return o
}

// New returns the service on a database.
func New(ctx context.Context, db *storage.DB, callers projects.Resolver, o Options) (_ Service, err error) {
	defer errtypes.Wrap(&err, "agents.New")
	key, err := db.SecretKey(ctx, "cursors")
	if err != nil {
		return nil, err
	}
	return &service{db: db, callers: callers, cursors: keyset.New(key), opts: o.withDefaults()}, nil
}

type service struct {
	db      *storage.DB
	callers projects.Resolver
	cursors keyset.Codec
	opts    Options
}

func (s *service) Create(ctx context.Context, c Create) (a Agent, err error) {
	defer errtypes.Wrap(&err, "agents.Create")
	project, err := s.callers.Current(ctx)
	if err != nil {
		return Agent{}, err
	}
	if a, err = s.build(c); err != nil {
		return Agent{}, err
	}
	err = s.db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		return insertAgent(ctx, tx, project.ID, a)
	})
	return a, err
}

// build validates the fields and makes the row of them.
func (s *service) build(c Create) (Agent, error) {
	if err := validateName(c.Name); err != nil {
		return Agent{}, err
	}
	if c.SystemPrompt != "" {
		if err := s.validatePrompt(c.SystemPrompt); err != nil {
			return Agent{}, err
		}
	}
	resultSchema, err := s.checkSchema(c.ResultSchema)
	if err != nil {
		return Agent{}, err
	}
	now := s.now()
	return Agent{
		ID: ids.New(), Name: c.Name, SystemPrompt: c.SystemPrompt, ResultSchema: resultSchema,
		CreatedAt: now, UpdatedAt: now,
	}, nil
}

func (s *service) validatePrompt(prompt string) error {
	switch {
	case prompt == "" || !utf8.ValidString(prompt):
		return errtypes.Field("systemPrompt", "must be at least 1 character of valid UTF-8")
	case len(prompt) > s.opts.MaxSystemPrompt:
		return errtypes.Field("systemPrompt", "must be at most %d bytes", s.opts.MaxSystemPrompt)
	}
	return nil
}

func (s *service) checkSchema(raw json.RawMessage) (json.RawMessage, error) {
	return schema.Keep(raw, schema.Options{Field: "resultSchema", MaxSize: s.opts.MaxResultSchema})
}

// now is what a row can hold of the time.
func (s *service) now() time.Time { return storage.Time(storage.Millis(s.db.Clock().Now())) }

func (s *service) Get(ctx context.Context, id string) (a Agent, err error) {
	defer errtypes.Wrap(&err, "agents.Get(%q)", id)
	project, err := s.callers.Current(ctx)
	if err != nil {
		return Agent{}, err
	}
	err = s.db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		a, err = findAgent(ctx, q, project.ID, id)
		return err
	})
	return a, orNotFound(err, id)
}

func orNotFound(err error, id string) error {
	if errors.Is(err, storage.ErrNoRow) {
		return errtypes.New(errtypes.NotFound, "there is no agent %q", id)
	}
	return err
}

func (s *service) List(ctx context.Context, f Filter) (_ Page, err error) {
	defer errtypes.Wrap(&err, "agents.List")
	project, err := s.callers.Current(ctx)
	if err != nil {
		return Page{}, err
	}
	w, err := s.cursors.Window(keyset.Filter{StartAt: f.StartAt, EndAt: f.EndAt, Limit: f.Limit, Cursor: f.Cursor}, "agents", project.ID)
	if err != nil {
		return Page{}, err
	}
	page := Page{Limit: w.Limit}
	err = s.db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		rows, err := listAgents(ctx, q, project.ID, w)
		page.Agents, page.NextCursor = keyset.Cut(w, rows, Agent.position)
		return err
	})
	return page, err
}

// position is the agent's place in a list.
func (a Agent) position() keyset.Position {
	return keyset.Position{At: storage.Millis(a.CreatedAt), ID: a.ID}
}

func (s *service) All(ctx context.Context, f Filter) iter.Seq2[Agent, error] {
	return func(yield func(Agent, error) bool) {
		for {
			page, err := s.List(ctx, f)
			if err != nil {
				yield(Agent{}, err)
				return
			}
			for _, a := range page.Agents {
				if !yield(a, nil) {
					return
				}
			}
			if page.NextCursor == "" {
				return
			}
			f.Cursor = page.NextCursor
		}
	}
}

func (s *service) Update(ctx context.Context, id string, u Update) (a Agent, err error) {
	defer errtypes.Wrap(&err, "agents.Update(%q)", id)
	project, err := s.callers.Current(ctx)
	if err != nil {
		return Agent{}, err
	}
	if u, err = s.check(u); err != nil {
		return Agent{}, err
	}
	if u.Name == nil && u.SystemPrompt == nil && u.ResultSchema == nil {
		return s.Get(ctx, id)
	}
	err = s.db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		a, err = updateAgent(ctx, tx, project.ID, id, u, s.now())
		return err
	})
	return a, orNotFound(err, id)
}

func (s *service) check(u Update) (_ Update, err error) {
	if u.Name != nil {
		err = validateName(*u.Name)
	}
	if err == nil && u.SystemPrompt != nil {
		err = s.validatePrompt(*u.SystemPrompt)
	}
	if err == nil {
		u.ResultSchema, err = s.checkSchema(u.ResultSchema)
	}
	return u, err
}

func (s *service) Delete(ctx context.Context, id string) (err error) {
	defer errtypes.Wrap(&err, "agents.Delete(%q)", id)
	project, err := s.callers.Current(ctx)
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		return deleteAgent(ctx, tx, project.ID, id)
	})
}
