package webhooks

import (
	"cmp"
	"context"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// maxList is the most of a list by offset.
const maxList = 1000

func (f Filter) withDefaults() (Filter, error) {
	f.Limit = cmp.Or(f.Limit, maxList)
	if f.Offset < 0 {
		return f, errtypes.Field("offset", "must not be negative")
	}
	if f.Limit < 1 || f.Limit > maxList {
		return f, errtypes.Field("limit", "must be 1 to %d", maxList)
	}
	return f, nil
}

func (s *service) List(ctx context.Context, f Filter) (l List[Webhook], err error) {
	defer errtypes.Wrap(&err, "webhooks.List")
	if f, err = f.withDefaults(); err != nil {
		return l, err
	}
	return projects.Read(ctx, s.conf.Callers, s.conf.DB, func(ctx context.Context, q storage.Querier, projectID string) (List[Webhook], error) {
		return listWebhooks(ctx, q, projectID, f)
	})
}

func (s *service) Page(ctx context.Context, f PageFilter) (p Page, err error) {
	defer errtypes.Wrap(&err, "webhooks.Page")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return p, err
	}
	w, err := s.cursors.Window(keyset.Filter{Limit: f.Limit, Cursor: f.Cursor}, "webhooks", project.ID)
	if err != nil {
		return p, err
	}
	p.Limit = w.Limit
	return p, s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		rows, err := pageWebhooks(ctx, q, project.ID, w)
		p.Webhooks, p.NextCursor = keyset.Cut(w, rows, func(w Webhook) keyset.Position {
			return keyset.Position{At: w.CreatedAt.UnixMilli(), ID: w.ID}
		})
		return err
	})
}

func (s *service) Dispatches(ctx context.Context, f Filter) (l List[Dispatch], err error) {
	defer errtypes.Wrap(&err, "webhooks.Dispatches")
	if f, err = f.withDefaults(); err != nil {
		return l, err
	}
	return projects.Read(ctx, s.conf.Callers, s.conf.DB, func(ctx context.Context, q storage.Querier, projectID string) (List[Dispatch], error) {
		if f.Webhook != "" {
			if _, err := find(ctx, q, projectID, f.Webhook); err != nil {
				return l, orNotFound(err, f.Webhook)
			}
		}
		l, err := listDispatches(ctx, q, projectID, f)
		if err != nil {
			return l, err
		}
		return l, s.complete(ctx, q, projectID, l.Items)
	})
}

// complete reads the attempts and the webhooks of dispatches.
func (s *service) complete(ctx context.Context, q storage.Querier, projectID string, all []Dispatch) (err error) {
	hooks := map[string]Webhook{}
	for i := range all {
		d := &all[i]
		w, known := hooks[d.WebhookID]
		if !known {
			if w, err = find(ctx, q, projectID, d.WebhookID); err != nil {
				return err
			}
			hooks[w.ID] = w
		}
		d.Webhook = w
		if d.Attempts, err = attemptsOf(ctx, q, d.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *service) Dispatch(ctx context.Context, id string) (d Dispatch, err error) {
	defer errtypes.Wrap(&err, "webhooks.Dispatch(%q)", id)
	return projects.Read(ctx, s.conf.Callers, s.conf.DB, func(ctx context.Context, q storage.Querier, projectID string) (Dispatch, error) {
		return s.dispatch(ctx, q, projectID, id)
	})
}

func (s *service) dispatch(ctx context.Context, q storage.Querier, projectID, id string) (Dispatch, error) {
	r, err := findDispatch(ctx, q, projectID, id)
	if errors.Is(err, storage.ErrNoRow) {
		return Dispatch{}, errtypes.New(errtypes.NotFound, "there is no dispatch %q", id)
	}
	if err != nil {
		return Dispatch{}, err
	}
	one := []Dispatch{r.Dispatch}
	err = s.complete(ctx, q, projectID, one)
	return one[0], err
}
