package actors

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/records"
)

// retainBatch is how many runs go in one transaction.
const retainBatch = 50

// kept has runs deleted when their time is over, and refused that nobody takes up.
func (s *service) kept() []retention.Task {
	return []retention.Task{
		retention.Rule{Things: "runs of Actors", Keep: s.conf.Retention, First: firstEnd, Delete: s.deleteRuns},
		retention.Rule{Things: "runs of Actors that nobody took up", Keep: s.conf.Limits.MaxWait, First: firstReady, Delete: s.refuseRuns},
	}
}

func (s *service) deleteRuns(ctx context.Context, before time.Time) (n int, err error) {
	var gone []runRow
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		if gone, err = endedBefore(ctx, tx, before, retainBatch); err != nil {
			return err
		}
		for _, r := range gone {
			if err := s.removeRun(ctx, tx, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, r := range gone {
		s.dropStores(ctx, r)
	}
	return len(gone), nil
}

// stores are the default stores of a run, by kind.
func (r RunInfo) stores() map[records.Kind]string {
	return map[records.Kind]string{records.KeyValueStore: r.KeyValueStoreID, records.Dataset: r.DatasetID, records.RequestQueue: r.RequestQueueID}
}

// errNotTakenUp is the end of a run that no process has taken up.
var errNotTakenUp = errors.New("actors: the run waited for too long")

func (s *service) refuseRuns(ctx context.Context, before time.Time) (n int, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		waiting, err := readySince(ctx, tx, before, retainBatch)
		if err != nil {
			return err
		}
		n = len(waiting)
		for _, r := range waiting {
			if _, err := s.executorOf(r.kind).Refuse(ctx, tx, r.ID, errNotTakenUp); err != nil && !errors.Is(err, storage.ErrNoRow) {
				return err
			}
		}
		return nil
	})
	return n, err
}
