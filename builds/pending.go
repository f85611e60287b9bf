package builds

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// roomFor returns an error of kind RateLimited where too many builds of a kind wait in
// a project.
func (s *service) roomFor(ctx context.Context, q storage.Querier, projectID string, kind Kind) error {
	waiting, err := countPending(ctx, q, projectID, kind, s.conf.Limits.MaxPending)
	if err == nil && waiting >= s.conf.Limits.MaxPending {
		err = errtypes.New(errtypes.RateLimited, "%d builds wait already", waiting)
	}
	return err
}

// countPending counts no further than to a limit.
func countPending(ctx context.Context, q storage.Querier, projectID string, kind Kind, limit int) (n int, err error) {
	err = q.QueryRow(ctx, `SELECT count(*) FROM (SELECT 1 FROM builds WHERE project_id = $1 AND kind = $2 AND status = 'PENDING' LIMIT $3) waiting`,
		projectID, string(kind), limit).Scan(&n)
	return n, err
}
