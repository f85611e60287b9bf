package records

import (
	"context"
	"encoding/json"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func (s *service) PutRecord(ctx context.Context, store string, n NewRecord) (_ Record, err error) {
	defer errtypes.Wrap(&err, "records.PutRecord(%q, %q)", store, n.Key)
	ctx, leave, err := s.calls.Enter(ctx)
	if err != nil {
		return Record{}, err
	}
	defer leave()
	r, err := s.ref(ctx, KeyValueStore, store)
	if err != nil {
		return Record{}, err
	}
	if n, err = n.checked(); err != nil {
		return Record{}, err
	}
	schemas, err := s.admit(ctx, r, n)
	if err != nil {
		return Record{}, err
	}
	rec, c, err := s.keepRecord(ctx, n)
	if err == nil {
		err = s.matches(ctx, schemas, rec, c)
	}
	if err != nil {
		s.dropBlobs(ctx, c.blob)
		return Record{}, err
	}
	return rec, s.writeRecord(ctx, r, rec, c)
}

// admit looks for the store before anything is read, and what its schema says of
// the key; it returns the JSON Schemas that the content has to match.
func (s *service) admit(ctx context.Context, r ref, n NewRecord) ([]json.RawMessage, error) {
	st, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (row, error) {
		return findStore(ctx, q, r)
	})
	if err != nil {
		return nil, err
	}
	all := collectionsOf(st.Schema)
	return all.schemas(n.Key), all.admit(n)
}

// keepRecord reads the content. The content that it returns beside an error may
// have a blob.
func (s *service) keepRecord(ctx context.Context, n NewRecord) (Record, content, error) {
	limit := s.conf.Limits.MaxRecord
	tooLarge := func() error {
		return errtypes.OfType(errtypes.TypeRecordTooLarge, "Record is too large: the limit is %d bytes", limit)
	}
	c, err := s.keepContent(ctx, n.Content, limit, tooLarge)
	if err != nil {
		return Record{}, c, err
	}
	rec := Record{
		Key: n.Key, ContentType: n.ContentType, Coding: n.Coding, Size: c.size, Stored: c.size, ModifiedAt: storage.Time(s.now()),
	}
	if c.size == 0 {
		rec.Coding = "" // there is nothing to undo
	}
	if rec.Coding != "" {
		rec.Size, err = s.measure(ctx, c, rec.Coding, limit, tooLarge)
	}
	return rec, c, err
}

// writeRecord writes the row in place of the one before. Where a commit has
// failed nobody knows whether the row is there, and the blob is left to the sweep.
func (s *service) writeRecord(ctx context.Context, r ref, rec Record, c content) error {
	var replaced string
	committing := false
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		st, err := touchStore(ctx, tx, r, change{writes: 1, modified: true}, s.now())
		if err != nil {
			return err
		}
		before, err := deleteValue(ctx, tx, st.number, rec.Key)
		if err != nil {
			return err
		}
		if err := insertValue(ctx, tx, st.number, rec, c); err != nil {
			return err
		}
		replaced, committing = before.blob, true
		return addTo(ctx, tx, st.number, change{items: 1 - before.rows, bytes: rec.Stored - before.bytes}, s.now())
	})
	switch {
	case err == nil:
		s.dropBlobs(ctx, replaced)
	case !committing:
		s.dropBlobs(ctx, c.blob)
	}
	return err
}

func (s *service) DeleteRecord(ctx context.Context, store, key string) (err error) {
	defer errtypes.Wrap(&err, "records.DeleteRecord(%q, %q)", store, key)
	r, err := s.ref(ctx, KeyValueStore, store)
	if err != nil {
		return err
	}
	if err := CheckKey(key); err != nil {
		return err
	}
	var gone deleted
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		st, err := touchStore(ctx, tx, r, change{deletes: 1, modified: true}, s.now())
		if err != nil {
			return err
		}
		if gone, err = deleteValue(ctx, tx, st.number, key); err != nil || gone.rows == 0 {
			return err
		}
		return addTo(ctx, tx, st.number, change{items: -1, bytes: -gone.bytes}, s.now())
	})
	if err == nil {
		s.dropBlobs(ctx, gone.blob)
	}
	return err
}

func (s *service) Keys(ctx context.Context, store string, q KeysQuery) (page KeysPage, err error) {
	defer errtypes.Wrap(&err, "records.Keys(%q)", store)
	r, err := s.ref(ctx, KeyValueStore, store)
	if err != nil {
		return KeysPage{}, err
	}
	if q.Limit < 0 {
		return KeysPage{}, errtypes.Field("limit", "must not be below 0")
	}
	if q.Limit = min(q.Limit, maxPage); q.Limit == 0 {
		q.Limit = maxPage
	}
	page = KeysPage{KeysQuery: q}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, read storage.Querier) error {
		st, err := findStore(ctx, read, r)
		if err != nil {
			return err
		}
		span, err := collectionsOf(st.Schema).span(q)
		if err != nil {
			return err
		}
		s.use.listed(st.ID)
		page.Store = s.complete(st.Store, r.project)
		page.Records, err = listValues(ctx, read, st.number, span, q.Limit+1)
		return err
	})
	if err == nil && len(page.Records) > q.Limit {
		page.Records = page.Records[:q.Limit]
		page.Next = page.Records[q.Limit-1].Key
	}
	return page, err
}
