package contexts

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/contexts/internal/archive"
)

// Lease is a context in use. Its methods are called one at a time.
type Lease struct {
	s       *service
	row     row
	who     who
	persist bool
	private *rsa.PrivateKey
	// good is the version that was restored: the one to go back to.
	good string
	free sync.Once
}

// Restored tells what a profile was restored from.
type Restored struct {
	// Bytes and Files are what it came to; 0 for a context that was never saved.
	Bytes int64
	Files int
	// Fault tells why it is not the version that was saved last, but the one
	// before, in words that a caller may see; nil if it is the last.
	Fault error
}

// Saved tells what a version came to.
type Saved struct {
	// Bytes and Files are what the profile came to.
	Bytes int64
	Files int
	// Stored is the size of the archive in bytes.
	Stored int64
}

func (s *service) Open(ctx context.Context, u Use) (_ *Lease, err error) {
	defer errtypes.Wrap(&err, "contexts.Open(%q)", u.ContextID)
	if u.Holder == "" {
		return nil, errtypes.Field("Use.Holder", "is required")
	}
	r, err := s.find(ctx, u.ContextID)
	if err != nil {
		return nil, err
	}
	private, err := s.privateKey(r)
	if err != nil {
		return nil, err
	}
	l := &Lease{s: s, row: r, persist: u.Persist, private: private, who: who{u.Holder, s.conf.DB.InstanceID()}}
	if !u.Persist {
		return l, nil
	}
	if err := s.hold(ctx, l.who, r.ID); err != nil {
		return nil, err
	}
	// What was saved before this moment is what counts.
	if l.row, err = s.find(ctx, r.ID); err != nil {
		return nil, errors.Join(err, l.Free(ctx))
	}
	return l, nil
}

// hold makes somebody the holder, unless another one holds the context. Whether
// the process of that one lives is asked before: one that dies right after still
// holds it, until it is reaped.
func (s *service) hold(ctx context.Context, w who, id string) error {
	if err := s.checkHolder(ctx, id); err != nil {
		return err
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		now, err := findHolder(ctx, tx, id)
		if err != nil {
			return orNotFound(err, id)
		}
		if _, given := s.given.Load(now); now.holder != "" && !given {
			return inUse(id, now.holder)
		}
		ok, err := seize(ctx, tx, id, now, w)
		if err == nil && !ok {
			err = inUse(id, "another session")
		}
		tx.AfterCommit(func() { s.given.Delete(now) })
		return err
	})
}

// checkHolder reaps the process that holds a context, if it has died.
func (s *service) checkHolder(ctx context.Context, id string) error {
	var now who
	err := s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		now, err = findHolder(ctx, q, id)
		return err
	})
	if err != nil || now.instance == "" {
		return orNotFound(err, id)
	}
	return s.conf.Reaper.Check(ctx, now.instance)
}

func inUse(id, holder string) error {
	return errtypes.New(errtypes.Conflict, "context %q is in use by session %s, which will save it: wait until that has ended, or use it without persist", id, holder)
}

// Restore writes the profile that was saved last into a folder that is there
// and empty. If that version is found damaged, the one before takes its place,
// and [Restored].Fault tells why. Error kind Unavailable when neither is whole:
// then nothing is in the folder.
func (l *Lease) Restore(ctx context.Context, dir string) (got Restored, err error) {
	defer errtypes.Wrap(&err, "contexts.Lease.Restore(%q)", l.row.ID)
	for {
		got, err := l.restoreAny(ctx, dir)
		if !errtypes.Is(err, errtypes.Unavailable) {
			return got, err
		}
		// Who only reads may find that another version has been saved meanwhile.
		again, failed := l.s.find(ctx, l.row.ID)
		if failed != nil {
			return Restored{}, failed
		}
		if again.blob == l.row.blob {
			return Restored{}, err
		}
		l.row = again
	}
}

// restoreAny restores the last version, else the one before.
func (l *Lease) restoreAny(ctx context.Context, dir string) (Restored, error) {
	if l.row.blob == "" {
		return Restored{}, nil
	}
	last, err := l.restore(ctx, l.row.blob, dir)
	if err == nil || !isLost(err) {
		return last, err
	}
	if l.row.previous != "" {
		before, again := l.restore(ctx, l.row.previous, dir)
		if again == nil {
			before.Fault = errtypes.New(errtypes.Unavailable, "the version saved last %s, so the one before it is used", lossOf(err)).WithCause(err)
			return before, nil
		}
		err = errors.Join(err, again)
	}
	return Restored{}, errtypes.New(errtypes.Unavailable, "context %q cannot be used: each version that was saved of it is damaged or gone; delete it, or import a profile over it", l.row.ID).WithCause(err)
}

// isLost reports whether a version is not there, or not whole: what trying
// again will not mend.
func isLost(err error) bool {
	return errors.Is(err, archive.ErrDamaged) || errtypes.Is(err, errtypes.NotFound)
}

// lossOf says in words for a caller what has happened to a version.
func lossOf(err error) string {
	if errors.Is(err, archive.ErrDamaged) {
		return "is damaged"
	}
	return "is gone"
}

