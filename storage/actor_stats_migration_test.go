package storage

import "testing"

// Runs of before are counted, and put in the order of their times.
func TestRunsOfBeforeAreCounted(t *testing.T) {
	t.Parallel()
	pool, all := migratedBefore(t, "actor_stats")
	const rows = `INSERT INTO projects (id, user_id, name, username, created_at) VALUES ('p', 'u', 'p', 'p', 1);
		INSERT INTO actors (id, project_id, name, name_key, details, created_at, modified_at) VALUES ('a', 'p', 'a', 'a', '{}', 1, 1), ('b', 'p', 'b', 'b', '{}', 1, 1);
		INSERT INTO actor_build_numbers VALUES ('a', 0, 1, 3), ('a', 0, 2, 1);
		INSERT INTO actor_runs (id, number, project_id, actor_id, job_kind, program_id, program, build_id, build_number, status, options, memory, origin, client_ip, user_agent, key_value_store, dataset, request_queue, created_at)
			SELECT 'r' || n, n, 'p', 'a', '', 'a', '', '', '', 'SUCCEEDED', '{}', 128, '', '', '', '', '', '', at
			FROM (SELECT 1 AS n, 1000 AS at UNION ALL SELECT 2, 3000 UNION ALL SELECT 3, 2000 UNION ALL SELECT 4, 4000)`
	if _, err := pool.ExecContext(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	if err := migrate(t.Context(), pool, all); err != nil {
		t.Fatal(err)
	}
	var times, counts string
	if err := pool.QueryRowContext(t.Context(), `SELECT group_concat(created_at) FROM (SELECT created_at FROM actor_runs ORDER BY number)`).Scan(&times); err != nil {
		t.Fatal(err)
	}
	err := pool.QueryRowContext(t.Context(), `SELECT group_concat(total_runs || ' ' || total_builds || ' ' || coalesce(last_run_at, '-')) FROM (SELECT * FROM actors ORDER BY id)`).Scan(&counts)
	if err != nil || times != "1000,3000,3000,4000" || counts != "4 4 4000,0 0 -" {
		t.Errorf("%s; %s; %v", times, counts, err)
	}
}
