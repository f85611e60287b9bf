package backup

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/time/rate"

	"github.com/drover-go/drover/errtypes"
)

func (b *writing) json(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return b.bytes(name, append(text, '\n'))
}

func (b *writing) bytes(name string, content []byte) error {
	if err := b.header(name, int64(len(content)), sha256.Sum256(content)); err != nil {
		return err
	}
	_, err := b.tar.Write(content)
	return err
}

func (b *writing) header(name string, size int64, sum [32]byte) error {
	b.digest.add(name, size, sum)
	return b.tar.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: b.head.CreatedAt.Truncate(time.Second),
		Format: tar.FormatPAX, PAXRecords: map[string]string{hashRecord: hex.EncodeToString(sum[:])},
	})
}

func (b *writing) database(ctx context.Context) error {
	f, err := os.Open(b.path)
	if err != nil {
		return err
	}
	defer f.Close()
	return b.large(ctx, databaseName, f, b.head.Database, func(done int64) { tell(b.o.Progress, "read database", done, b.head.Database) })
}

// maxSmall is the size of a blob that is read once, into memory.
const maxSmall = 1 << 20

func (b *writing) blob(ctx context.Context, n named) error {
	r, err := b.open(ctx, n)
	if err != nil {
		return err
	}
	defer r.Close()
	before := b.done
	if r.Size() > maxSmall {
		err = b.large(ctx, blobName(n.folder, n.key), r, r.Size(), func(done int64) { tell(b.o.Progress, "files", before+done, b.head.Bytes) })
	} else {
		b.small.Reset()
		if _, err := b.small.ReadFrom(b.paced(ctx, r)); err != nil {
			return err
		}
		err = b.bytes(blobName(n.folder, n.key), b.small.Bytes())
	}
	b.done += r.Size()
	tell(b.o.Progress, "files", b.done, b.head.Bytes)
	return err
}

// large writes a file that is read twice, since its hash stands before it: the
// second time it comes from the memory of the system, and is compared.
func (b *writing) large(ctx context.Context, name string, r io.ReadSeeker, size int64, done func(int64)) error {
	sum := sha256.New()
	if _, err := io.Copy(yielding{sum}, b.paced(ctx, r)); err != nil {
		return err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	first := [32]byte(sum.Sum(nil))
	if err := b.header(name, size, first); err != nil {
		return err
	}
	sum.Reset()
	if err := copyTold(io.MultiWriter(b.tar, sum), ended{ctx, r}, done); err != nil {
		return err
	}
	if [32]byte(sum.Sum(nil)) != first {
		return errtypes.New(errtypes.Conflict, "the file %s has changed while it was read", name)
	}
	return nil
}

// copyTold copies and tells of each megabyte.
func copyTold(w io.Writer, r io.Reader, told func(n int64)) error {
	for n := int64(0); ; {
		more, err := io.CopyN(w, r, 1<<20)
		n += more
		told(n)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// paced reads no faster than allowed, and no longer than the context.
func (b *writing) paced(ctx context.Context, r io.Reader) io.Reader {
	if b.pace == nil {
		return ended{ctx, r}
	}
	return pacedReader{ctx, r, b.pace}
}

type pacedReader struct {
	ctx  context.Context
	r    io.Reader
	pace *rate.Limiter
}

func (p pacedReader) Read(to []byte) (int, error) {
	n, err := p.r.Read(to[:min(len(to), leastRate)])
	if waited := p.pace.WaitN(p.ctx, n); waited != nil {
		return n, context.Cause(p.ctx)
	}
	return n, err
}
