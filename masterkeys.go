package drover

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/contexts"
)

// masterKeyFile is where the master key lies, in the data directory, when the
// host gives none.
const masterKeyFile = "master.key"

// masterKeys are those of the options, else those of the file, which is made on
// first use; for data in memory a new one.
func (d *Drover) masterKeys(ctx context.Context) (*seal.Ring, error) {
	former, err := parseKeys("FormerMasterKeys", d.opts.FormerMasterKeys...)
	if err != nil {
		return nil, err
	}
	var all []seal.Key
	switch {
	case d.opts.MasterKey != "":
		all, err = parseKeys("MasterKey", d.opts.MasterKey)
	case d.opts.Data == InMemory:
		all = []seal.Key{seal.NewKey()}
	default:
		all, err = d.fileKeys(ctx, former)
	}
	if err != nil {
		return nil, err
	}
	all = append(all, former...)
	return seal.NewRing(all[0], all[1:]...), nil
}

// parseKeys names the option at fault, and never quotes it.
func parseKeys(field string, texts ...string) (all []seal.Key, err error) {
	for _, text := range texts {
		k, err := seal.ParseKey(text)
		if err != nil {
			return nil, errtypes.Field(field, "%v", err)
		}
		all = append(all, k)
	}
	return all, nil
}

// keyFile is the file with the master key.
func (d *Drover) keyFile() seal.File { return seal.File(filepath.Join(d.opts.Data, masterKeyFile)) }

// fileKeys reads the file, which is made with a new key if it is not there: but
// not beside what a lost one has sealed, since that would hide the loss until
// somebody needs it.
func (d *Drover) fileKeys(ctx context.Context, former []seal.Key) ([]seal.Key, error) {
	keys, err := d.keyFile().Load()
	if !errors.Is(err, fs.ErrNotExist) {
		return keys, err
	}
	lost, err := d.lost(ctx, former)
	if err != nil {
		return nil, err
	}
	if lost == 0 || d.opts.AcceptLostMasterKey {
		return d.keyFile().Keys()
	}
	if keys, err := d.keyFile().Load(); err == nil { // somebody has made it meanwhile, and used it
		return keys, nil
	}
	return nil, errtypes.New(errtypes.Unavailable, "the master key is lost: there is no file %s, and none of the keys that are given opens the %d keys of contexts and certificates that are sealed. "+
		"Put the file back, or give the key as Options.MasterKey (DROVER_MASTER_KEY). Nothing is lost until then. Options.AcceptLostMasterKey (drover serve --accept-lost-master-key) "+
		"makes a new one, with which what is sealed stays unusable", d.keyFile(), lost)
}

// lost is how many keys are sealed, if none of the former master keys opens one
// of them; else 0.
func (d *Drover) lost(ctx context.Context, former []seal.Key) (n int, err error) {
	for _, sealed := range []func(context.Context) (seal.Things, error){
		func(ctx context.Context) (seal.Things, error) { return contexts.Sealed(ctx, d.db) },
		func(ctx context.Context) (seal.Things, error) { return certificates.Sealed(ctx, d.db) },
	} {
		all, err := sealed(ctx)
		if err != nil {
			return 0, err
		}
		if len(former) > 0 && seal.NewRing(former[0], former[1:]...).OpensAny(all) {
			return 0, nil
		}
		n += len(all.Keys)
	}
	return n, nil
}
