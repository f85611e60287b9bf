package runs

import (
	"cmp"
	"context"
	"iter"
	"math"

	"github.com/drover-go/drover/errtypes"
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

// messageBatch is how many messages a stream reads at a time, and so how many are
// in memory while its reader takes its time.
const messageBatch = 20

func (s *service) Messages(ctx context.Context, id string) iter.Seq2[Message, error] {
	return s.MessagesSince(ctx, id, "")
}

func (s *service) MessagesSince(ctx context.Context, id, since string) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		since := since // each iteration begins anew
		err := s.executor.Follow(ctx, id, func() (done bool, err error) {
			for {
				r, batch, err := s.since(ctx, id, since, messageBatch)
				if err != nil {
					errtypes.Wrap(&err, "runs.Messages(%q)", id)
					return false, err
				}
				for _, m := range batch {
					if !yield(m, nil) {
						return true, nil
					}
					since = m.ID
				}
				if len(batch) < messageBatch {
					return r.Status.Final(), nil
				}
			}
		})
		if err != nil {
			yield(Message{}, err)
		}
	}
}
