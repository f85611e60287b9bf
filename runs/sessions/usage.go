package sessions

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// Usage is what all sessions of a project have used, ever.
type Usage struct {
	// BrowserTime is how long they ran, from StartedAt to EndedAt, or until now.
	BrowserTime time.Duration
	// ProxyBytes is what their proxies have carried, both ways.
	ProxyBytes int64
}

// Usage implements [Service].
func (s *service) Usage(ctx context.Context) (u Usage, err error) {
	defer errtypes.Wrap(&err, "sessions.Usage")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Usage{}, err
	}
	if err := s.settle(ctx); err != nil {
		return Usage{}, err
	}
	carried := s.carriedNow() // before: one that ends meanwhile is not found afterwards
	var open []row
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		if u, err = usedBy(ctx, q, project.ID); err == nil {
			open, err = runningOf(ctx, q, project.ID)
		}
		return err
	})
	now := s.now()
	for _, r := range open {
		u.BrowserTime += max(now.Sub(r.StartedAt), 0)
		u.ProxyBytes += max(carried[r.ID], s.carried(r))
	}
	return u, err
}

// carriedNow is what the proxies of this process's sessions have carried, by id.
func (s *service) carriedNow() map[string]int64 {
	s.mu.Lock()
	live := maps.Clone(s.live)
	s.mu.Unlock()
	all := map[string]int64{}
	for id, l := range live {
		if l != nil { // else it is just being created
			all[id] = l.bytes()
		}
	}
	return all
}

// usedBy is what the ended sessions of a project have used.
func usedBy(ctx context.Context, q storage.Querier, projectID string) (u Usage, err error) {
	var ms int64
	err = q.QueryRow(ctx, `SELECT browser_ms, proxy_bytes FROM project_usage WHERE project_id = $1`, projectID).Scan(&ms, &u.ProxyBytes)
	if errors.Is(err, storage.ErrNoRow) {
		err = nil
	}
	u.BrowserTime = time.Duration(ms) * time.Millisecond
	return u, err
}

func runningOf(ctx context.Context, q storage.Querier, projectID string) ([]row, error) {
	return storage.Collect(ctx, q, scanRow, `SELECT `+columns+` FROM sessions WHERE project_id = $1 AND status = $2`, projectID, Running)
}

// addUsage adds a session that has just ended to what its project has used: what
// stands there stays when the session is deleted.
func addUsage(ctx context.Context, q storage.Querier, r row) error {
	var ran time.Duration
	if !r.StartedAt.IsZero() {
		ran = max(r.EndedAt.Sub(r.StartedAt), 0)
	}
	_, err := q.Exec(ctx, `INSERT INTO project_usage (project_id, browser_ms, proxy_bytes) VALUES ($1, $2, $3)
		ON CONFLICT (project_id) DO UPDATE SET browser_ms = browser_ms + excluded.browser_ms, proxy_bytes = proxy_bytes + excluded.proxy_bytes`,
		r.ProjectID, ran.Milliseconds(), r.ProxyBytes)
	return err
}

// Limits implements [Service].
func (s *service) Limits() Limits { return s.conf.Limits }
