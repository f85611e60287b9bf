package joblog

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// The SQL of logs.

func insertLog(ctx context.Context, q storage.Querier, o Owner) error {
	_, err := q.Exec(ctx, `INSERT INTO job_logs (id, project_id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, o.ID(), o.ProjectID)
	return err
}

// takeLog makes a writer the one of a log, open again if it had ended.
func takeLog(ctx context.Context, q storage.Querier, o Owner, writer, instance string) (next, offset int64, err error) {
	err = q.QueryRow(ctx, `INSERT INTO job_logs (id, project_id, writer, instance_id) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET writer = excluded.writer, instance_id = excluded.instance_id, ended_at = NULL, sealed_at = NULL
		RETURNING next_seq, next_offset`, o.ID(), o.ProjectID, writer, instance).Scan(&next, &offset)
	return next, offset, err
}

// writing is what a writer has to know of the row.
type writing struct {
	nextSeq, nextOffset int64
	nextPart, headPart  int64
	lines, bytes        int64
}

// findWriting returns it for the writer of an open log; [storage.ErrNoRow] for
// any other.
func findWriting(ctx context.Context, q storage.Querier, id, writer string) (writing, error) {
	return scanWriting(q.QueryRow(ctx, `SELECT `+writingColumns+` FROM job_logs WHERE id = $1 AND writer = $2`, id, writer))
}

// findCounts returns it of a log that nobody writes.
func findCounts(ctx context.Context, q storage.Querier, id string) (writing, error) {
	return scanWriting(q.QueryRow(ctx, `SELECT `+writingColumns+` FROM job_logs WHERE id = $1`, id))
}

const writingColumns = `next_seq, next_offset, next_part, head_part, lines, bytes`

func scanWriting(s storage.Scanner) (w writing, err error) {
	err = s.Scan(&w.nextSeq, &w.nextOffset, &w.nextPart, &w.headPart, &w.lines, &w.bytes)
	return w, err
}

func updateWriting(ctx context.Context, q storage.Querier, id string, w writing) error {
	_, err := q.Exec(ctx, `UPDATE job_logs SET next_seq = $2, next_offset = $3, next_part = $4, head_part = $5, lines = $6, bytes = $7
		WHERE id = $1`, id, w.nextSeq, w.nextOffset, w.nextPart, w.headPart, w.lines, w.bytes)
	return err
}

func insertParts(ctx context.Context, q storage.Querier, id string, number int64, parts []part) error {
	for i, p := range parts {
		_, err := q.Exec(ctx, `INSERT INTO job_log_parts (log_id, part, last_seq, text_end, lines, bytes, data) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			id, number+int64(i), p.lastSeq(), p.nextOffset, p.lines, p.bytes, p.data)
		if err != nil {
			return err
		}
	}
	return nil
}

// keptPart is what a part counts for.
type keptPart struct{ lastSeq, lines, bytes int64 }

func oldestParts(ctx context.Context, q storage.Querier, id string, from int64, limit int) ([]keptPart, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (p keptPart, err error) {
		err = s.Scan(&p.lastSeq, &p.lines, &p.bytes)
		return p, err
	}, `SELECT last_seq, lines, bytes FROM job_log_parts WHERE log_id = $1 AND part >= $2 ORDER BY part LIMIT $3`, id, from, limit)
}

// deleteParts deletes those from a part on whose entries are at most the last.
func deleteParts(ctx context.Context, q storage.Querier, id string, from, last int64) error {
	_, err := q.Exec(ctx, `DELETE FROM job_log_parts WHERE log_id = $1 AND part >= $2 AND last_seq <= $3`, id, from, last)
	return err
}

// row is a log for its readers.
type row struct {
	nextSeq int64
	blob    string // empty for none
	blobSeq int64
	ended   bool
	sealed  bool
}

func findLog(ctx context.Context, q storage.Querier, id string) (r row, err error) {
	var blob sql.NullString
	err = q.QueryRow(ctx, `SELECT next_seq, blob_key, blob_seq, ended_at IS NOT NULL, sealed_at IS NOT NULL FROM job_logs WHERE id = $1`, id).
		Scan(&r.nextSeq, &blob, &r.blobSeq, &r.ended, &r.sealed)
	r.blob = blob.String
	return r, err
}

