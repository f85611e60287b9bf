package storage

import (
	"testing"
)

// The sessions that had ended before use was added up count, too.
func TestUsageOfBeforeIsAddedUp(t *testing.T) {
	t.Parallel()
	pool, all := migratedBefore(t, "usage")
	const rows = `INSERT INTO projects VALUES ('p', 'u', 'p', 'p', 1), ('q', 'v', 'q', 'q', 1);
		INSERT INTO sessions (id, project_id, instance_id, endpoint, status, own, keep_alive, region, settings, proxy_bytes,
			created_at, updated_at, started_at, expires_at, ended_at) VALUES
			('1', 'p', 'i', '', 'COMPLETED', 0, 0, 'r', '{}', 10, 1, 1, 1000, 9, 61000),
			('2', 'p', 'i', '', 'ERROR',     0, 0, 'r', '{}', 5,  1, 1, 2000, 9, 3000),
			('3', 'p', 'i', '', 'ERROR',     0, 0, 'r', '{}', 0,  1, 1, NULL, 9, 3000),
			('4', 'p', 'i', '', 'ERROR',     0, 0, 'r', '{}', 0,  1, 1, 4000, 9, 3000),
			('5', 'p', 'i', '', 'RUNNING',   0, 0, 'r', '{}', 7,  1, 1, 2000, 9, NULL)`
	if _, err := pool.ExecContext(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	if err := migrate(t.Context(), pool, all); err != nil {
		t.Fatal(err)
	}
	var projects, ms, bytes int64
	err := pool.QueryRowContext(t.Context(), `SELECT count(*), sum(browser_ms), sum(proxy_bytes) FROM project_usage`).Scan(&projects, &ms, &bytes)
	if err != nil || projects != 1 || ms != 61_000 || bytes != 15 {
		t.Errorf("%d projects, %d ms, %d bytes, %v", projects, ms, bytes, err)
	}
}
