package retention

import (
	"context"
	"log/slog"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
)

const (
	// OrphanRest is how long blobs are not looked at: it takes a walk over all.
	OrphanRest = 6 * time.Hour
	// OrphanSpared is how young a blob is that a row may yet name.
	OrphanSpared = time.Hour
)

// Orphans are blobs that no row names: what processes have left that died
// between a blob and its row. All fields are required.
type Orphans struct {
	// Things says in the log whose they are, in the plural.
	Things string
	// Named reports whether a row names the blob.
	Named  func(ctx context.Context, q storage.Querier, key string) (bool, error)
	Blobs  blob.Store
	DB     *storage.DB
	Clock  clock.Clock
	Logger *slog.Logger
}

// Follow deletes them now and then, once working is closed, until the run is to
// stop.
func (o Orphans) Follow(run *lifecycle.Run, working <-chan struct{}) {
	select {
	case <-working:
	case <-run.Stopping():
		return
	}
	for again := true; again; again = Rest(run, o.Clock, OrphanRest) {
		o.Delete(run.Context())
	}
}

// Delete deletes those there are.
func (o Orphans) Delete(ctx context.Context) {
	n, err := blob.Sweep(ctx, o.Blobs, o.Clock.Now().Add(-OrphanSpared), o.named)
	switch {
	case err != nil && ctx.Err() == nil:
		o.Logger.Warn("retention: files of "+o.Things+" that belong to nothing cannot be deleted", "error", err)
	case n > 0:
		o.Logger.Info("retention: files of "+o.Things+" that belong to nothing are deleted", "files", n)
	}
}

func (o Orphans) named(ctx context.Context, key string) (named bool, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		named, err = o.Named(ctx, q, key)
		return err
	})
	return named, err
}
