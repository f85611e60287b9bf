package drover

import (
	"context"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
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
	if err := o.validate(); err != nil {
		return 0, err
	}
	o.FullSync = true // a key goes only after what it sealed is sealed again on the disk
	d := &Drover{opts: o.withDefaults()}
	if err := d.opts.resolve(); err != nil {
		return 0, err
	}
	n, err = d.rotate(ctx)
	return n, errors.Join(err, d.Close())
}

func (d *Drover) rotate(ctx context.Context) (n int, err error) {
	if d.db, err = storage.Open(ctx, d.opts.storage()); err != nil {
		return 0, err
	}
	if err = d.openProjects(ctx); err != nil {
		return 0, err
	}
	fresh, err := d.addKey(ctx)
	if err != nil {
		return 0, err
	}
	if n, err = d.renew(ctx); err != nil {
		return n, err
	}
	return n, d.keyFile().Replace(fresh)
}

// addKey puts a new key before those in the file. Who opened the data before may
// not know it, and who opens it from now on does.
func (d *Drover) addKey(ctx context.Context) (fresh seal.Key, err error) {
	if err := d.alone(ctx); err != nil {
		return fresh, err
	}
	former, err := parseKeys("FormerMasterKeys", d.opts.FormerMasterKeys...)
	if err != nil {
		return fresh, err
	}
	keys, err := d.fileKeys(ctx, former)
	if err != nil {
		return fresh, err
	}
	fresh = seal.NewKey()
	if err := d.keyFile().Replace(append([]seal.Key{fresh}, keys...)...); err != nil {
		return fresh, err
	}
	return fresh, d.alone(ctx)
}

// alone is an error while another process has the data open.
func (d *Drover) alone(ctx context.Context) error {
	all, err := d.db.Instances(ctx)
	for _, in := range all {
		if in.Alive && !in.Self {
			return errtypes.New(errtypes.Conflict, "another process has the data open, and does not know a new master key: end it first")
		}
	}
	return err
}

// renew seals again what is not sealed under the first of the keys.
func (d *Drover) renew(ctx context.Context) (n int, err error) {
	keys, err := d.masterKeys(ctx)
	if err != nil {
		return 0, err
	}
	d.openQueue()
	if err := errors.Join(d.openContexts(keys), d.openCertificates(keys)); err != nil {
		return 0, err
	}
	ofContexts, err := d.Contexts.Reseal(ctx)
	ofCertificates, failed := d.Certificates.Reseal(ctx)
	return ofContexts + ofCertificates, errors.Join(err, failed)
}
