package records

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// until is when a lock ends that begins now.
func (s *service) until(lockFor time.Duration) (int64, error) {
	if lockFor < time.Millisecond || lockFor > s.conf.Limits.MaxLock {
		return 0, errtypes.Field("lockSecs", "must be above 0 and at most %d", int64(s.conf.Limits.MaxLock.Seconds()))
	}
	return storage.Millis(s.conf.Clock.Now().Add(lockFor)), nil
}

func (s *service) LockHead(ctx context.Context, queue string, limit int, lockFor time.Duration, c Client) (h Head, err error) {
	defer errtypes.Wrap(&err, "records.LockHead(%q)", queue)
	if limit < 0 {
		return Head{}, errtypes.Field("limit", "must not be below 0")
	}
	if limit = min(limit, MaxBatch); limit == 0 {
		limit = MaxBatch
	}
	until, err := s.until(lockFor)
	if err != nil {
		return Head{}, err
	}
	err = s.onQueue(ctx, queue, c, func(ctx context.Context, tx *storage.Tx, st row) error {
		if st.isNew(c) {
			if err := noteClient(ctx, tx, st.number, c.Key); err != nil {
				return err
			}
			st.HadMultipleClients = st.firstClient.Valid
		}
		h = Head{Limit: limit, ModifiedAt: st.ModifiedAt, HadMultipleClients: st.HadMultipleClients}
		now := s.now()
		h.Requests, err = lockHead(ctx, tx, st, now, limit, lock{until: until, client: c.Key, run: c.RunID})
		if h.HasLocked = len(h.Requests) > 0; err == nil && !h.HasLocked {
			h.HasLocked, err = hasLocked(ctx, tx, st.number, now)
		}
		s.use.headed(st.ID, int64(len(h.Requests)))
		return err
	})
	return h, err
}

// errTaken is the answer to who has no lock on a request, or wants one on a
// request that is handled.
func errTaken(id string) error {
	return errtypes.OfType(errtypes.TypeRequestHandledOrLocked, "Request %.100q is handled, or it is not locked by this client", id)
}

func (s *service) Prolong(ctx context.Context, queue, id string, lockFor time.Duration, forefront bool, c Client) (_ time.Time, err error) {
	defer errtypes.Wrap(&err, "records.Prolong(%q, %q)", queue, id)
	until, err := s.until(lockFor)
	if err != nil {
		return time.Time{}, err
	}
	err = s.onQueue(ctx, queue, c, func(ctx context.Context, tx *storage.Tx, st row) error {
		ok, err := prolong(ctx, tx, st.number, id, c, until, forefront, s.now())
		if err != nil || ok {
			return err
		}
		if _, err := findRequest(ctx, tx, st.number, id); err != nil {
			return err
		}
		return errTaken(id)
	})
	return storage.Time(until), err
}

func (s *service) Unlock(ctx context.Context, queue, id string, forefront bool, c Client) (err error) {
	defer errtypes.Wrap(&err, "records.Unlock(%q, %q)", queue, id)
	return s.onQueue(ctx, queue, c, func(ctx context.Context, tx *storage.Tx, st row) error {
		t, err := takeTurns(ctx, tx, st.number, 1, c.Key, change{}, s.now())
		if err != nil {
			return err
		}
		ok, err := unlock(ctx, tx, st.number, id, c, t.at(0, forefront), s.now())
		if err != nil || ok {
			return err
		}
		return s.mayLeave(ctx, tx, st, id)
	})
}

// mayLeave is nil if a request has no lock that could be ended.
func (s *service) mayLeave(ctx context.Context, q storage.Querier, st row, id string) error {
	p, err := findRequest(ctx, q, st.number, id)
	switch {
	case errtypes.Is(err, errtypes.NotFound):
		return nil
	case err == nil && p.HandledAt.IsZero() && p.LockedUntil.After(s.conf.Clock.Now()):
		return errTaken(id)
	}
	return err
}

func (s *service) UnlockAll(ctx context.Context, queue string, c Client) (n int64, err error) {
	defer errtypes.Wrap(&err, "records.UnlockAll(%q)", queue)
	err = s.onQueue(ctx, queue, c, func(ctx context.Context, tx *storage.Tx, st row) error {
		n, err = unlockAll(ctx, tx, st.number, c, s.now())
		return err
	})
	return n, err
}

func (s *service) FreeLocks(ctx context.Context, tx *storage.Tx, runID string) (n int64, err error) {
	defer errtypes.Wrap(&err, "records.FreeLocks(%q)", runID)
	if runID == "" {
		return 0, errors.New("there is no run without an id")
	}
	return freeLocks(ctx, tx, runID, s.now())
}
