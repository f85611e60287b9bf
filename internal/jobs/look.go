package jobs

import (
	"context"
	"time"

	"github.com/drover-go/drover/storage"
)

// look reads what another process may have changed. It only reads, so that it
// takes the writer from nobody.
func (l *loop) look(time.Time) error {
	if !l.foreign {
		return nil
	}
	var canceled []leaseID
	err := l.db.Read(l.ctx, func(ctx context.Context, q storage.Querier) (err error) {
		if l.busy() > 0 {
			if canceled, err = canceledOf(ctx, q, l.db.InstanceID()); err != nil {
				return err
			}
		}
		if l.fresh {
			if l.leftover, err = hasLeases(ctx, q, l.db.InstanceID()); err != nil {
				return err
			}
		}
		if l.due, err = nextDue(ctx, q); err != nil {
			return err
		}
		if l.orphaned, err = hasOrphans(ctx, q); err != nil {
			return err
		}
		return l.lookForReady(ctx, q)
	})
	if err != nil {
		return err
	}
	l.fresh, l.foreign = false, false
	for _, id := range canceled {
		l.running.cancel(id)
	}
	return nil
}

func (l *loop) lookForReady(ctx context.Context, q storage.Querier) error {
	for name, h := range l.hands {
		if h.call {
			continue
		}
		var err error
		if h.call, err = isReady(ctx, q, name, l.db.InstanceID()); err != nil {
			return err
		}
	}
	return nil
}
