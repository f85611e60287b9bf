package chrome

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
)

// uploads counts what a session has written for pages to read.
type uploads struct {
	files int
	bytes int64
}

// WriteFiles writes files into the session's directory and returns where they
// are. On an error nothing is left.
func (s *session) WriteFiles(files []browser.File) (paths []string, err error) {
	limits := s.p.opts.Limits
	if len(files) == 0 || len(files) > limits.UploadFiles {
		return nil, errtypes.Field("files", "must be between 1 and %d", limits.UploadFiles)
	}
	dir, err := s.folder("uploads")
	if err != nil {
		return nil, errtypes.New(errtypes.Unavailable, "no directory can be made for uploads").WithCause(err)
	}
	defer func() {
		if err != nil {
			removeEach(paths)
			paths = nil
		}
	}()
	left := min(limits.UploadBytes, limits.UploadedBytes-s.uploads.bytes)
	var written int64
	for _, f := range files {
		s.uploads.files++
		path, n, err := writeFile(filepath.Join(dir, strconv.Itoa(s.uploads.files)), f, left-written)
		if path != "" {
			paths = append(paths, path)
		}
		if errors.Is(err, errTooMuch) {
			err = errtypes.Field("files", "are too large: at most %d bytes at once, and %d in a session", limits.UploadBytes, limits.UploadedBytes)
		}
		if err != nil {
			return paths, err
		}
		written += n
	}
	s.uploads.bytes += written
	return paths, nil
}

var errTooMuch = errors.New("too many bytes")

// writeFile writes one file into a directory of its own, so that it can have
// the name that the page is to see.
func writeFile(dir string, f browser.File, limit int64) (path string, n int64, err error) {
	if f.Content == nil {
		return "", 0, errtypes.Field("files", "must have contents")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", 0, err
	}
	path = filepath.Join(dir, fileName(f.Name))
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return path, 0, fmt.Errorf("a file to upload cannot be written: %w", err)
	}
	defer func() { err = cmp.Or(err, out.Close()) }()
	n, err = io.Copy(out, io.LimitReader(f.Content, limit+1))
	if err == nil && n > limit {
		err = errTooMuch
	}
	return path, n, err
}

func removeEach(paths []string) {
	for _, path := range paths {
		os.RemoveAll(filepath.Dir(path))
	}
}

// maxName bounds a file's name in bytes, as file systems do.
const maxName = 200

// fileName makes a name that is one on every system out of any text.
func fileName(name string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case r < ' ', r == 0x7f, r == utf8.RuneError, page.Invisible(r):
			return -1
		case strings.ContainsRune(`<>:"|?*`, r):
			return '_'
		}
		return r
	}, name)
	name = strings.TrimLeft(strings.TrimRight(name, ". "), " ")
	if ext := filepath.Ext(name); len(name) > maxName && len(ext) < 20 {
		name = strings.ToValidUTF8(name[:maxName-len(ext)], "") + ext
	}
	return cmp.Or(strings.ToValidUTF8(name[:min(len(name), maxName)], ""), "file")
}
