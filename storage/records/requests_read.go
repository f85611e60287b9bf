package records

import (
	"context"
	"fmt"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/keyset"
	"github.com/drover-go/drover/storage"
)

const (
	// maxRequests is the largest page of requests, and the one where none is asked
	// for; pageBytes is how many bytes of requests end a page, also of those in blobs.
	maxRequests = 10_000
	pageBytes   = 16 << 20
	// defaultHead and maxHead are sizes of the head of a queue.
	defaultHead = 100
	maxHead     = 1000
)

func (s *service) GetRequest(ctx context.Context, queue, id string) (_ Request, err error) {
	defer errtypes.Wrap(&err, "records.GetRequest(%q, %q)", queue, id)
	r, err := s.ref(ctx, RequestQueue, queue)
	if err != nil {
		return Request{}, err
	}
	p, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (parsed, error) {
		st, err := findStore(ctx, q, r)
		if err != nil {
			return parsed{}, err
		}
		s.use.read(st.ID, 1)
		return findRequest(ctx, q, st.number, id)
	})
	if err != nil {
		return Request{}, err
	}
	return s.completeRequest(ctx, s.unexpired(p))
}

// unexpired is a request without a lock that has expired.
func (s *service) unexpired(p parsed) parsed {
	if !p.LockedUntil.After(s.conf.Clock.Now()) {
		p.LockedUntil, p.LockedBy = time.Time{}, ""
	}
	return p
}

func (q RequestsQuery) check() error {
	switch {
	case q.Limit < 0:
		return errtypes.Field("limit", "must not be below 0")
	case q.After != "" && (q.Cursor != "" || q.Locked || q.Pending):
		return errtypes.Field("exclusiveStartId", "does not go with a cursor or a filter")
	}
	return nil
}

func (s *service) Requests(ctx context.Context, queue string, q RequestsQuery) (page RequestsPage, err error) {
	defer errtypes.Wrap(&err, "records.Requests(%q)", queue)
	r, err := s.ref(ctx, RequestQueue, queue)
	if err != nil {
		return RequestsPage{}, err
	}
	if err := q.check(); err != nil {
		return RequestsPage{}, err
	}
	if q.Limit = min(q.Limit, maxRequests); q.Limit == 0 {
		q.Limit = maxRequests
	}
	page = RequestsPage{Requests: []Request{}, RequestsQuery: q}
	var found []parsed
	err = s.conf.DB.Read(ctx, func(ctx context.Context, read storage.Querier) error {
		st, err := findStore(ctx, read, r)
		if err != nil {
			return err
		}
		found, page.Next, err = s.requestsPage(ctx, read, st, q)
		s.use.read(st.ID, int64(len(found)))
		return err
	})
	for _, p := range found {
		if err != nil {
			break
		}
		var one Request
		one, err = s.completeRequest(ctx, s.unexpired(p))
		if errtypes.Is(err, errtypes.NotFound) {
			err = nil // it was deleted meanwhile
			continue
		}
		page.Requests = append(page.Requests, one)
	}
	return page, err
}

// requestsPage reads the rows of a page, and the cursor of the next.
func (s *service) requestsPage(ctx context.Context, q storage.Querier, st row, f RequestsQuery) (found []parsed, next string, err error) {
	scope := []string{"requests", st.ID, fmt.Sprint(f.Locked, f.Pending)}
	after := f.After
	if f.Cursor != "" {
		at, err := s.cursors.Decode(f.Cursor, scope...)
		if err != nil {
			return nil, "", err
		}
		after = at.ID
	}
	query, args := afterRequest+inIDOrder+`$3`, []any{st.number, after, f.Limit + 1}
	if f.Locked || f.Pending {
		query, args = pendingRequest+inIDOrder+`$6`, []any{st.number, after, f.Locked, f.Pending, s.now(), f.Limit + 1}
	}
	found, more, err := collectRequests(ctx, q, f.Limit, query, args...)
	if more {
		next = s.cursors.Encode(keyset.Position{ID: found[len(found)-1].ID}, scope...)
	}
	return found, next, err
}

// collectRequests reads requests until there are enough, or they are large.
func collectRequests(ctx context.Context, q storage.Querier, most int, query string, args ...any) (found []parsed, more bool, err error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for size := int64(0); rows.Next(); {
		if len(found) == most || size > pageBytes {
			return found, true, nil
		}
		p, err := scanWhole(rows)
		if err != nil {
			return nil, false, err
		}
		size += p.bytes()
		found = append(found, p)
	}
	return found, false, rows.Err()
}

func (s *service) Head(ctx context.Context, queue string, limit int, c Client) (h Head, err error) {
	defer errtypes.Wrap(&err, "records.Head(%q)", queue)
	if limit < 0 {
		return Head{}, errtypes.Field("limit", "must not be below 0")
	}
	if limit = min(limit, maxHead); limit == 0 {
		limit = defaultHead
	}
	if err := c.check(); err != nil {
		return Head{}, err
	}
	r, err := s.ref(ctx, RequestQueue, queue)
	if err != nil {
		return Head{}, err
	}
	var st row
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		if st, err = findStore(ctx, q, r); err != nil {
			return err
		}
		h.Requests, err = headRequests(ctx, q, st.number, limit)
		return err
	})
	if err == nil && st.isNew(c) {
		st, err = s.note(ctx, r, c)
	}
	for i, one := range h.Requests {
		h.Requests[i] = s.unexpired(parsed{Request: one}).Request
	}
	s.use.headed(st.ID, int64(len(h.Requests)))
	h.Limit, h.ModifiedAt, h.HadMultipleClients = limit, st.ModifiedAt, st.HadMultipleClients
	return h, err
}

// note writes down a client that only reads.
func (s *service) note(ctx context.Context, r ref, c Client) (st row, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if st, err = findStore(ctx, tx, r); err != nil {
			return err
		}
		if err := noteClient(ctx, tx, st.number, c.Key); err != nil {
			return err
		}
		st, err = findStore(ctx, tx, r)
		return err
	})
	return st, err
}
