package downloads

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

const (
	// sniffLen is how much of a content its type is told from.
	sniffLen = 512
	// maxType is the longest MIME type that is believed, in bytes.
	maxType = 255
	// unknownType is that of bytes nobody knows more about.
	unknownType = "application/octet-stream"
)

// incoming is a content on its way into a blob. It counts and sums what passes
// and fails before more passes than there is room for.
type incoming struct {
	r    io.Reader
	head []byte // its beginning, which has been read ahead
	crc  uint32
	size int64
	room int64 // what the project has left, in bytes
	max  int64 // the largest file, in bytes
}

func newIncoming(r io.Reader, room, most int64) (*incoming, error) {
	if r == nil {
		r = strings.NewReader("")
	}
	head := make([]byte, sniffLen)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	in := &incoming{r: r, head: head[:n], room: room, max: most}
	if n < sniffLen {
		in.r = bytes.NewReader(nil) // it has ended, and need not be asked again
	}
	in.r = io.MultiReader(bytes.NewReader(in.head), in.r)
	return in, nil
}

func (in *incoming) Read(p []byte) (int, error) {
	n, err := in.r.Read(p)
	in.size += int64(n)
	in.crc = crc32.Update(in.crc, crc32.IEEETable, p[:n])
	switch {
	case in.size > in.max:
		return 0, errtypes.New(errtypes.TooLarge, "the file is larger than %d bytes", in.max)
	case in.size > in.room:
		return 0, errFull
	}
	return n, err
}

// errFull is a Conflict and not RateLimited: no room comes of waiting, so that
// clients are not to try again, and the caller can do something about it.
var errFull = errtypes.New(errtypes.Conflict, "the project has no room for the file: its downloads have reached their limit; delete some of them")

// mimeType is the declared type if it is one, else what the content looks
// like.
func (in *incoming) mimeType(declared string) string {
	if t, ok := validType(declared); ok {
		return t
	}
	if len(in.head) == 0 {
		return unknownType
	}
	t, _ := validType(http.DetectContentType(in.head))
	return t
}

// validType returns a type and a subtype in lower case, without parameters.
func validType(s string) (string, bool) {
	if len(s) > maxType {
		return "", false
	}
	t, _, err := mime.ParseMediaType(s)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return "", false
	}
	kind, sub, _ := strings.Cut(t, "/")
	return t, kind != "" && sub != "" && kind != "*" && sub != "*"
}
