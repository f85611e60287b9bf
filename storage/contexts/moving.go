package contexts

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/storage/contexts/internal/archive"
)

func (s *service) Export(ctx context.Context, id string, w io.Writer) (got Restored, err error) {
	defer errtypes.Wrap(&err, "contexts.Export(%q)", id)
	l, err := s.Open(ctx, Use{ContextID: id, Holder: "export"})
	if err != nil {
		return got, err
	}
	if l.row.blob == "" {
		return got, errtypes.New(errtypes.NotFound, "nothing has been saved of context %q", id)
	}
	need, err := l.Size(ctx)
	if err != nil {
		return got, err
	}
	err = s.inTemp(need, func(dir string) error {
		if got, err = l.Restore(ctx, dir); err != nil {
			return err
		}
		t := tar.NewWriter(w)
		if _, err := archive.PackPlain(ctx, t, dir, s.conf.Limits.ofFolder()); err != nil {
			return err
		}
		return t.Close()
	})
	return got, err
}

func (s *service) Import(ctx context.Context, id string, r io.Reader) (err error) {
	defer errtypes.Wrap(&err, "contexts.Import(%q)", id)
	l, err := s.Open(ctx, Use{ContextID: id, Holder: "import " + ids.New(), Persist: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Free(ctx)) }()
	l.good = l.row.blob // which stays the one to go back to
	return s.inTemp(s.conf.Limits.MaxBytes, func(dir string) error {
		if err := s.unpack(ctx, r, dir); err != nil {
			return err
		}
		_, err := l.Save(ctx, dir)
		return err
	})
}

// unpack takes a tar file for a profile only if it is whole and has the folder
// that every profile has: what is saved takes the place of the profile before.
func (s *service) unpack(ctx context.Context, r io.Reader, dir string) error {
	_, err := archive.UnpackForeign(ctx, r, dir, s.conf.Limits.ofFolder())
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return context.Cause(ctx)
	default:
		return asInvalid(err)
	}
	if info, err := os.Lstat(filepath.Join(dir, "Default")); err != nil || !info.IsDir() {
		return errtypes.Field("file", "is no tar file of a profile: it has no folder Default")
	}
	return nil
}

// asInvalid is what is said of a tar file that cannot be unpacked.
func asInvalid(err error) error {
	if e, ok := errors.AsType[*errtypes.Error](err); ok {
		return e
	}
	return errtypes.Field("file", "is no tar file of a profile: %v", err)
}

// tempPrefix is how directories of inTemp are called.
const tempPrefix = "drover-context-"

// inTemp works in a private folder for need bytes, which is removed; when this
// process dies before, the keeper of another does.
func (s *service) inTemp(need int64, work func(dir string) error) error {
	own, err := workdir.NewFor(s.conf.TempDir, tempPrefix, need)
	if err != nil {
		return errtypes.New(errtypes.Unavailable, "there is no place for a profile").WithCause(err)
	}
	dir := filepath.Join(own.Path(), "profile")
	if err := os.Mkdir(dir, 0o700); err != nil {
		err = errtypes.New(errtypes.Unavailable, "there is no place for a profile").WithCause(err)
		return errors.Join(err, own.Remove())
	}
	return errors.Join(work(dir), own.Remove())
}

// sweepTemp removes the folders of inTemp that have lost their owner.
func (s *service) sweepTemp(context.Context) error {
	for _, place := range workdir.Places(s.conf.TempDir) {
		workdir.Sweep(place, tempPrefix, s.conf.Logger, nil)
	}
	return nil
}
