package sessions

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
)

// Upload is a file for a session.
type Upload struct {
	// Filename is a name without a path: at most 255 bytes, no control
	// characters.
	Filename string
	// Content is read once.
	Content io.Reader
}

// Upload implements [Service].
func (s *service) Upload(ctx context.Context, id string, u Upload) (err error) {
	defer errtypes.Wrap(&err, "sessions.Upload(%q)", id)
	r, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	l := s.find(id)
	switch {
	case l != nil:
		return l.take(u)
	case r.Status != Running:
		return notOpen(r)
	}
	return s.giveOwner(ctx, r, u)
}

// take takes a file for the session's pages.
func (l *live) take(u Upload) error {
	if !validName(u.Filename) {
		return errtypes.Field("file", "must have a name of at most 255 bytes without a path")
	}
	if err := l.countUpload(); err != nil {
		return err
	}
	path, err := l.write(u)
	if err != nil {
		return err
	}
	l.browser.Offer(u.Filename, path)
	return nil
}

func validName(name string) bool {
	return name != "" && name != "." && name != ".." && len(name) <= 255 && utf8.ValidString(name) &&
		!strings.ContainsAny(name, `/\:`) && !strings.ContainsFunc(name, unicode.IsControl)
}

var errEnding = errtypes.New(errtypes.Conflict, "the session has ended")

// countUpload also holds the session's end back until the file is written,
// since that removes them all.
func (l *live) countUpload() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.ending:
		return errEnding
	case l.uploads >= l.conf.Limits.MaxUploads:
		return errtypes.New(errtypes.RateLimited, "the session has been given %d files, as many as it may", l.uploads)
	}
	l.uploads++
	l.wg.Add(1)
	return nil
}

// write puts the content into the session's directory, whole or not at all.
func (l *live) write(u Upload) (path string, err error) {
	defer l.wg.Done()
	dir, err := l.files.of(l.ID)
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "part-")
	if err != nil {
		return "", err
	}
	n, err := io.Copy(f, io.LimitReader(&whileLive{l, u.Content}, l.conf.Limits.MaxUpload+1))
	err = errors.Join(err, f.Close())
	if err == nil && n > l.conf.Limits.MaxUpload {
		err = errtypes.New(errtypes.TooLarge, "the file is longer than %d bytes", l.conf.Limits.MaxUpload)
	}
	path = filepath.Join(dir, u.Filename)
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return path, nil
}

// whileLive is a reader that fails once the session is ending, which waits.
type whileLive struct {
	*live
	from io.Reader
}

func (r *whileLive) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, errEnding
	}
	return r.from.Read(p)
}
