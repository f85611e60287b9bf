package downloads

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

const columns = `id, session_id, filename, mime_type, size, sha256, crc32, created_at`

// row is a download and what only this package knows of it.
type row struct {
	Download
	projectID string
	blob      string
}

func scanRow(s storage.Scanner) (r row, err error) {
	var sum []byte
	var crc, created int64
	err = s.Scan(&r.ID, &r.SessionID, &r.Filename, &r.MIMEType, &r.Size, &sum, &crc, &created, &r.projectID, &r.blob)
	copy(r.SHA256[:], sum)
	r.CRC32, r.CreatedAt = uint32(crc), storage.Time(created)
	return r, err
}

func scanDownload(s storage.Scanner) (Download, error) {
	r, err := scanRow(s)
	return r.Download, err
}

const selectRows = `SELECT ` + columns + `, project_id, blob FROM downloads`

func insertRow(ctx context.Context, q storage.Querier, r row) error {
	_, err := q.Exec(ctx, `INSERT INTO downloads (`+columns+`, project_id, blob) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		r.ID, r.SessionID, r.Filename, r.MIMEType, r.Size, r.SHA256[:], int64(r.CRC32), storage.Millis(r.CreatedAt), r.projectID, r.blob)
	return err
}

const findQuery = selectRows + ` WHERE id = $1 AND project_id = $2`

func findRow(ctx context.Context, q storage.Querier, projectID, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, findQuery, id, projectID))
}

const ofSessionQuery = selectRows + ` WHERE project_id = $1 AND session_id = $2 ORDER BY created_at, id`

func ofSession(ctx context.Context, q storage.Querier, projectID, sessionID string) ([]Download, error) {
	return storage.Collect(ctx, q, scanDownload, ofSessionQuery, projectID, sessionID)
}

// blobColumns are where downloads name their files.
var blobColumns = retention.Columns{"downloads.blob"}

const oldestQuery = `SELECT created_at FROM downloads WHERE created_at > 0 ORDER BY created_at LIMIT 1`

// oldest is when the oldest download of all was stored.
func oldest(ctx context.Context, q storage.Querier) (time.Time, error) {
	var created int64
	err := q.QueryRow(ctx, oldestQuery).Scan(&created)
	return storage.Time(created), err
}
