package records

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/records/internal/items"
)

// NoLimit is the limit of a query without one.
const NoLimit = 999_999_999_999

// Items are items of a dataset that were asked for. Those that are pushed later
// do not belong to them.
type Items struct {
	// Total is how many items the dataset has.
	Total int64
	// Offset, Limit and Desc are those of the query; Limit is [NoLimit] without one.
	Offset, Limit int64
	Desc          bool
	// Count is how many items the page has, those included that the query skips.
	Count int64

	s         *service
	store     Store
	number    int64
	transform items.Transform
}

func (s *service) Items(ctx context.Context, dataset string, q ItemsQuery) (_ *Items, err error) {
	defer errtypes.Wrap(&err, "records.Items(%q)", dataset)
	r, err := s.ref(ctx, Dataset, dataset)
	if err != nil {
		return nil, err
	}
	st, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (row, error) { return findStore(ctx, q, r) })
	if err != nil {
		return nil, err
	}
	if q, err = q.with(schemaOf(st.Schema).Views); err != nil {
		return nil, err
	}
	it := &Items{
		Total: st.Items, Offset: q.Offset, Limit: cmp.Or(q.Limit, NoLimit), Desc: q.Desc,
		s: s, store: st.Store, number: st.number, transform: q.transform(),
	}
	it.Count = max(0, min(it.Limit, it.Total-it.Offset))
	s.use.listed(st.ID)
	s.use.read(st.ID, it.Count)
	return it, nil
}

// All yields the records as JSON, and at most one error, with which it ends. The
// error is of kind NotFound if the dataset was deleted meanwhile.
func (it *Items) All(ctx context.Context) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		t := it.transform
		t.Prepare()
		err := it.items(ctx, func(item []byte) error {
			if t.Nothing() {
				return orStop(yield(bytes.Clone(item), nil))
			}
			return t.Each(item, func(record []items.Field) error { return orStop(yield(items.AppendRecord(nil, record), nil)) })
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(nil, err)
		}
	}
}

// errStop ends what nobody reads on.
var errStop = errors.New("records: nobody reads on")

func orStop(more bool) error {
	if more {
		return nil
	}
	return errStop
}

// Write writes the records as a document. What is wrong with the request is found
// before anything is written. Error kinds: Invalid, with the type
// [errtypes.TypeNoColumnsInExportedDataset] for a table of records without fields;
// NotFound if the dataset was deleted meanwhile; and whatever w fails with.
func (it *Items) Write(ctx context.Context, w io.Writer, o Output) (err error) {
	defer errtypes.Wrap(&err, "records.Items.Write(%q)", o.Format)
	o = it.defaults(o)
	if err := o.check(); err != nil {
		return err
	}
	if o.Format == XLSX && it.Count >= items.MaxRows {
		return tooManyRows()
	}
	d := items.Document{
		Format: string(o.Format), Transform: it.transform, BOM: *o.BOM, Delimiter: o.Delimiter, Headless: o.SkipHeaderRow,
		Root: o.XMLRoot, Row: o.XMLRow, Title: o.FeedTitle, Description: o.FeedDescription,
	}
	err = d.Write(w, func(each func([]byte) error) error { return it.items(ctx, each) })
	switch {
	case errors.Is(err, items.ErrNoColumns):
		return errtypes.OfType(errtypes.TypeNoColumnsInExportedDataset, "the items have no fields that could be columns")
	case errors.Is(err, items.ErrTooManyRows):
		return tooManyRows()
	}
	return err
}

func tooManyRows() error {
	return errtypes.Field("limit", "must be below %d for a worksheet, which has that many rows", items.MaxRows)
}

func (it *Items) defaults(o Output) Output {
	o.Format = cmp.Or(o.Format, JSON)
	if bom := o.Format == CSV; o.BOM == nil {
		o.BOM = &bom
	}
	o.Delimiter = cmp.Or(o.Delimiter, ",")
	o.XMLRoot, o.XMLRow = cmp.Or(o.XMLRoot, "items"), cmp.Or(o.XMLRow, "item")
	o.FeedTitle = cmp.Or(o.FeedTitle, "Dataset "+cmp.Or(it.store.Title, it.store.Name, it.store.ID))
	o.FeedDescription = cmp.Or(o.FeedDescription, `Items in dataset with id "`+it.store.ID+`".`)
	return o
}
