package archive

import (
	"archive/tar"
	"context"
	"errors"
	"io"
)

// ErrCut: a tar file ends before its end marker, so that nobody knows what is
// missing.
var ErrCut = errors.New("it ends too early")

// UnpackForeign writes the files of a tar file that comes from elsewhere into a
// folder that is there and empty. One without the marker at its end is
// [ErrCut]. Error kinds: TooLarge; Unavailable for what the disk says; what else
// goes wrong is the file's fault.
func UnpackForeign(ctx context.Context, r io.Reader, dir string, l Limits) (Stats, error) {
	end := &endReader{r: r}
	s, err := unpackAll(ctx, tar.NewReader(end), dir, l, end.mark)
	if err == nil && end.zeros < endMarker {
		err = ErrCut
	}
	return s, err
}

// endMarker is how many zeros stand at the end of a tar file: two blocks.
const endMarker = 2 * 512

// endReader counts the zeros that were read last. A tar reader takes a file for
// complete that ends between two entries, too; only what it read after the last
// entry tells that there was a marker. What fills up that entry's last block is
// less than a block.
type endReader struct {
	r     io.Reader
	zeros int64
}

// mark begins to count anew.
func (e *endReader) mark() { e.zeros = 0 }

func (e *endReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	i := n
	for i > 0 && p[i-1] == 0 {
		i--
	}
	if i > 0 {
		e.zeros = 0
	}
	e.zeros += int64(n - i)
	return n, err
}
