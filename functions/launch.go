package functions

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// Launch is an invocation that is about to be made: all is checked, and nothing of it is in
// the database. It makes one invocation, or none.
type Launch struct {
	service  *service
	invoking invoking
}

// Write makes the invocation with its log and its job. Error kind NotFound for a version that
// went meanwhile, before anything is written.
func (l *Launch) Write(ctx context.Context, tx *storage.Tx) (Invocation, error) {
	b := l.invoking
	b.CreatedAt = l.service.now()
	b.UpdatedAt = b.CreatedAt
	return b.Invocation, l.service.write(ctx, tx, b)
}

func (s *service) PrepareInvoke(ctx context.Context, function string, in Invoke) (_ *Launch, err error) {
	defer errtypes.Wrap(&err, "functions.PrepareInvoke(%q)", function)
	if err := s.closing.err(); err != nil {
		return nil, err
	}
	if in.IdempotencyKey != "" {
		return nil, errtypes.Field("idempotencyKey", "cannot be of an invocation that is made later")
	}
	v, _, err := s.target(ctx, function, in)
	if err != nil {
		return nil, err
	}
	b, err := s.prepare(ctx, v, in)
	if err != nil {
		return nil, err
	}
	if b.secret {
		return nil, errtypes.Field(sessionField, "has a password, which is never stored: an invocation that is made later has none")
	}
	return &Launch{s, b}, nil
}

func (s *service) Unfinished(ctx context.Context, q storage.Querier, invocations []string) ([]string, error) {
	return storage.Collect(ctx, q, storage.Column[string], `SELECT id FROM function_invocations
		WHERE id IN (SELECT value FROM json_each($1)) AND status IN ('PENDING', 'RUNNING')`, storage.List(invocations))
}
