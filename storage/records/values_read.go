package records

import (
	"context"
	"errors"
	"io"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func (s *service) HeadRecord(ctx context.Context, store, key string) (_ Record, err error) {
	defer errtypes.Wrap(&err, "records.HeadRecord(%q, %q)", store, key)
	rec, _, err := s.findRecord(ctx, store, key)
	return rec, err
}

// findRecord counts the read, also of a key that is not there.
func (s *service) findRecord(ctx context.Context, store, key string) (rec Record, c content, err error) {
	r, err := s.ref(ctx, KeyValueStore, store)
	if err != nil {
		return Record{}, content{}, err
	}
	if err := CheckKey(key); err != nil {
		return Record{}, content{}, err
	}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		st, err := findStore(ctx, q, r)
		if err != nil {
			return err
		}
		s.use.read(st.ID, 1)
		rec, c, err = findValue(ctx, q, st.number, key)
		return err
	})
	if errors.Is(err, storage.ErrNoRow) {
		err = noRecord(key)
	}
	return rec, c, err
}

func noRecord(key string) error {
	return errtypes.OfType(errtypes.TypeRecordNotFound, "Record %q was not found", key)
}

// replacements is how often a record may be put anew while it is being opened.
const replacements = 20

func (s *service) OpenRecord(ctx context.Context, store, key string, codings ...string) (_ io.ReadCloser, _ Record, err error) {
	defer errtypes.Wrap(&err, "records.OpenRecord(%q, %q)", store, key)
	for range replacements {
		rec, c, err := s.findRecord(ctx, store, key)
		if err != nil {
			return nil, Record{}, err
		}
		r, err := s.open(ctx, c)
		if errtypes.Is(err, errtypes.NotFound) { // it was replaced or deleted just now
			continue
		}
		if err != nil {
			return nil, Record{}, err
		}
		if !rec.takes(codings) {
			r, rec.Coding = &decoded{coding: rec.Coding, kept: r}, ""
		}
		return r, rec, nil
	}
	return nil, Record{}, noRecord(key)
}