// Size is about how many bytes the profile that was saved last comes to, before
// it is restored; 0 for none.
func (l *Lease) Size(ctx context.Context) (n int64, err error) {
	defer errtypes.Wrap(&err, "contexts.Lease.Size(%q)", l.row.ID)
	const packs = 4 // what compression makes of the databases that profiles are
	if l.row.blob == "" {
		return 0, nil
	}
	packed, err := l.s.conf.Blobs.Open(ctx, l.row.blob)
	if errtypes.Is(err, errtypes.NotFound) { // Restore goes back to the one before, or says that it is gone
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer packed.Close()
	return packs * packed.Size(), nil
}

func (l *Lease) restore(ctx context.Context, key, dir string) (Restored, error) {
	packed, err := l.s.conf.Blobs.Open(ctx, key)
	if err != nil {
		return Restored{}, err
	}
	defer packed.Close()
	stats, err := archive.Unpack(ctx, packed, packed.Size(), dir, l.private, l.row.ID, l.s.conf.Limits.ofFolder())
	if err != nil {
		return Restored{}, errors.Join(err, clear(dir))
	}
	l.good = key
	return Restored{Bytes: stats.Bytes, Files: stats.Files}, nil
}

// clear empties a folder.
func clear(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(dir+string(os.PathSeparator)+e.Name()))
	}
	return err
}

// Save makes the folder the next version of the context. Until it has returned
// without an error the version before counts. Error kinds: TooLarge, also when
// the contexts of the project come to more than they may; NotFound
// when the context has been deleted meanwhile, Conflict for a lease that may not
// save or has lost its hold, Unavailable when the bytes cannot be kept.
func (l *Lease) Save(ctx context.Context, dir string) (saved Saved, err error) {
	defer errtypes.Wrap(&err, "contexts.Lease.Save(%q)", l.row.ID)
	if !l.persist {
		return Saved{}, errtypes.New(errtypes.Conflict, "this use of the context does not persist")
	}
	info, stats, err := l.pack(ctx, dir)
	if err != nil {
		return Saved{}, err
	}
	if err := l.name(ctx, version{info.Key, info.Size}); err != nil {
		return Saved{}, err
	}
	return Saved{Bytes: stats.Bytes, Files: stats.Files, Stored: info.Size}, nil
}

// pack writes the archive into a blob, from a goroutine of its own: one writes,
// the other reads.
func (l *Lease) pack(ctx context.Context, dir string) (_ blob.Info, stats archive.Stats, err error) {
	public, err := x509.ParsePKIXPublicKey(l.row.PublicKey)
	if err != nil {
		return blob.Info{}, stats, err
	}
	key, ok := public.(*rsa.PublicKey)
	if !ok {
		return blob.Info{}, stats, errors.New("the public key of the context is of another kind")
	}
	r, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		var err error
		stats, err = archive.Pack(ctx, w, dir, key, l.row.ID, l.s.conf.Limits.ofFolder())
		w.CloseWithError(err)
	}()
	info, err := l.s.conf.Blobs.Put(ctx, r, 0)
	r.CloseWithError(errors.Join(err, io.ErrClosedPipe))
	<-done
	return info, stats, err
}

// name makes a blob the version that counts, and drops the ones that do not any
// more. The version to go back to is the one that was restored, which is known
// to be whole.
func (l *Lease) name(ctx context.Context, v version) error {
	committing := false
	err := l.s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		err := l.claim(ctx, tx, v)
		committing = err == nil
		return err
	})
	if err != nil {
		if !committing { // otherwise nobody knows, and it is left to the sweep
			l.s.dropBlobs(ctx, v.blob)
		}
		return err
	}
	for _, old := range []string{l.row.blob, l.row.previous} {
		if old != l.good {
			l.s.dropBlobs(ctx, old)
		}
	}
	l.row.blob, l.row.previous, l.good = v.blob, l.good, v.blob
	return nil
}

// claim names a version, unless the project's contexts come to more than they
// may. One that makes them smaller is welcome in any case.
func (l *Lease) claim(ctx context.Context, tx *storage.Tx, v version) error {
	before, err := total(ctx, tx, l.row.projectID)
	if err != nil {
		return err
	}
	ok, err := nameVersion(ctx, tx, l.row.ID, l.who, v, l.good, l.s.conf.Clock.Now())
	if err != nil {
		return err
	}
	if !ok {
		return l.lost(ctx, tx)
	}
	after, err := total(ctx, tx, l.row.projectID)
	if most := l.s.conf.Limits.MaxTotal; err == nil && most >= 0 && after > most && after > before {
		err = errtypes.New(errtypes.TooLarge, "the contexts of the project would take %d bytes, more than the %d that they may: delete some", after, most)
	}
	return err
}

// lost tells why a version cannot be named.
func (l *Lease) lost(ctx context.Context, tx *storage.Tx) error {
	now, err := findHolder(ctx, tx, l.row.ID)
	if err != nil {
		return orNotFound(err, l.row.ID)
	}
	return errtypes.New(errtypes.Conflict, "context %q is held by another session by now: %s", l.row.ID, now.holder)
}

// Free lets others hold the context. It is idempotent, and works for a caller
// that has gone, too. Where that cannot be written, who opens the context in this
// process next takes it all the same.
func (l *Lease) Free(ctx context.Context) (err error) {
	defer errtypes.Wrap(&err, "contexts.Lease.Free(%q)", l.row.ID)
	if l.persist {
		l.free.Do(func() {
			err = l.s.conf.DB.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx *storage.Tx) error {
				_, err := seize(ctx, tx, l.row.ID, l.who, who{})
				return err
			})
			if err != nil {
				l.s.given.Store(l.who, true)
			}
		})
	}
	return err
}
