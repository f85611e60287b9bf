package chrome

import (
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
)

// kind is the MIME type of a file: what it was answered as, where that was
// seen; that of an address that is the content itself; else what its first
// bytes look like. It leaves the file at its beginning.
func (item *download) kind(answered string, f io.ReadSeeker) (string, error) {
	if answered != "" {
		return answered, nil
	}
	if own, ok := strings.CutPrefix(item.url, "data:"); ok {
		return page.CutText(plainType(own), 200), nil
	}
	head := make([]byte, 512) // which is all that is looked at
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", err
	}
	_, err = f.Seek(0, io.SeekStart)
	return looksLike(head[:n], item.name), err
}

// vague are types that say what a file is made of, and not what it is. Its name
// may know more.
var vague = []string{"application/octet-stream", "application/zip", "text/plain", "text/xml"}

func looksLike(head []byte, name string) string {
	kind := plainType(http.DetectContentType(head))
	if !slices.Contains(vague, kind) {
		return kind
	}
	if named := mime.TypeByExtension(path.Ext(name)); named != "" {
		return plainType(named)
	}
	return kind
}

// plainType is a type without parameters. Without a type it is that of text, as
// in addresses that are content.
func plainType(s string) string {
	s, _, _ = strings.Cut(s, ";")
	if s = strings.ToLower(strings.TrimSpace(s)); s == "" {
		return "text/plain"
	}
	return s
}
