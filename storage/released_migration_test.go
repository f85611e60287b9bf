package storage

import (
	"testing"
)

// Archives of builds whose versions had gone before that was noted are files that no
// row names.
func TestBuildsOfBeforeAreReleased(t *testing.T) {
	t.Parallel()
	pool, all := migratedBefore(t, "released")
	const rows = `INSERT INTO projects VALUES ('p', 'u', 'p', 'p', 1);
		INSERT INTO functions VALUES ('f', 'p', 'one', 'v', 1, 1);
		INSERT INTO function_versions (id, project_id, function_id, number, timeout_ms, fingerprint, created_at, updated_at, build_id)
			VALUES ('v', 'p', 'f', 1, 1, '', 1, 1, 'needed');
		INSERT INTO function_invocations (id, project_id, function_id, version_id, session_id, status, params, timeout_ms, request_hash, created_at, updated_at, program)
			VALUES ('i', 'p', 'f', 'w', 's', 'RUNNING', '{}', 1, '', 1, 1, 'used'), ('j', 'p', 'f', 'w', 's', 'COMPLETED', '{}', 1, '', 1, 1, 'gone');
		INSERT INTO builds (id, project_id, kind, status, request, source_blob, created_at, updated_at, expires_at, ended_at) VALUES
			('needed', 'p', 'function', 'SUCCEEDED', '{}', 'a', 1, 1, 9, 5), ('used', 'p', 'function', 'SUCCEEDED', '{}', 'b', 1, 1, 9, 5),
			('gone', 'p', 'function', 'SUCCEEDED', '{}', 'c', 1, 1, 9, 5), ('running', 'p', 'function', 'RUNNING', '{}', 'd', 1, 1, 9, NULL),
			('other', 'p', 'another', 'SUCCEEDED', '{}', 'e', 1, 1, 9, 5)`
	if _, err := pool.ExecContext(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	if err := migrate(t.Context(), pool, all); err != nil {
		t.Fatal(err)
	}
	var ids, sources string
	err := pool.QueryRowContext(t.Context(), `SELECT group_concat(id) FILTER (WHERE released_at = ended_at), group_concat(source_blob, '' ORDER BY source_blob) FROM builds`).Scan(&ids, &sources)
	if err != nil || ids != "gone" || sources != "abde" {
		t.Errorf("released %q, sources %q, %v", ids, sources, err)
	}
}
