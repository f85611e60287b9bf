package runs

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// Launch is a run that is about to be made: all is checked, and nothing of it is in the
// database. It makes one run, or none.
type Launch struct {
	service *service
	row     row
}

// Write makes the run with its job.
func (l *Launch) Write(ctx context.Context, tx *storage.Tx) (Run, error) {
	r := l.row
	r.CreatedAt = l.service.now()
	r.UpdatedAt = r.CreatedAt
	return r.Run, l.service.insert(ctx, tx, r)
}

func (s *service) PrepareCreate(ctx context.Context, c Create) (_ *Launch, err error) {
	defer errtypes.Wrap(&err, "runs.PrepareCreate")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	r, err := s.build(ctx, project, c)
	if err != nil {
		return nil, err
	}
	if len(r.variables) > 0 || r.settings.Secret {
		return nil, errtypes.Field("variables", "and passwords of proxies are never stored: a run that is made later has none")
	}
	return &Launch{s, r}, nil
}

func (s *service) Unfinished(ctx context.Context, q storage.Querier, runs []string) ([]string, error) {
	return storage.Collect(ctx, q, storage.Column[string], `SELECT id FROM agent_runs
		WHERE id IN (SELECT value FROM json_each($1)) AND status IN ('PENDING', 'RUNNING')`, storage.List(runs))
}
