// Package source unpacks the archives that programs are published as: tar files, most
// in gzip, and zip files whose entries are files and directories. Nothing in them is
// trusted.
package source

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/shorten"
)

// Limits bound an archive. The zero value of every field stands for its default.
type Limits struct {
	// MaxUnpacked is how many bytes the files may have together. Default 200 MiB.
	MaxUnpacked int64
	// MaxFiles is how many files and directories there may be, those included that have
	// no entry of their own. Default 20,000.
	MaxFiles int
	// MaxPath is the longest path in bytes, MaxDepth how many parts it may have.
	// Default 400 and 40.
	MaxPath, MaxDepth int
}

func (l Limits) withDefaults() Limits {
	l.MaxUnpacked = cmp.Or(l.MaxUnpacked, 200<<20)
	l.MaxFiles = cmp.Or(l.MaxFiles, 20_000)
	l.MaxPath = cmp.Or(l.MaxPath, 400)
	l.MaxDepth = cmp.Or(l.MaxDepth, 40)
	return l
}

// Options configure [Unpack].
type Options struct {
	Limits
	// Skip are names of directories at the root that are left out: what a publisher
	// sends and nobody may use, such as results of an earlier build.
	Skip []string
	// Any takes tar files without gzip and zip files, too, told apart by their first
	// bytes. The reader has to be an [io.ReadSeeker] for a zip file. Default false.
	Any bool
}

// Unpack writes the files of an archive below dir, which is there and empty. Links
// and special files are left out, and their names returned. What dir holds after an
// error is to be removed. Error kinds: Invalid for what is no archive, a path that
// leads out of it or that stands twice, and beyond the limits; those of the context.
func Unpack(ctx context.Context, r io.Reader, dir string, o Options) (left []string, err error) {
	defer errtypes.Wrap(&err, "source.Unpack")
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	o.Limits = o.Limits.withDefaults()
	u := &unpacking{root: root, o: o, made: map[string]bool{}, left: o.MaxUnpacked}
	in := bufio.NewReader(r)
	if head, _ := in.Peek(4); o.Any && string(head) == zipMagic {
		return u.zip(ctx, r)
	} else if o.Any && !bytes.HasPrefix(head, gzipMagic) {
		return u.tar(ctx, in)
	}
	zipped, err := gzip.NewReader(in)
	if err != nil {
		return nil, errtypes.New(errtypes.Invalid, "the archive is no tar file in gzip").WithCause(err)
	}
	return u.tar(ctx, zipped)
}

// How archives begin.
const zipMagic = "PK\x03\x04"

var gzipMagic = []byte{0x1f, 0x8b}

func (u *unpacking) tar(ctx context.Context, r io.Reader) ([]string, error) {
	files := tar.NewReader(&counted{r: r, left: u.o.MaxUnpacked + headers})
	for {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return u.skipped, nil
		}
		if err != nil {
			return nil, broken(err)
		}
		if err := u.entry(h.Name, h.FileInfo().Mode(), h.Typeflag == tar.TypeReg, files); err != nil {
			return nil, err
		}
	}
}

// headers is how much an archive may have beside its files.
const headers = 64 << 20

// unpacking is an archive on its way.
type unpacking struct {
	root    *os.Root
	o       Options
	files   int
	made    map[string]bool // directories
	left    int64           // bytes that may still be written
	skipped []string
}

func broken(err error) error {
	if e := (*errtypes.Error)(nil); errors.As(err, &e) {
		return err
	}
	return errtypes.New(errtypes.Invalid, "the archive is not whole").WithCause(err)
}

// entry unpacks one; a regular one has content.
func (u *unpacking) entry(path string, mode fs.FileMode, regular bool, content io.Reader) error {
	name, err := u.clean(path)
	if err != nil || name == "." || u.leftOut(name) {
		return err
	}
	if mode.IsDir() && !u.made[name] {
		return u.directory(name)
	}
	if err := u.count(); err != nil {
		return err
	}
	switch {
	case mode.IsDir():
		return u.directory(name)
	case regular:
		return u.file(name, mode, content)
	}
	u.skipped = append(u.skipped, name)
	return nil
}

// count counts a file or directory.
func (u *unpacking) count() error {
	if u.files++; u.files > u.o.MaxFiles {
		return errtypes.New(errtypes.Invalid, "the archive has more than %d files", u.o.MaxFiles)
	}
	return nil
}

