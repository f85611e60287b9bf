package contexts

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"os"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage/contexts/internal/archive"
)

func (s *service) Export(ctx context.Context, id string, w io.Writer) (err error) {
	defer errtypes.Wrap(&err, "contexts.Export(%q)", id)
	l, err := s.Open(ctx, Use{ContextID: id, Holder: "export"})
	if err != nil {
		return err
	}
	if l.row.blob == "" {
		return errtypes.New(errtypes.NotFound, "nothing has been saved of context %q", id)
	}
	return s.inTemp(func(dir string) error {
		if _, err := l.Restore(ctx, dir); err != nil {
			return err
		}
		t := tar.NewWriter(w)
		if _, err := archive.PackPlain(ctx, t, dir, s.conf.Limits.ofFolder()); err != nil {
			return err
		}
		return t.Close()
	})
}

func (s *service) Import(ctx context.Context, id string, r io.Reader) (err error) {
	defer errtypes.Wrap(&err, "contexts.Import(%q)", id)
	l, err := s.Open(ctx, Use{ContextID: id, Holder: "import " + ids.New(), Persist: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Free(ctx)) }()
	l.good = l.row.blob // which stays the one to go back to
	return s.inTemp(func(dir string) error {
		if _, err := archive.UnpackPlain(ctx, tar.NewReader(r), dir, s.conf.Limits.ofFolder()); err != nil {
			return asInvalid(err)
		}
		_, err := l.Save(ctx, dir)
		return err
	})
}

// asInvalid is what is said of a tar file that cannot be unpacked.
func asInvalid(err error) error {
	if e, ok := errors.AsType[*errtypes.Error](err); ok {
		return e
	}
	return errtypes.Field("file", "is no tar file of a profile: %v", err)
}

// inTemp works in a private folder, which is removed.
func (s *service) inTemp(work func(dir string) error) error {
	dir, err := os.MkdirTemp(s.conf.TempDir, "drover-context-*") // with mode 0700
	if err != nil {
		return errtypes.New(errtypes.Unavailable, "there is no place for a profile").WithCause(err)
	}
	return errors.Join(work(dir), os.RemoveAll(dir))
}
