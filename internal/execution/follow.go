package execution

import (
	"context"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func (x *Executor[R, E]) topic(id string) string { return x.conf.Name + "/" + id }

// Changed tells who follows the row once the transaction is committed.
func (x *Executor[R, E]) Changed(tx *storage.Tx, id string) {
	tx.AfterCommit(func() { x.conf.Notify.Publish(x.topic(id)) })
}

var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

// Follow calls look, and again whenever the row may have changed, until it is
// done or fails. Nothing is polled. Errors: that of look; Unavailable while the
// host closes; that of the context.
func (x *Executor[R, E]) Follow(ctx context.Context, id string, look func() (done bool, err error)) error {
	changes := x.conf.Notify.Subscribe(x.topic(id))
	defer changes.Close()
	for {
		if done, err := look(); done || err != nil {
			return err
		}
		select {
		case <-changes.C():
		case <-x.conf.Notify.Done():
			return errClosing
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
