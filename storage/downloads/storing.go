package downloads

import (
	"context"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/filename"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/storage"
)

type service struct {
	conf    Config
	storing *lifecycle.Calls
}

func (s *service) Store(ctx context.Context, n New) (_ Download, err error) {
	defer errtypes.Wrap(&err, "downloads.Store(%q)", n.SessionID)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Download{}, err
	}
	ctx, done, err := s.storing.Enter(ctx)
	if err != nil {
		return Download{}, err
	}
	defer done()
	if n.SessionID == "" || len(n.SessionID) > maxFilter || !utf8.ValidString(n.SessionID) {
		return Download{}, errtypes.Field("sessionId", "must be 1 to %d bytes of valid UTF-8", maxFilter)
	}
	r, err := s.write(ctx, project.ID, n)
	if err != nil {
		return Download{}, err
	}
	if err := s.insert(ctx, r); err != nil {
		return Download{}, err
	}
	return r.Download, nil
}

var errClosing = errtypes.New(errtypes.Unavailable, "the service is closing")

// write puts the content into a blob, within the room there is at this time,
// and makes the row for it.
func (s *service) write(ctx context.Context, projectID string, n New) (row, error) {
	room, err := s.room(ctx, projectID)
	if err != nil {
		return row{}, err
	}
	in, err := newIncoming(n.Content, room, s.conf.Limits.MaxFile)
	if err != nil {
		return row{}, err
	}
	info, err := s.conf.Blobs.Put(ctx, in, 0)
	if err != nil {
		return row{}, err
	}
	return s.newRow(projectID, Download{
		SessionID: n.SessionID, Filename: filename.Clean(n.Filename), MIMEType: in.mimeType(n.MIMEType),
		Size: info.Size, SHA256: info.SHA256, CRC32: in.crc,
	}, info.Key), nil
}

// room is how many bytes the project may still store. It spares the disk what
// would be refused in the end, and refuses nothing by itself: claim does.
func (s *service) room(ctx context.Context, projectID string) (room int64, err error) {
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		u, err := findUsage(ctx, q, projectID)
		if room = s.conf.Limits.MaxBytes - u.bytes; u.files >= s.conf.Limits.MaxFiles {
			err = errFull
		}
		return err
	})
	return max(0, room), err
}

// insert writes the row, if the project still has room for it. The blob of a
// row that was refused is deleted; where a commit has failed, nobody knows
// whether the row is there, and the blob is left to the sweep.
func (s *service) insert(ctx context.Context, r row) error {
	committing := false
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		fits, err := claim(ctx, tx, r.projectID, r.Size, s.conf.Limits)
		if err != nil {
			return err
		}
		if !fits {
			return errFull
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

func (s *service) Close(ctx context.Context) error {
	s.storing.Close(ctx)
	return nil
}
