package certificates

import (
	"context"
	"crypto/x509"
	"time"

	"github.com/drover-go/drover/storage"
)

const columns = `id, project_id, kind, subject, fingerprint, count, not_before, not_after, created_at, updated_at, private_key`

// row is a certificate and what only this package knows of it.
type row struct {
	Certificate
	privateKey []byte // sealed; nil for none
}

func scanRow(s storage.Scanner) (r row, err error) {
	var before, after, created, updated int64
	err = s.Scan(&r.ID, &r.ProjectID, &r.Kind, &r.Subject, &r.Fingerprint, &r.Count, &before, &after, &created, &updated, &r.privateKey)
	r.NotBefore, r.NotAfter = time.Unix(before, 0).UTC(), time.Unix(after, 0).UTC()
	r.CreatedAt, r.UpdatedAt = storage.Time(created), storage.Time(updated)
	return r, err
}

func scanCertificate(s storage.Scanner) (Certificate, error) {
	r, err := scanRow(s)
	return r.Certificate, err
}

// insertRow adds a certificate while the project has fewer than most.
func insertRow(ctx context.Context, q storage.Querier, r row, most int) (fits bool, err error) {
	n, err := q.Exec(ctx, `INSERT INTO certificates (`+columns+`)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10 WHERE (SELECT count(*) FROM certificates WHERE project_id = $2) < $11`,
		r.ID, r.ProjectID, r.Kind, r.Subject, r.Fingerprint, r.Count, r.NotBefore.Unix(), r.NotAfter.Unix(),
		storage.Millis(r.CreatedAt), r.privateKey, most)
	return n > 0, err
}

func insertPart(ctx context.Context, q storage.Querier, id string, position int, der []byte) error {
	_, err := q.Exec(ctx, `INSERT INTO certificate_parts (certificate_id, position, der) VALUES ($1, $2, $3)`, id, position, der)
	return err
}

const findQuery = `SELECT ` + columns + ` FROM certificates WHERE id = $1 AND project_id = $2`

func findRow(ctx context.Context, q storage.Querier, projectID, id string) (row, error) {
	return scanRow(q.QueryRow(ctx, findQuery, id, projectID))
}

const listQuery = `SELECT ` + columns + ` FROM certificates WHERE project_id = $1 ORDER BY created_at DESC, id DESC`

func listRows(ctx context.Context, q storage.Querier, projectID string) ([]Certificate, error) {
	return storage.Collect(ctx, q, scanCertificate, listQuery, projectID)
}

const partsQuery = `SELECT der FROM certificate_parts WHERE certificate_id = $1 ORDER BY position`

func listParts(ctx context.Context, q storage.Querier, id string) ([]*x509.Certificate, error) {
	return storage.Collect(ctx, q, func(s storage.Scanner) (*x509.Certificate, error) {
		var der []byte
		if err := s.Scan(&der); err != nil {
			return nil, err
		}
		return x509.ParseCertificate(der)
	}, partsQuery, id)
}

func deleteRow(ctx context.Context, q storage.Querier, projectID, id string) (bool, error) {
	n, err := q.Exec(ctx, `DELETE FROM certificates WHERE id = $1 AND project_id = $2`, id, projectID)
	return n > 0, err
}
