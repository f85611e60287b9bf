package storage_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// A call may be broken off before, in and after a statement. Each time it says so
// and nothing else: what is not Canceled is answered as a fault of the service.
func TestACallThatIsBrokenOffSaysSo(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		var callers sync.WaitGroup
		for range 4 {
			callers.Go(func() {
				for range 50 {
					breakOff(t, "read", func(ctx context.Context) error { return db.Read(ctx, counting) })
					breakOff(t, "write", func(ctx context.Context) error {
						return db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error { return counting(ctx, tx) })
					})
				}
			})
		}
		callers.Wait()
	})
}

func breakOff(t *testing.T, what string, call func(context.Context) error) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	time.AfterFunc(time.Duration(rand.IntN(300))*time.Microsecond, cancel)
	if err := call(ctx); err != nil && !errtypes.Is(err, errtypes.Canceled) {
		t.Errorf("%s: %v", what, err)
	}
}

// counting asks for five things that take a while.
func counting(ctx context.Context, q storage.Querier) error {
	for range 5 {
		var n int
		if err := q.QueryRow(ctx, `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < 100) SELECT count(*) FROM c`).Scan(&n); err != nil {
			return err
		}
	}
	return nil
}
