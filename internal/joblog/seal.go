package joblog

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// sealLeft seals logs that have ended and were not sealed by who ended them. One
// that cannot be sealed keeps none of the others from it.
func (s *Logs) sealLeft(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "joblog: seal")
	const batch = 100
	var failed []error
	for n := batch; n == batch; {
		ids, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) ([]string, error) {
			return unsealed(ctx, q, len(failed), batch)
		})
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.seal(ctx, id); err != nil {
				failed = append(failed, fmt.Errorf("log %q: %w", id, err))
			}
			if ctx.Err() != nil {
				return errors.Join(failed...)
			}
		}
		n = len(ids)
	}
	return errors.Join(failed...)
}

// seal packs a log that has ended into a blob, or into one row where it is
// small. One that was opened anew stays as it is.
func (s *Logs) seal(ctx context.Context, id string) error {
	known, data, err := s.rowsOf(ctx, id)
	if err != nil || !known.ended || known.sealed {
		return orNoLog(err)
	}
	var key string
	if known.blob != "" && len(data) == 0 {
		key = known.blob
	} else if known.blob != "" || len(data) > maxPart {
		if key, err = s.putBlob(ctx, id, known, data); err != nil {
			return err
		}
	}
	done := false
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		if done, err = sealLog(ctx, tx, id, known, key, s.conf.Clock.Now()); err != nil || !done {
			return err
		}
		tx.AfterCommit(func() { s.forgetBounds(id) })
		return repack(ctx, tx, id, key, known, data)
	})
	switch {
	case err != nil: // nobody knows whether it is named: it is left to the sweep
		return err
	case !done && key != known.blob:
		s.dropBlob(ctx, key)
	case done && key != known.blob:
		s.dropBlob(ctx, known.blob)
	}
	return nil
}

// rowsOf reads all of a log that lies in rows.
func (s *Logs) rowsOf(ctx context.Context, id string) (known row, data []byte, err error) {
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		if known, err = findLog(ctx, q, id); err != nil || !known.ended || known.sealed {
			return err
		}
		const all = 1 << 30
		parts, err := partsFrom(ctx, q, id, known.blobSeq, all)
		data = bytes.Join(parts, nil)
		return err
	})
	return known, data, err
}

// repack deletes the parts of a log that is in a blob now, or makes one of them.
func repack(ctx context.Context, tx *storage.Tx, id, key string, known row, data []byte) error {
	if err := deleteAllParts(ctx, tx, id); err != nil || key != "" || len(data) == 0 {
		return err
	}
	w, err := findCounts(ctx, tx, id)
	if err != nil {
		return err
	}
	return insertParts(ctx, tx, id, w.nextPart-1, []part{{w.nextSeq, w.nextOffset, w.lines, w.bytes, data}})
}
