// Package masterkey finds the master keys of a data directory, seals again what
// a former one has sealed, and changes the key. What a key is and what it seals
// is package seal's.
package masterkey

import (
	"context"
	"errors"
	"io/fs"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
)

// FileName is what the file with the master key is called in a data directory.
const FileName = "master.key"

// Source says where the master keys of a service come from.
type Source struct {
	// Key is that of the host, as [seal.ParseKey] reads it. Default that in File.
	Key string
	// Former are keys that open what was sealed before. Default none.
	Former []string
	// File holds the key that the host does not give, and is made with a new one
	// if it is not there. Default none: a new key each time.
	File seal.File
	// AcceptLost makes a new key although File is gone and nothing else opens what
	// is sealed. Default false: that is an error, so that the file can be put back.
	AcceptLost bool
	// DB holds what is sealed. Required.
	DB *storage.DB
	// Sealed list what is sealed in the database, each of one kind. Required.
	Sealed []func(context.Context, *storage.DB) (seal.Things, error)
}

// Ring returns the keys of the host, else those of the file, with the former
// ones behind them. Error kinds: Invalid for a key of the host that is none,
// Unavailable for a file that cannot be used, and for one that is lost.
func (s Source) Ring(ctx context.Context) (_ *seal.Ring, err error) {
	defer errtypes.Wrap(&err, "masterkey.Ring")
	former, err := parse("FormerMasterKeys", s.Former...)
	if err != nil {
		return nil, err
	}
	var all []seal.Key
	switch {
	case s.Key != "":
		all, err = parse("MasterKey", s.Key)
	case s.File == "":
		all = []seal.Key{seal.NewKey()}
	default:
		all, err = s.fileKeys(ctx, former)
	}
	if err != nil {
		return nil, err
	}
	all = append(all, former...)
	return seal.NewRing(all[0], all[1:]...), nil
}

// parse names the option at fault, and never quotes it.
func parse(field string, texts ...string) (all []seal.Key, err error) {
	for _, text := range texts {
		k, err := seal.ParseKey(text)
		if err != nil {
			return nil, errtypes.Field(field, "%v", err)
		}
		all = append(all, k)
	}
	return all, nil
}

// fileKeys reads the file, which is made with a new key if it is not there: but
// not beside what a lost one has sealed, since that would hide the loss until
// somebody needs it.
func (s Source) fileKeys(ctx context.Context, former []seal.Key) ([]seal.Key, error) {
	keys, err := s.File.Load()
	if !errors.Is(err, fs.ErrNotExist) {
		return keys, err
	}
	lost, err := s.lost(ctx, former)
	if err != nil {
		return nil, err
	}
	if lost == 0 || s.AcceptLost {
		return s.File.Keys()
	}
	if keys, err := s.File.Load(); err == nil { // somebody has made it meanwhile, and used it
		return keys, nil
	}
	return nil, errtypes.New(errtypes.Unavailable, "the master key is lost: there is no file %s, and none of the keys that are given opens the %d keys of contexts, certificates and secrets that are sealed. "+
		"Put the file back, or give the key as Options.MasterKey (DROVER_MASTER_KEY). Nothing is lost until then. Options.AcceptLostMasterKey (drover serve --accept-lost-master-key) "+
		"makes a new one, with which what is sealed stays unusable", s.File, lost)
}

// lost is how many keys are sealed, if none of the former master keys opens one
// of them; else 0.
func (s Source) lost(ctx context.Context, former []seal.Key) (n int, err error) {
	for _, sealed := range s.Sealed {
		all, err := sealed(ctx, s.DB)
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
