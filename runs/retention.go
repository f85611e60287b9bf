package runs

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
)

// retainBatch is how many runs go in one transaction: the messages of a run can
// be megabytes, and others wait for the writer.
const retainBatch = 20

// kept has finished runs deleted with their messages when their time is over.
func (s *service) kept() retention.Rule {
	return retention.Rule{Things: "runs", Keep: s.conf.Retention, First: firstEnd, Delete: s.deleteBatch}
}

func (s *service) deleteBatch(ctx context.Context, before time.Time) (n int, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		n, err = deleteEnded(ctx, tx, before, retainBatch)
		return err
	})
	return n, err
}

// usageKept is how long it is known what a project has used on a day.
const usageKept = 400 * day

func (s *service) keptUsage() retention.Rule {
	return retention.Rule{Things: "days of usage", Keep: usageKept, First: firstUsed, Delete: s.deleteUsage}
}

func (s *service) deleteUsage(ctx context.Context, before time.Time) (n int, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		n, err = deleteUsed(ctx, tx, before, 1000)
		return err
	})
	return n, err
}