// partsFrom returns the data of parts with entries from a number on, oldest
// first.
func partsFrom(ctx context.Context, q storage.Querier, id string, seq int64, limit int) ([][]byte, error) {
	return storage.Collect(ctx, q, storage.Column[[]byte], `SELECT data FROM job_log_parts WHERE log_id = $1 AND last_seq >= $2 ORDER BY part LIMIT $3`, id, seq, limit)
}

// seqAt is the number from which on the parts have text behind an offset.
func seqAt(ctx context.Context, q storage.Querier, id string, offset int64) (int64, error) {
	return storage.Column[int64](q.QueryRow(ctx, `SELECT COALESCE(max(last_seq) + 1, 0) FROM job_log_parts WHERE log_id = $1 AND text_end <= $2`, id, offset))
}

// endLog ends a log; false when there is none that is open.
func endLog(ctx context.Context, q storage.Querier, id string, now time.Time) (bool, error) {
	n, err := q.Exec(ctx, `UPDATE job_logs SET ended_at = $2, writer = NULL WHERE id = $1 AND ended_at IS NULL`, id, storage.Millis(now))
	return n > 0, err
}

// endLogsOf ends those of an instance.
func endLogsOf(ctx context.Context, q storage.Querier, instance string, now time.Time) ([]string, error) {
	return storage.Collect(ctx, q, storage.Column[string], `UPDATE job_logs SET ended_at = $2, writer = NULL
		WHERE instance_id = $1 AND ended_at IS NULL RETURNING id`, instance, storage.Millis(now))
}

// unsealed returns logs that have ended, oldest first, behind some that are skipped.
func unsealed(ctx context.Context, q storage.Querier, skip, limit int) ([]string, error) {
	return storage.Collect(ctx, q, storage.Column[string], `SELECT id FROM job_logs
		WHERE ended_at IS NOT NULL AND sealed_at IS NULL ORDER BY ended_at, id LIMIT $1 OFFSET $2`, limit, skip)
}

// sealLog notes that a log is packed, and what is in the blob counts no more if
// the log goes on, unless it is not any more what was read of
// it: then it is false.
func sealLog(ctx context.Context, q storage.Querier, id string, was row, blob string, now time.Time) (bool, error) {
	n, err := q.Exec(ctx, `UPDATE job_logs SET sealed_at = $2, blob_key = $3, blob_seq = $4,
			lines = CASE WHEN $3 IS NULL THEN lines ELSE 0 END, bytes = CASE WHEN $3 IS NULL THEN bytes ELSE 0 END
		WHERE id = $1 AND ended_at IS NOT NULL AND sealed_at IS NULL AND next_seq = $5 AND COALESCE(blob_key, '') = $6`,
		id, storage.Millis(now), storage.Text(blob), blobSeq(was, blob), was.nextSeq, was.blob)
	return n > 0, err
}

func blobSeq(was row, blob string) int64 {
	if blob == "" {
		return 0
	}
	return was.nextSeq
}

// deleteLog deletes a log and returns its blob; [storage.ErrNoRow] if there is
// none.
func deleteLog(ctx context.Context, q storage.Querier, id string) (string, error) {
	if err := deleteAllParts(ctx, q, id); err != nil {
		return "", err
	}
	blob, err := storage.Column[sql.NullString](q.QueryRow(ctx, `DELETE FROM job_logs WHERE id = $1 RETURNING blob_key`, id))
	return blob.String, err
}

func deleteAllParts(ctx context.Context, q storage.Querier, id string) error {
	_, err := q.Exec(ctx, `DELETE FROM job_log_parts WHERE log_id = $1`, id)
	return err
}

// blobColumns are where logs name blobs.
var blobColumns = retention.Columns{"job_logs.blob_key"}

// orNoLog is nil for a log that is not there.
func orNoLog(err error) error {
	if errors.Is(err, storage.ErrNoRow) {
		return nil
	}
	return err
}
