package keyset

import (
	"cmp"
	"math"
	"strconv"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// The limits of a page in the specification of v1.
const (
	DefaultLimit = 20
	MaxLimit     = 1000
)

// Filter is how a caller asks for a page of a list that runs from new to old.
type Filter struct {
	// StartAt and EndAt bound the creation time, both inclusive and to the
	// millisecond. Zero does not bound.
	StartAt, EndAt time.Time
	// Limit is the size of the page, 1 to [MaxLimit]. Default [DefaultLimit].
	Limit int
	// Cursor is the one that the page before returned. Default the first page.
	Cursor string
}

// Window is the part of a list that one page is taken from: rows created at
// Start or later that come behind the position Before. It has one upper bound,
// because an index range has only one: the end of the filter is the cursor of
// the first page.
type Window struct {
	// Start is in Unix milliseconds.
	Start  int64
	Before Position
	// Limit is the size of the page.
	Limit int

	codec Codec
	scope []string
}

// Window checks a filter. The scope names the list and every other filter of
// it. Error kind Invalid.
func (c Codec) Window(f Filter, scope ...string) (Window, error) {
	w := Window{Start: math.MinInt64, Limit: cmp.Or(f.Limit, DefaultLimit), codec: c}
	if w.Limit < 1 || w.Limit > MaxLimit {
		return Window{}, errtypes.Field("limit", "must be 1 to %d", MaxLimit)
	}
	end := int64(math.MaxInt64 - 1)
	if !f.StartAt.IsZero() {
		w.Start = f.StartAt.Add(time.Millisecond - 1).UnixMilli() // rounded up: inclusive
	}
	if !f.EndAt.IsZero() {
		end = f.EndAt.UnixMilli()
	}
	w.scope = append(scope, strconv.FormatInt(w.Start, 10), strconv.FormatInt(end, 10))
	if f.Cursor == "" {
		w.Before = Position{At: end + 1} // no id is smaller than the empty one
		return w, nil
	}
	var err error
	w.Before, err = c.Decode(f.Cursor, w.scope...)
	return w, err
}

// Fetch is how many rows to read: one more than the page has tells whether
// there is another.
func (w Window) Fetch() int { return w.Limit + 1 }

// Cut makes the page of the rows that were read, and the cursor of the next
// page; empty if this is the last.
func Cut[T any](w Window, rows []T, position func(T) Position) (page []T, next string) {
	if len(rows) <= w.Limit {
		return rows, ""
	}
	page = rows[:w.Limit]
	return page, w.codec.Encode(position(page[w.Limit-1]), w.scope...)
}
