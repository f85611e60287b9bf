package extensions

import (
	"context"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/filename"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
)

func (s *service) Upload(ctx context.Context, u Upload) (_ Extension, err error) {
	defer errtypes.Wrap(&err, "extensions.Upload")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Extension{}, err
	}
	ctx, done, err := s.storing.Enter(ctx)
	if err != nil {
		return Extension{}, err
	}
	defer done()
	r, err := s.take(ctx, u)
	if err != nil {
		return Extension{}, err
	}
	now := storage.Time(storage.Millis(s.conf.Clock.Now()))
	r.ID, r.ProjectID, r.CreatedAt, r.UpdatedAt = ids.New(), project.ID, now, now
	if err := s.insert(ctx, r); err != nil {
		return Extension{}, err
	}
	return r.Extension, nil
}

// take puts the archive into a blob and checks it there. Nothing stays of one
// that is refused.
func (s *service) take(ctx context.Context, u Upload) (r row, err error) {
	if u.Content == nil {
		u.Content = strings.NewReader("")
	}
	info, err := s.conf.Blobs.Put(ctx, u.Content, s.conf.Limits.MaxFile)
	if err != nil {
		return row{}, err
	}
	c, err := s.check(ctx, info.Key)
	if err != nil {
		s.dropBlob(ctx, info.Key)
		return row{}, err
	}
	return row{Extension{
		FileName: filename.Clean(u.FileName), Name: c.manifest.name, Version: c.manifest.version, Size: info.Size, Unpacked: c.unpacked,
	}, info.Key}, nil
}

func (s *service) check(ctx context.Context, key string) (contents, error) {
	content, err := s.conf.Blobs.Open(ctx, key)
	if err != nil {
		return contents{}, err
	}
	defer content.Close()
	c, err := s.conf.Limits.read(&seeking{r: content}, content.Size())
	if err == nil {
		err = c.manifest.checkDebugger(s.conf.Debugger)
	}
	if err != nil {
		return c, err
	}
	return c, c.verify(ctx)
}

// errFull is a Conflict and not RateLimited: no room comes of waiting.
var errFull = errtypes.New(errtypes.Conflict, "the project has no room for the extension: delete one first")

// insert writes the row, if the project has room for it. The blob of a row that
// was refused is deleted; where a commit has failed, nobody knows whether the
// row is there, and the blob is left to the sweep.
func (s *service) insert(ctx context.Context, r row) error {
	committing := false
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		fits, err := claim(ctx, tx, r.ProjectID, r.Size, s.conf.Limits)
		if err == nil && !fits {
			err = errFull
		}
		if err != nil {
			return err
		}
		err = insertRow(ctx, tx, r)
		committing = err == nil
		return err
	})
	if err != nil && !committing {
		s.dropBlob(ctx, r.blob)
	}
	return err
}