// maxPart is the longest name of a file, in bytes, that systems take.
const maxPart = 255

// clean refuses a path that leads out of the archive, or that systems read
// differently.
func (u *unpacking) clean(name string) (string, error) {
	shown := shorten.Bytes(name, 100)
	switch {
	case name == "" || strings.ContainsAny(name, "\x00\\") || strings.HasPrefix(name, "/"):
		return "", errtypes.New(errtypes.Invalid, "the archive has a file with the path %q, which is not below its root", shown)
	case len(name) > u.o.MaxPath:
		return "", errtypes.New(errtypes.Invalid, "the archive has a path of more than %d bytes: %q", u.o.MaxPath, shown)
	}
	parts := strings.Split(strings.TrimSuffix(name, "/"), "/")
	if slices.ContainsFunc(parts, func(part string) bool { return len(part) > maxPart }) {
		return "", errtypes.New(errtypes.Invalid, "the archive has a name of more than %d bytes: %q", maxPart, shown)
	}
	if len(parts) > u.o.MaxDepth {
		return "", errtypes.New(errtypes.Invalid, "the archive has a path of more than %d parts: %q", u.o.MaxDepth, shown)
	}
	if slices.Contains(parts, "..") {
		return "", errtypes.New(errtypes.Invalid, "the archive has a file with the path %q, which is not below its root", shown)
	}
	return path.Clean(name), nil
}

func (u *unpacking) leftOut(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return slices.Contains(u.o.Skip, first)
}

func (u *unpacking) file(name string, as fs.FileMode, content io.Reader) (err error) {
	if err := u.directory(path.Dir(name)); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if as&0o100 != 0 {
		mode = 0o755
	}
	w, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return u.unwritten(name, err)
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	n, err := io.Copy(w, io.LimitReader(content, u.left+1))
	if u.left -= n; u.left < 0 {
		return errtypes.New(errtypes.Invalid, "the files of the archive have more than %d bytes", u.o.MaxUnpacked)
	}
	if lost := (*fs.PathError)(nil); errors.As(err, &lost) {
		return u.unwritten(name, err)
	}
	if err != nil {
		return broken(err)
	}
	return nil
}

// directory makes one, and those that it is in. All of them count.
func (u *unpacking) directory(name string) error {
	if name == "." || u.made[name] {
		return nil
	}
	for at := name; at != "." && !u.made[at]; at = path.Dir(at) {
		if err := u.count(); err != nil {
			return err
		}
		u.made[at] = true
	}
	if err := u.root.MkdirAll(name, 0o755); err != nil {
		return u.unwritten(name, err)
	}
	return nil
}

// unwritten tells what the archive is to blame for from what the machine is.
func (u *unpacking) unwritten(name string, err error) error {
	switch {
	case isAny(err, fs.ErrExist, syscall.EISDIR, syscall.ENOTDIR):
		if file := u.fileOn(name); file != "" && file != name {
			return errtypes.New(errtypes.Invalid, "the archive has %q as a file, and files below it", shorten.Bytes(file, 100)).WithCause(err)
		}
		return errtypes.New(errtypes.Invalid, "the archive has the path %q twice", shorten.Bytes(name, 100)).WithCause(err)
	case isAny(err, fs.ErrInvalid, syscall.ENAMETOOLONG, syscall.EILSEQ):
		return errtypes.New(errtypes.Invalid, "the archive has a path that cannot be a file here: %q", shorten.Bytes(name, 100)).WithCause(err)
	}
	return errtypes.New(errtypes.Unavailable, "the archive cannot be unpacked").WithCause(err)
}

func isAny(err error, all ...error) bool {
	return slices.ContainsFunc(all, func(one error) bool { return errors.Is(err, one) })
}

// fileOn returns the first part of a path that is there as a file; empty for none.
func (u *unpacking) fileOn(name string) string {
	for i := range len(name) + 1 {
		if i < len(name) && name[i] != '/' {
			continue
		}
		if info, err := u.root.Lstat(name[:i]); err != nil {
			return ""
		} else if !info.IsDir() {
			return name[:i]
		}
	}
	return ""
}

// counted breaks off what unpacks to more than can be wanted.
type counted struct {
	r    io.Reader
	left int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return n, errtypes.New(errtypes.Invalid, "the archive unpacks to more than is taken")
	}
	return n, err
}
