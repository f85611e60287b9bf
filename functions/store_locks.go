package functions

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"

	"github.com/drover-go/drover/storage"
)

// insertLock keeps the lock file that a build has written for a program without one.
func insertLock(ctx context.Context, q storage.Querier, buildID string, lock []byte) error {
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	_, err := zipped.Write(lock)
	if err := errors.Join(err, zipped.Close()); err != nil {
		return err
	}
	_, err = q.Exec(ctx, `INSERT INTO function_locks (build_id, lock) VALUES ($1, $2)`, buildID, b.Bytes())
	return err
}

// findLock returns the lock file that a build has written; nil where it wrote none.
func findLock(ctx context.Context, q storage.Querier, buildID string) ([]byte, error) {
	var packed []byte
	err := q.QueryRow(ctx, `SELECT lock FROM function_locks WHERE build_id = $1`, buildID).Scan(&packed)
	if errors.Is(err, storage.ErrNoRow) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	zipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zipped)
}
