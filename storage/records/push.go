package records

import (
	"bytes"
	"context"
	"errors"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

func (s *service) Push(ctx context.Context, dataset string, items []byte) (err error) {
	defer errtypes.Wrap(&err, "records.Push(%q)", dataset)
	ctx, leave, err := s.calls.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	r, err := s.ref(ctx, Dataset, dataset)
	if err != nil {
		return err
	}
	if size := int64(len(items)); size > s.conf.Limits.MaxPush {
		return errtypes.OfType(errtypes.TypeRequestTooLarge, "the items are %d bytes long; the limit is %d bytes", size, s.conf.Limits.MaxPush)
	}
	st, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (row, error) { return findStore(ctx, q, r) })
	if err != nil {
		return err
	}
	b, err := s.batch(ctx, st, items)
	if err == nil {
		err = s.write(ctx, r, b)
	}
	if err != nil && !b.committing {
		s.dropBlobs(ctx, b.blobs()...)
	}
	return err
}

// chunk are items that lie together, a line each.
type chunk struct {
	items, bytes int64
	data, blob   string
}

// batch is what one push brings.
type batch struct {
	chunks []chunk
	open   []byte // the chunk that grows
	lines  int64  // in open

	items, bytes, clean int64
	fields              *fields
	checker             *checker
	committing          bool
}

// blobs are those of the chunks, which nothing names yet.
func (b *batch) blobs() (keys []string) {
	for _, c := range b.chunks {
		keys = append(keys, c.blob)
	}
	return keys
}

// batch reads the items. The batch that it returns beside an error may have blobs.
func (s *service) batch(ctx context.Context, st row, raw []byte) (*batch, error) {
	b := &batch{fields: newFields(st, s.known)}
	var err error
	if b.checker, err = s.checker(st); err != nil {
		return b, err
	}
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\ufffd"))
	}
	if err := rawjson.Split(raw, func(item []byte) error { return s.addItem(ctx, b, item) }); err != nil {
		return b, asInvalid(err)
	}
	b.flush()
	return b, b.checker.result()
}

// asInvalid says what is wrong with a text.
func asInvalid(err error) error {
	if errors.Is(err, rawjson.ErrSyntax) || errors.Is(err, rawjson.ErrDepth) {
		return errtypes.OfType(errtypes.TypeInvalidInput, "the items are not valid JSON: %s", err)
	}
	return err
}

// addItem takes an item, also one that is the text of a string.
func (s *service) addItem(ctx context.Context, b *batch, item []byte) error {
	if item[0] == '"' {
		inner, err := rawjson.Compact(nil, []byte(rawjson.Text(item)))
		if err != nil {
			return notObject(b.items)
		}
		item = inner
	}
	if item[0] != '{' {
		return notObject(b.items)
	}
	if err := b.checker.check(int(b.items), item); err != nil {
		return err
	}
	b.items++
	if b.fields.of(item) {
		b.clean++
	}
	size := int64(len(item)) + 1
	b.bytes += size
	if size > inRow {
		return s.addLarge(ctx, b, item)
	}
	if int64(len(b.open))+size > inRow {
		b.flush()
	}
	b.open = append(append(b.open, item...), '\n')
	b.lines++
	return nil
}

func notObject(position int64) error {
	return errtypes.OfType(errtypes.TypeInvalidInput, "items must be objects: that at position %d is none", position)
}

// addLarge writes an item that is too large for a row.
func (s *service) addLarge(ctx context.Context, b *batch, item []byte) error {
	b.flush()
	info, err := s.conf.Blobs.Put(ctx, bytes.NewReader(item), 0)
	if err == nil {
		b.chunks = append(b.chunks, chunk{items: 1, bytes: info.Size, blob: info.Key})
	}
	return err
}

// flush ends the chunk that grows.
func (b *batch) flush() {
	if b.lines > 0 {
		b.chunks = append(b.chunks, chunk{items: b.lines, bytes: int64(len(b.open)), data: string(b.open)})
	}
	b.open, b.lines = b.open[:0], 0
}

// write appends the batch. The row of the dataset gives its items their places, so
// that those who push at the same time leave no gaps.
func (s *service) write(ctx context.Context, r ref, b *batch) error {
	var id string
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		st, err := touchStore(ctx, tx, r, change{writes: b.items, bytes: b.bytes, items: b.items, clean: b.clean, modified: b.items > 0}, s.now())
		if err != nil {
			return err
		}
		if err := appendChunks(ctx, tx, st.number, st.Items-b.items, b.chunks); err != nil {
			return err
		}
		id, b.committing = st.ID, true
		return b.fields.write(ctx, tx, st.number)
	})
	if err == nil {
		s.known.remember(id, b.fields.fresh)
	}
	return err
}

func (s *service) Statistics(ctx context.Context, dataset string) (_ map[string]FieldStatistics, err error) {
	defer errtypes.Wrap(&err, "records.Statistics(%q)", dataset)
	r, err := s.ref(ctx, Dataset, dataset)
	if err != nil {
		return nil, err
	}
	return storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (map[string]FieldStatistics, error) {
		st, err := findStore(ctx, q, r)
		if err != nil || schemaOf(st.Schema).Fields == nil {
			return map[string]FieldStatistics{}, err
		}
		return fieldStatistics(ctx, q, st.number)
	})
}
