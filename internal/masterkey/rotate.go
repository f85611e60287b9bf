package masterkey

import (
	"context"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
)

// Rotate puts a new key in the place of those in the file, seals under it what
// they have sealed, and returns how many keys that were. open returns who seals
// again with a ring. Until all is sealed again, and on the disk, the file has
// the new key and the former ones: whoever dies on the way loses nothing.
//
// Error kinds: Conflict while another process has the data open, Unavailable
// for a key that none of the master keys opens; then the former ones stay in
// the file.
func (s Source) Rotate(ctx context.Context, open func(*seal.Ring) ([]Reseal, error)) (n int, err error) {
	defer errtypes.Wrap(&err, "masterkey.Rotate")
	fresh, err := s.addKey(ctx)
	if err != nil {
		return 0, err
	}
	keys, err := s.Ring(ctx)
	if err != nil {
		return 0, err
	}
	all, err := open(keys)
	if err != nil {
		return 0, err
	}
	for _, again := range all {
		sealed, failed := again(ctx)
		n, err = n+sealed, errors.Join(err, failed)
	}
	if err != nil {
		return n, err
	}
	return n, s.File.Replace(fresh)
}

// addKey puts a new key before those in the file. Who opened the data before may
// not know it, and who opens it from now on does.
func (s Source) addKey(ctx context.Context) (fresh seal.Key, err error) {
	if err := s.alone(ctx); err != nil {
		return fresh, err
	}
	former, err := parse("FormerMasterKeys", s.Former...)
	if err != nil {
		return fresh, err
	}
	keys, err := s.fileKeys(ctx, former)
	if err != nil {
		return fresh, err
	}
	fresh = seal.NewKey()
	if err := s.File.Replace(append([]seal.Key{fresh}, keys...)...); err != nil {
		return fresh, err
	}
	return fresh, s.alone(ctx)
}

// alone is an error while another process has the data open.
func (s Source) alone(ctx context.Context) error {
	all, err := s.DB.Instances(ctx)
	for _, in := range all {
		if in.Alive && !in.Self {
			return errtypes.New(errtypes.Conflict, "another process has the data open, and does not know a new master key: end it first")
		}
	}
	return err
}
