package drover

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/masterkey"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/secrets"
	"github.com/drover-go/drover/storage/webhooks"
)

// RotateMasterKey puts a new key in the place of that in the file "master.key"
// of the data directory, seals under it what the former ones have sealed, and
// returns how many keys that were. Whoever dies on the way loses nothing: until
// all is sealed again, and on the disk, the file has the new key and the former
// ones; to rotate again completes it.
//
// It is for data that no process has open. Error kinds: Invalid where the key is
// not in a file, Conflict while another process has the data open, Unavailable
// for a key that none of the master keys opens; then the former ones stay in the
// file.
func RotateMasterKey(ctx context.Context, o Options) (n int, err error) {
	defer errtypes.Wrap(&err, "drover.RotateMasterKey")
	if o.MasterKey != "" || o.Data == InMemory {
		return 0, errtypes.Field("MasterKey", "is not kept in a file: give the new key there, and the present one as a former one, once")
	}
	o.FullSync = true // a key goes only after what it sealed is sealed again on the disk
	d, err := newDrover(o)
	if err != nil {
		return 0, err
	}
	if err = d.take(ctx, []step{d.openDatabase, d.openProjects, d.openKeeping}); err == nil {
		n, err = d.keySource().Rotate(ctx, func(keys *seal.Ring) ([]masterkey.Reseal, error) {
			d.keys = keys
			if err := d.take(ctx, []step{d.openContexts, d.openCertificates, d.openSecrets}); err != nil {
				return nil, err
			}
			return d.reseals(), nil
		})
	}
	return n, errors.Join(err, d.Close())
}

// keySource says where the master keys come from, and what they have sealed.
func (d *Drover) keySource() masterkey.Source {
	s := masterkey.Source{
		Key: d.opts.MasterKey, Former: d.opts.FormerMasterKeys, AcceptLost: d.opts.AcceptLostMasterKey, DB: d.db,
		Sealed: []func(context.Context, *storage.DB) (seal.Things, error){contexts.Sealed, certificates.Sealed, secrets.SealedValues, secrets.SealedKeys, functions.Sealed, actors.Sealed, actors.SealedInputKeys, webhooks.Sealed},
	}
	if d.opts.Data != InMemory {
		s.File = seal.File(filepath.Join(d.opts.Data, masterkey.FileName))
	}
	return s
}

func (d *Drover) openKeys(ctx context.Context) (err error) {
	d.keys, err = d.keySource().Ring(ctx)
	return err
}

func (d *Drover) renewKeys(ctx context.Context) error {
	return masterkey.Renew(ctx, d.opts.Logger, d.reseals()...)
}

// reseals are for all that holds sealed keys.
func (d *Drover) reseals() []masterkey.Reseal {
	versions := func(ctx context.Context) (int, error) { return functions.Reseal(ctx, d.db, d.keys) }
	variables := func(ctx context.Context) (int, error) { return actors.Reseal(ctx, d.db, d.keys) }
	inputs := func(ctx context.Context) (int, error) { return actors.ResealInputKeys(ctx, d.db, d.keys) }
	hooks := func(ctx context.Context) (int, error) { return webhooks.Reseal(ctx, d.db, d.keys) }
	return []masterkey.Reseal{d.Contexts.Reseal, d.Certificates.Reseal, d.Secrets.Reseal, versions, variables, inputs, hooks}
}
