package runs

import (
	"cmp"
	"context"
	"iter"
	"math"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/storage"
)

// Limits of the specification.
const (
	defaultMessages = 20
	maxMessages     = 100
)

func (s *service) ListMessages(ctx context.Context, id string, f MessageFilter) (page MessagePage, err error) {
	defer errtypes.Wrap(&err, "runs.ListMessages(%q)", id)
	limit, err := f.limit()
	if err != nil {
		return MessagePage{}, err
	}
	_, page.Messages, err = s.since(ctx, id, f.Since, limit)
	if err != nil {
		return MessagePage{}, err
	}
	page.NextSince = f.Since
	if n := len(page.Messages); n > 0 {
		page.NextSince = page.Messages[n-1].ID
	}
	return page, nil
}

// limit is not even looked at when everything is asked for (DECISIONS 14).
func (f MessageFilter) limit() (int, error) {
	if f.All {
		return math.MaxInt32, nil
	}
	limit := cmp.Or(f.Limit, defaultMessages)
	if limit < 1 || limit > maxMessages {
		return 0, errtypes.Field("limit", "must be 1 to %d", maxMessages)
	}
	return limit, nil
}

// since reads a run and its messages behind one, of the same moment.
func (s *service) since(ctx context.Context, id, since string, limit int) (r Run, all []Message, err error) {
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Run{}, nil, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		if r, err = findRun(ctx, q, project.ID, id); err != nil {
			return err
		}
		if err = checkSince(ctx, q, id, since); err != nil {
			return err
		}
		all, err = listMessages(ctx, q, id, since, limit)
		return err
	})
	return r, all, orNotFound(err, id)
}

func checkSince(ctx context.Context, q storage.Querier, runID, since string) error {
	if since == "" {
		return nil
	}
	exists, err := messageExists(ctx, q, runID, since)
	if err == nil && !exists {
		err = errtypes.Field("since", "is no message of this run")
	}
	return err
}

// messageBatch is how many messages a stream reads at a time.
const messageBatch = 100

func (s *service) Messages(ctx context.Context, id string) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		changes := s.conf.Notify.Subscribe(topic(id))
		defer changes.Close()
		since := ""
		for {
			r, batch, err := s.since(ctx, id, since, messageBatch)
			if err != nil {
				errtypes.Wrap(&err, "runs.Messages(%q)", id)
				yield(Message{}, err)
				return
			}
			for _, m := range batch {
				if !yield(m, nil) {
					return
				}
				since = m.ID
			}
			switch {
			case len(batch) == messageBatch:
				continue
			case r.Status.Final():
				return
			}
			if err := s.pause(ctx, changes.C()); err != nil {
				yield(Message{}, err)
				return
			}
		}
	}
}

// pause returns when something may have changed; its error says why nothing
// will be told any more.
func (s *service) pause(ctx context.Context, changed <-chan struct{}) error {
	select {
	case <-changed:
		return nil
	case <-s.conf.Notify.Done():
		return errClosing
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write stores a message of a running run and tells who follows it.
func (s *service) write(ctx context.Context, runID string, content model.Message) error {
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		s.changed(tx, runID)
		return insertMessage(ctx, tx, runID, Message{ID: ids.New(), CreatedAt: s.now(), Message: content})
	})
}
