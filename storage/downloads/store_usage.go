package downloads

import (
	"context"
	"errors"

	"github.com/drover-go/drover/storage"
)

// usage is what downloads come to.
type usage struct{ files, bytes int64 }

const usageQuery = `SELECT files, bytes FROM download_usage WHERE project_id = $1`

func findUsage(ctx context.Context, q storage.Querier, projectID string) (u usage, err error) {
	err = q.QueryRow(ctx, usageQuery, projectID).Scan(&u.files, &u.bytes)
	if errors.Is(err, storage.ErrNoRow) {
		err = nil
	}
	return u, err
}

// claim counts a file of that size if it stays within the limits, and reports
// whether it does. It is one UPDATE, so that those who store at the same time
// do not overrun the limits together.
func claim(ctx context.Context, q storage.Querier, projectID string, size int64, l Limits) (bool, error) {
	_, err := q.Exec(ctx, `INSERT INTO download_usage (project_id, files, bytes) VALUES ($1, 0, 0) ON CONFLICT (project_id) DO NOTHING`, projectID)
	if err != nil {
		return false, err
	}
	n, err := q.Exec(ctx, `UPDATE download_usage SET files = files + 1, bytes = bytes + $2
		WHERE project_id = $1 AND bytes <= $3 - $2 AND files < $4`, projectID, size, l.MaxBytes, l.MaxFiles)
	return n == 1, err
}

// The ways to delete. Each names what is gone.
const (
	returning      = ` RETURNING project_id, size, blob`
	deleteOne      = `DELETE FROM downloads WHERE id = $1 AND project_id = $2` + returning
	deleteOfQuery  = `DELETE FROM downloads WHERE id IN (SELECT id FROM downloads WHERE project_id = $1 AND session_id = $2 LIMIT $3)` + returning
	deleteOldQuery = `DELETE FROM downloads WHERE id IN (SELECT id FROM downloads WHERE created_at <= $1 ORDER BY created_at, id LIMIT $2)` + returning
)

// remove deletes rows, gives back what they took and returns their blobs,
// which are to be deleted after the commit.
func remove(ctx context.Context, q storage.Querier, query string, args ...any) (blobs []string, err error) {
	given := map[string]usage{}
	scan := func(s storage.Scanner) (blob string, err error) {
		var project string
		var size int64
		err = s.Scan(&project, &size, &blob)
		u := given[project]
		given[project] = usage{u.files + 1, u.bytes + size}
		return blob, err
	}
	if blobs, err = storage.Collect(ctx, q, scan, query, args...); err != nil {
		return nil, err
	}
	for project, u := range given {
		_, err = q.Exec(ctx, `UPDATE download_usage SET files = files - $2, bytes = bytes - $3 WHERE project_id = $1`, project, u.files, u.bytes)
		if err != nil {
			return nil, err
		}
	}
	return blobs, nil
}
