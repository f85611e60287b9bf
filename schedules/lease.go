package schedules

import (
	"context"
	"sync"
	"time"

	"github.com/drover-go/drover/storage"
)

// leaseTime is how long a process that fires is let do so alone. Others take over when it
// has not fired for so long although something was due.
const leaseTime = 2 * time.Second

// lease says which of several processes on the same data fires, so that others need not
// prepare starts in vain. Nothing depends on it: a slot is decided by one process even if
// several think that it is theirs.
type lease struct {
	mu    sync.Mutex
	until time.Time // held by this process
}

// hold takes the lease, or keeps it; false while another process has it.
func (s *service) hold(ctx context.Context, now time.Time) (held bool, err error) {
	s.lease.mu.Lock()
	defer s.lease.mu.Unlock()
	if left := s.lease.until.Sub(now); left > leaseTime/2 && left <= leaseTime {
		return true, nil
	}
	until := now.Add(leaseTime)
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		held, err = takeLease(ctx, tx, s.conf.DB.InstanceID(), now, until)
		return err
	})
	if held {
		s.lease.until = until
	}
	return held && err == nil, err
}

// release lets another process fire at once.
func (s *service) release(ctx context.Context) error {
	s.lease.mu.Lock()
	defer s.lease.mu.Unlock()
	if s.lease.until.IsZero() {
		return nil
	}
	s.lease.until = time.Time{}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		return dropLease(ctx, tx, s.conf.DB.InstanceID())
	})
}

// takeLease takes it where nobody has it, or only by a clock that was put back since.
func takeLease(ctx context.Context, q storage.Querier, holder string, now, until time.Time) (bool, error) {
	n, err := q.Exec(ctx, `UPDATE schedule_lease SET holder = $1, until_at = $3 WHERE holder = $1 OR until_at <= $2 OR until_at > $3`,
		holder, storage.Millis(now), storage.Millis(until))
	return n > 0, err
}

func dropLease(ctx context.Context, q storage.Querier, holder string) error {
	_, err := q.Exec(ctx, `UPDATE schedule_lease SET until_at = 0 WHERE holder = $1`, holder)
	return err
}
