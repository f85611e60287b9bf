package masterkey

import (
	"context"
	"errors"
	"log/slog"

	"github.com/drover-go/drover/internal/seal"
)

// Reseal seals the keys of one kind again that are not sealed under the present
// master key, and returns how many that were.
type Reseal func(context.Context) (n int, err error)

// Renew is for every opening, since it finds nothing to do but after the master
// key has been changed. That a key is missing is no reason not to open: what it
// has sealed cannot be used, and says so. Its error is that of the context.
func Renew(ctx context.Context, log *slog.Logger, all ...Reseal) error {
	for _, again := range all {
		n, err := again(ctx)
		report(log, n, err)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func report(log *slog.Logger, n int, err error) {
	if n > 0 && err == nil {
		log.Info("drover: keys are sealed under the present master key", "keys", n)
	}
	if unread, ok := errors.AsType[seal.Unread](err); ok {
		log.Error("drover: some keys cannot be opened, so that they cannot be sealed under the present master key: keep the former one",
			"sealed", n, "unopened", len(unread), "error", err)
	} else if err != nil {
		log.Error("drover: no key can be sealed under the present master key: keep the former one", "error", err)
	}
}
