package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal/stream"
)

// maxWindow is what a frame of Zstandard may ask of memory: twice what is written.
const maxWindow = 8 << 20

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// archive reads the files of a backup one after the other, and trusts none.
type archive struct {
	from      *source
	packed    *zstd.Decoder
	tar       *tar.Reader
	digest    *digest
	encrypted bool
}

// source is where a backup is read from. It keeps the error that reading fails
// with, which is no fault of the backup.
type source struct {
	ended
	n   int64
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.ended.Read(p)
	s.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// entry is a file of a backup.
type entry struct {
	name string
	size int64
	sum  [32]byte
}

func openArchive(ctx context.Context, r io.Reader, passphrase string) (*archive, error) {
	a := &archive{from: &source{ended: ended{ctx, r}}, digest: newDigest()}
	in, err := a.decrypted(bufio.NewReaderSize(a.from, 64<<10), passphrase)
	if err != nil {
		return nil, err
	}
	a.packed, err = zstd.NewReader(in, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(2))
	if err != nil {
		return nil, a.fault(err)
	}
	a.tar = tar.NewReader(a.packed)
	return a, nil
}

func (a *archive) close() { a.packed.Close() }

// decrypted looks at the first bytes.
func (a *archive) decrypted(in *bufio.Reader, passphrase string) (*bufio.Reader, error) {
	start, err := in.Peek(len(stream.Magic))
	if a.from.err != nil {
		return nil, a.from.err
	}
	if a.encrypted = string(start) == stream.Magic; !a.encrypted {
		if err != nil || !bytes.HasPrefix(start, zstdMagic) {
			return nil, errtypes.New(errtypes.Invalid, "this is no backup of Drover")
		}
		if passphrase != "" {
			return nil, errtypes.Field("Passphrase", "is given, but the backup is not encrypted: nothing vouches that it is the one that was made with this passphrase")
		}
		return in, nil
	}
	if passphrase == "" {
		return nil, errtypes.Field("Passphrase", "is missing: the backup is encrypted")
	}
	plain, err := stream.NewReader(in, passphrase)
	if err != nil {
		return nil, a.fault(err)
	}
	in = bufio.NewReaderSize(plain, 64<<10)
	if _, err := in.Peek(1); err != nil {
		return nil, a.fault(err)
	}
	return in, nil
}

// fault explains why a backup cannot be read on.
func (a *archive) fault(err error) error {
	_, ours := errors.AsType[*errtypes.Error](err)
	switch {
	case a.from.err != nil:
		return a.from.err
	case ours:
		return err
	case errors.Is(err, stream.ErrPassphrase):
		return errtypes.Field("Passphrase", "does not open the backup, or its beginning is damaged")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return damaged("it ends too early; a part of it is missing")
	default:
		return damaged("it cannot be read on behind %d files", a.digest.files).WithCause(err)
	}
}

// next goes on to the next file. What is no plain file with a hash is refused.
func (a *archive) next() (entry, error) {
	h, err := a.tar.Next()
	if err != nil {
		return entry{}, a.fault(err)
	}
	sum, err := hex.DecodeString(h.PAXRecords[hashRecord])
	if h.Typeflag != tar.TypeReg || h.Size < 0 || len(sum) != sha256.Size || err != nil {
		return entry{}, damaged("it has something that Drover does not write")
	}
	for key := range h.PAXRecords { // a sparse file would be larger than what is read
		if !slices.Contains([]string{hashRecord, "path", "size", "mtime"}, key) {
			return entry{}, damaged("it has something that Drover does not write")
		}
	}
	return entry{h.Name, h.Size, [32]byte(sum)}, nil
}

// want goes on to the next file, which must be that one and not larger than so
// many bytes.
func (a *archive) want(name string, most int64) (entry, error) {
	e, err := a.next()
	if err == nil && (e.name != name || e.size > most) {
		err = damaged("%s is not where it should be, or too large", name)
	}
	return e, err
}

// copy copies the file that next has gone to, and compares its hash.
func (a *archive) copy(to io.Writer, e entry, told func(n int64)) error {
	sum := sha256.New()
	out := &sink{w: to}
	err := copyTold(io.MultiWriter(out, sum), a.tar, told)
	if out.err != nil {
		return out.err
	}
	if err != nil {
		return a.fault(err)
	}
	if [32]byte(sum.Sum(nil)) != e.sum {
		return damaged("%s is not what was saved", e.name)
	}
	a.digest.add(e.name, e.size, e.sum)
	return nil
}

// sink keeps the error that writing fails with, which is no fault of the backup.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

// json reads a small file.
func (a *archive) json(name string, v any) error {
	e, err := a.want(name, maxHead)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := a.copy(&text, e, func(int64) {}); err != nil {
		return err
	}
	if err := json.Unmarshal(text.Bytes(), v); err != nil {
		return damaged("%s is not what Drover writes", name)
	}
	return nil
}

// end reads the last file, and that nothing follows.
func (a *archive) end() error {
	want := a.digest.tail()
	var has tail
	if err := a.json(endName, &has); err != nil {
		return err
	}
	if has != want {
		return damaged("its files are not those that were saved")
	}
	if _, err := a.tar.Next(); !errors.Is(err, io.EOF) {
		return damaged("something follows its end")
	}
	n, err := io.Copy(io.Discard, io.LimitReader(a.packed, 1))
	if err != nil {
		return a.fault(err)
	}
	if n > 0 {
		return damaged("something follows its end")
	}
	return nil
}
