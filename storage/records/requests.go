package records

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// onQueue runs fn in a write transaction with the queue that is asked for.
func (s *service) onQueue(ctx context.Context, queue string, c Client, fn func(ctx context.Context, tx *storage.Tx, st row) error) error {
	if err := c.check(); err != nil {
		return err
	}
	r, err := s.ref(ctx, RequestQueue, queue)
	if err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		st, err := findStore(ctx, tx, r)
		if err != nil {
			return err
		}
		return fn(ctx, tx, st)
	})
}

func (s *service) AddRequest(ctx context.Context, queue string, request json.RawMessage, forefront bool, c Client) (Added, error) {
	all, err := s.AddRequests(ctx, queue, []json.RawMessage{request}, forefront, c)
	if err != nil {
		return Added{}, err
	}
	return all[0], nil
}

func (s *service) AddRequests(ctx context.Context, queue string, requests []json.RawMessage, forefront bool, c Client) (added []Added, err error) {
	defer errtypes.Wrap(&err, "records.AddRequests(%q)", queue)
	ctx, leave, err := s.calls.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if err := checkBatch(len(requests)); err != nil {
		return nil, err
	}
	var all []parsed
	for i := 0; i < len(requests) && err == nil; i++ {
		var p parsed
		p, err = s.parse(ctx, requests[i], nil)
		all = append(all, p)
		if err != nil && len(requests) > 1 {
			err = ofBatch(i, err)
		}
	}
	committing := false
	if err == nil {
		err = s.onQueue(ctx, queue, c, func(ctx context.Context, tx *storage.Tx, st row) error {
			added, err = s.addAll(ctx, tx, st, all, forefront, c)
			committing = err == nil
			return err
		})
	}
	s.dropUnnamed(ctx, all, added, err, committing)
	return added, err
}

// ofBatch says which request of a batch an error is about.
func ofBatch(i int, err error) error {
	e := errtypes.Public(err)
	if e.Kind != errtypes.Invalid && e.Kind != errtypes.TooLarge {
		return err
	}
	return errtypes.New(e.Kind, "requests[%d]: %s", i, e.Message).WithType(e.Type).WithCause(err)
}

func checkBatch(n int) error {
	if n < 1 || n > MaxBatch {
		return invalidRequest("a batch must have 1 to %d requests, not %d", MaxBatch, n)
	}
	return nil
}

func (s *service) addAll(ctx context.Context, tx *storage.Tx, st row, all []parsed, forefront bool, c Client) (added []Added, err error) {
	t, err := takeTurns(ctx, tx, st.number, len(all), c.Key, change{}, s.now())
	if err != nil {
		return nil, err
	}
	sum := change{writes: int64(len(all)), modified: true}
	for i, p := range all {
		a := Added{ID: p.ID, UniqueKey: p.UniqueKey}
		fresh, err := insertRequest(ctx, tx, st.number, p, t.at(int64(i), forefront), lock{})
		switch {
		case err != nil:
			return nil, err
		case fresh:
			sum.items, sum.bytes = sum.items+1, sum.bytes+p.bytes()
			if !p.HandledAt.IsZero() {
				sum.handled++
			}
		default:
			a.WasPresent = true
			if a.WasHandled, err = isHandled(ctx, tx, st.number, p.ID); err != nil {
				return nil, err
			}
		}
		added = append(added, a)
	}
	return added, addTo(ctx, tx, st.number, sum, s.now())
}

// dropUnnamed drops the blobs of requests that got no row.
func (s *service) dropUnnamed(ctx context.Context, all []parsed, added []Added, err error, committing bool) {
	for i, p := range all {
		if err != nil && !committing || err == nil && added[i].WasPresent {
			s.dropBlobs(ctx, p.rest.blob)
		}
	}
}

func (s *service) UpdateRequest(ctx context.Context, queue, id string, request json.RawMessage, forefront bool, c Client) (a Added, err error) {
	defer errtypes.Wrap(&err, "records.UpdateRequest(%q, %q)", queue, id)
	ctx, leave, err := s.calls.Enter(ctx)
	if err != nil {
		return Added{}, err
	}
	defer leave()
	p, err := s.parse(ctx, request, func(p *parsed) error { return s.fill(ctx, queue, id, p) })
	if err == nil && p.ID != id {
		err = errtypes.OfType(errtypes.TypeRequestIdInvalid, "Request ID does not correspond to uniqueKey")
	}
	committing := false
	var f former
	if err == nil {
		err = s.onQueue(ctx, queue, c, func(ctx context.Context, tx *storage.Tx, st row) error {
			f, err = s.replace(ctx, tx, st, p, forefront, c)
			committing = err == nil
			return err
		})
	}
	switch {
	case err == nil:
		s.dropBlobs(ctx, f.blob)
	case !committing:
		s.dropBlobs(ctx, p.rest.blob)
	}
	return Added{ID: p.ID, UniqueKey: p.UniqueKey, WasPresent: f.rows > 0, WasHandled: f.handled}, err
}

// fill takes what an update leaves out from the request that is there.
func (s *service) fill(ctx context.Context, queue, id string, p *parsed) error {
	r, err := s.ref(ctx, RequestQueue, queue)
	if err != nil {
		return err
	}
	there, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (parsed, error) {
		st, err := findStore(ctx, q, r)
		if err != nil {
			return parsed{}, err
		}
		return findRequest(ctx, q, st.number, id)
	})
	if errtypes.Is(err, errtypes.NotFound) {
		return nil // it is added, or the queue is missed later
	}
	p.URL, p.UniqueKey = cmp.Or(p.URL, there.URL), cmp.Or(p.UniqueKey, there.UniqueKey)
	return err
}

// replace puts a request in place of the one before. It goes back to the queue,
// unless it is handled or somebody else has a lock on it.
func (s *service) replace(ctx context.Context, tx *storage.Tx, st row, p parsed, forefront bool, c Client) (f former, err error) {
	if f, err = takeRequest(ctx, tx, st.number, p.ID); err != nil {
		return former{}, err
	}
	handled := !p.HandledAt.IsZero()
	sum := change{writes: 1, items: 1 - f.rows, bytes: p.bytes() - f.bytes, handled: one(handled) - one(f.handled), modified: true}
	t, err := takeTurns(ctx, tx, st.number, 1, c.Key, sum, s.now())
	if err != nil {
		return former{}, err
	}
	at, l := t.at(0, forefront), lock{}
	if !handled && !f.handled && f.lock.until > s.now() && !f.lock.ownedBy(c) {
		at, l = f.place, f.lock
	}
	_, err = insertRequest(ctx, tx, st.number, p, at, l)
	return f, err
}

func one(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
