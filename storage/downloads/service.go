package downloads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// Open returns the service. It is closed before the database.
func Open(c Config) (_ Service, err error) {
	defer errtypes.Wrap(&err, "downloads.Open")
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &service{conf: c.withDefaults(), storing: lifecycle.NewCalls(errClosing)}
	s.keep()
	return s, nil
}

func (s *service) List(ctx context.Context, q Query) (page Page, err error) {
	defer errtypes.Wrap(&err, "downloads.List")
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Page{}, err
	}
	q.Limit = cmp.Or(q.Limit, defaultLimit)
	if err := q.validate(); err != nil {
		return Page{}, err
	}
	page = Page{Limit: q.Limit, Offset: q.Offset}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, r storage.Querier) error {
		if page.Total, err = countRows(ctx, r, project.ID, q); err != nil {
			return err
		}
		page.Downloads, err = listRows(ctx, r, project.ID, q)
		return err
	})
	return page, err
}

const (
	defaultLimit = 20
	maxLimit     = 100
	// maxFilter is the longest filter, in characters.
	maxFilter = 255
)

func (q Query) validate() error {
	switch {
	case q.SessionID == "":
		return errtypes.Field("sessionId", "is required")
	case q.Limit < 1 || q.Limit > maxLimit:
		return errtypes.Field("limit", "must be 1 to %d", maxLimit)
	case q.Offset < 0:
		return errtypes.Field("offset", "must not be below 0")
	case q.MinSize != nil && *q.MinSize < 0:
		return errtypes.Field("minSize", "must not be below 0")
	case q.MaxSize != nil && *q.MaxSize < 0:
		return errtypes.Field("maxSize", "must not be below 0")
	}
	return errors.Join(validText("filename", q.Filename), validText("mimeType", q.MIMEType))
}

func validText(field, s string) error {
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > maxFilter {
		return errtypes.Field(field, "must be at most %d characters of valid UTF-8", maxFilter)
	}
	return nil
}

func (s *service) All(ctx context.Context, sessionID string) (_ []Download, err error) {
	defer errtypes.Wrap(&err, "downloads.All(%q)", sessionID)
	return projects.Read(ctx, s.conf.Callers, s.conf.DB, func(ctx context.Context, q storage.Querier, projectID string) ([]Download, error) {
		return ofSession(ctx, q, projectID, sessionID)
	})
}

func (s *service) Get(ctx context.Context, id string) (_ Download, err error) {
	defer errtypes.Wrap(&err, "downloads.Get(%q)", id)
	r, err := s.find(ctx, id)
	return r.Download, err
}

func (s *service) find(ctx context.Context, id string) (row, error) {
	r, err := projects.Read(ctx, s.conf.Callers, s.conf.DB, func(ctx context.Context, q storage.Querier, projectID string) (row, error) {
		return findRow(ctx, q, projectID, id)
	})
	if errors.Is(err, storage.ErrNoRow) {
		err = notFound(id)
	}
	return r, err
}

func notFound(id string) error { return errtypes.New(errtypes.NotFound, "there is no download %q", id) }

func (s *service) Open(ctx context.Context, id string) (_ io.ReadSeekCloser, _ Download, err error) {
	defer errtypes.Wrap(&err, "downloads.Open(%q)", id)
	r, err := s.find(ctx, id)
	if err != nil {
		return nil, Download{}, err
	}
	content, err := s.conf.Blobs.Open(ctx, r.blob)
	if errtypes.Is(err, errtypes.NotFound) { // it was deleted just now
		err = notFound(id)
	}
	if err != nil {
		return nil, Download{}, err
	}
	if content.Size() != r.Size { // the loss of power can do this, unless every write is synced
		err := fmt.Errorf("its file has %d bytes instead of %d", content.Size(), r.Size)
		return nil, Download{}, errors.Join(err, content.Close())
	}
	return content, r.Download, nil
}

func (s *service) Delete(ctx context.Context, id string) (err error) {
	defer errtypes.Wrap(&err, "downloads.Delete(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return err
	}
	n, err := s.remove(ctx, deleteOne, id, project.ID)
	if err == nil && n == 0 {
		err = notFound(id)
	}
	return err
}

func (s *service) DeleteOf(ctx context.Context, sessionID string) (n int, err error) {
	defer errtypes.Wrap(&err, "downloads.DeleteOf(%q)", sessionID)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return 0, err
	}
	for {
		gone, err := s.remove(ctx, deleteOfQuery, project.ID, sessionID, batch)
		n += gone
		if err != nil || gone < batch {
			return n, err
		}
	}
}

// batch is how many rows go in one transaction: others wait for the writer.
const batch = 100

// remove deletes rows and then their blobs. A blob that stays is swept, so that
// it is no error of the caller's.
func (s *service) remove(ctx context.Context, query string, args ...any) (int, error) {
	var blobs []string
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		blobs, err = remove(ctx, tx, query, args...)
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, key := range blobs {
		s.dropBlob(ctx, key)
	}
	return len(blobs), nil
}

// dropBlob deletes a blob even for a caller that has gone.
func (s *service) dropBlob(ctx context.Context, key string) {
	if err := s.conf.Blobs.Delete(context.WithoutCancel(ctx), key); err != nil {
		s.conf.Logger.Warn("downloads: a file cannot be deleted; it is tried again later", "error", err)
	}
}

// newRow makes the row of a blob.
func (s *service) newRow(projectID string, d Download, blob string) row {
	d.ID = ids.New()
	d.CreatedAt = storage.Time(storage.Millis(s.conf.Clock.Now()))
	return row{d, projectID, blob}
}
