package drover

import (
	"context"
	"errors"

	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/contexts"
)

// openSealed opens what holds sealed keys. Those under a former master key are
// sealed again under the present one.
func (d *Drover) openSealed(ctx context.Context) error {
	keys, err := d.masterKeys(ctx)
	if err != nil {
		return err
	}
	if err := d.openContexts(keys); err != nil {
		return err
	}
	if err := d.openCertificates(keys); err != nil {
		return err
	}
	for _, again := range []func(context.Context) (int, error){d.Contexts.Reseal, d.Certificates.Reseal} {
		if err := d.reseal(ctx, again); err != nil {
			return err
		}
	}
	return nil
}

func (d *Drover) openCertificates(keys *seal.Ring) (err error) {
	o := d.opts
	d.Certificates, err = certificates.New(certificates.Config{
		DB: d.db, Callers: d.Projects, Keys: keys, Limits: o.Certificates, Clock: o.Clock,
	})
	return err
}

func (d *Drover) openContexts(keys *seal.Ring) error {
	o := d.opts
	blobs, err := d.blobs(contextsFolder)
	if err != nil {
		return err
	}
	d.Contexts, err = contexts.New(contexts.Config{
		DB: d.db, Callers: d.Projects, Blobs: blobs, Keys: keys, Reaper: d.reaper, Keeper: d.keeper,
		TempDir: o.Chromium.TempDir, Limits: o.Contexts, Clock: o.Clock, Logger: o.Logger,
	})
	return err
}

// reseal is done at every opening, since it finds nothing to do but after the
// master key has been changed. That a key is missing is no reason not to open:
// what it has sealed cannot be used, and says so.
func (d *Drover) reseal(ctx context.Context, again func(context.Context) (int, error)) error {
	n, err := again(ctx)
	if n > 0 && err == nil {
		d.opts.Logger.Info("drover: keys are sealed under the present master key", "keys", n)
	}
	if unread, ok := errors.AsType[seal.Unread](err); ok {
		d.opts.Logger.Error("drover: some keys cannot be opened, so that they cannot be sealed under the present master key: keep the former one",
			"sealed", n, "unopened", len(unread), "error", err)
	} else if err != nil {
		d.opts.Logger.Error("drover: no key can be sealed under the present master key: keep the former one", "error", err)
	}
	return ctx.Err()
}
