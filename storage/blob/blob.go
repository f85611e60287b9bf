// Package blob keeps the bytes of files: downloads, archives, uploads, logs.
//
// A blob has a random key and never changes. It is written before the row that
// names it and deleted after it, so a crash leaves at worst a blob that no row
// names; [Sweep] removes those.
package blob

import (
	"context"
	"crypto/rand"
	"io"
	"iter"
	"regexp"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// Info describes a blob that has been written.
type Info struct {
	// Key names the blob: 26 random lower-case letters and digits.
	Key string
	// Size in bytes.
	Size int64
	// SHA256 of the content.
	SHA256 [32]byte
}

// Entry is a blob that exists.
type Entry struct {
	Key  string
	Size int64
	// WrittenAt is when the blob was completed.
	WrittenAt time.Time
}

// Reader reads a blob; it can seek, so that ranges can be served.
type Reader interface {
	io.ReadSeekCloser
	// Size of the blob in bytes.
	Size() int64
}

// Store keeps blobs.
//
// The interface may gain methods; implement it only inside Drover.
type Store interface {
	// Put writes what r yields, at most limit bytes; 0 sets no limit. Nothing
	// remains of a write that fails. Error kinds: TooLarge over the limit,
	// Unavailable when the bytes cannot be kept, and whatever r fails with.
	Put(ctx context.Context, r io.Reader, limit int64) (Info, error)
	// Open returns a blob to read and close. Error kind NotFound.
	Open(ctx context.Context, key string) (Reader, error)
	// Delete removes a blob, whose row has to be gone by then. It is no error when
	// there is none. Readers that are open may go on.
	Delete(ctx context.Context, key string) error
	// All yields every blob in no particular order.
	All(ctx context.Context) iter.Seq2[Entry, error]
	// TryWrite writes a few bytes and removes them. Error kind Unavailable when
	// nothing can be written.
	TryWrite(ctx context.Context) error
	// Hold keeps every blob that is there until the hold is released. One hold at
	// a time, of all processes: error kinds Conflict during another one,
	// Unavailable when it cannot be noted.
	Hold(ctx context.Context) (Hold, error)
}

func newKey() string { return strings.ToLower(rand.Text()) }

var keyForm = regexp.MustCompile(`^[a-z2-7]{26}$`)

// notFound is also the answer to a key that no store made: it could be a path.
func notFound(key string) error {
	return errtypes.New(errtypes.NotFound, "there is no blob %q", key)
}

func tooLarge(limit int64) error {
	return errtypes.New(errtypes.TooLarge, "the content is larger than %d bytes", limit)
}

// Sweep deletes the blobs that were written before a time and that no row
// names. used reports whether one does; the time spares those whose row is
// about to be written. It returns how many it deleted. What a process that
// died left unfinished goes, too, as [NewDir] does it.
func Sweep(ctx context.Context, s Store, before time.Time, used func(ctx context.Context, key string) (bool, error)) (n int, err error) {
	defer errtypes.Wrap(&err, "blob.Sweep")
	if d, ok := s.(*dir); ok {
		if err := d.dropAbandoned(); err != nil {
			return 0, err
		}
	}
	for e, err := range s.All(ctx) {
		if err != nil {
			return n, err
		}
		if !e.WrittenAt.Before(before) {
			continue
		}
		named, err := used(ctx, e.Key)
		if err != nil {
			return n, err
		}
		if named {
			continue
		}
		if err := s.Delete(ctx, e.Key); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// limited fails with TooLarge once more than limit bytes have been read, and
// with the context's error once that has ended.
type limited struct {
	ctx   context.Context
	r     io.Reader
	limit int64
	read  int64
}

func (l *limited) Read(p []byte) (int, error) {
	if err := context.Cause(l.ctx); err != nil {
		return 0, err
	}
	n, err := l.r.Read(p)
	l.read += int64(n)
	if l.limit > 0 && l.read > l.limit {
		return 0, tooLarge(l.limit)
	}
	return n, err
}
