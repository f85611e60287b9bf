package joblog

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// batch is how many parts are read at a time. Each entry fits into so many.
const batch = 32

// Entries yields the entries of a log from a number on, oldest first, as far as
// they are kept. Error kind NotFound when there is no such log.
func (s *Logs) Entries(ctx context.Context, id string, from int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		r := reader{s: s, id: id, next: from, yield: yield}
		r.run(ctx, nil)
	}
}

// Follow yields the entries of a log from a number on, and further ones as they
// are written, until the log ends. It polls nothing. Error kinds: NotFound when
// there is no such log, or it is deleted; Unavailable when the process closes;
// those of the context.
func (s *Logs) Follow(ctx context.Context, id string, from int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		changes := s.conf.Notify.Subscribe(topic(id))
		defer changes.Close()
		r := reader{s: s, id: id, next: from, yield: yield}
		r.run(ctx, changes.C())
	}
}

// reader reads a log for an iterator.
type reader struct {
	s     *Logs
	id    string
	next  int64
	yield func(Entry, error) bool
}

// errStop is that the iteration was broken off.
var errStop = errors.New("joblog: nobody reads on")

// run yields what there is, then again with each change, if these are given,
// until the log has ended.
func (r *reader) run(ctx context.Context, changes <-chan struct{}) {
	for {
		ended, err := r.all(ctx)
		switch {
		case err != nil:
			if err != errStop {
				errtypes.Wrap(&err, "joblog: log %q", r.id)
				r.yield(Entry{}, err)
			}
			return
		case ended || changes == nil:
			return
		}
		select {
		case <-changes:
		case <-r.s.conf.Notify.Done():
			r.yield(Entry{}, errClosing)
			return
		case <-ctx.Done():
			r.yield(Entry{}, context.Cause(ctx))
			return
		}
	}
}

// all yields what there is. What this process has not written yet is looked at
// first: what is not among it then is in the database.
func (r *reader) all(ctx context.Context) (ended bool, err error) {
	for {
		var waiting []Entry
		if l := r.s.find(r.id); l != nil {
			var all bool
			if waiting, all = l.after(r.next); all {
				return false, r.each(waiting)
			}
		}
		known, parts, err := r.s.look(ctx, r.id, r.next)
		switch {
		case err != nil:
			return false, err
		case known.blob != "" && r.next < known.blobSeq:
			if err := r.blob(ctx, known); err != nil {
				return false, err
			}
			continue
		}
		if err := r.parts(parts); err != nil {
			return false, err
		}
		if len(parts) < batch {
			return known.ended, r.each(waiting)
		}
	}
}

// look reads the row of a log and parts from an entry on.
func (s *Logs) look(ctx context.Context, id string, from int64) (known row, parts [][]byte, err error) {
	err = s.conf.DB.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		if known, err = findLog(ctx, q, id); err != nil {
			return err
		}
		parts, err = partsFrom(ctx, q, id, max(from, known.blobSeq), batch)
		return err
	})
	if errors.Is(err, storage.ErrNoRow) {
		err = errtypes.New(errtypes.NotFound, "there is no log %q", id)
	}
	return known, parts, err
}

// each yields entries that have not been yielded.
func (r *reader) each(entries []Entry) error {
	for _, e := range entries {
		if e.Seq < r.next {
			continue
		}
		r.next = e.Seq + 1
		if !r.yield(e, nil) {
			return errStop
		}
	}
	return nil
}

// parts yields the entries of parts that follow each other. The last of them may
// not be whole: its rest is read with the next ones.
func (r *reader) parts(parts [][]byte) error {
	before := r.next
	err := r.stream(bytes.NewReader(bytes.Join(parts, nil)))
	if errors.Is(err, io.ErrUnexpectedEOF) && r.next > before {
		return nil
	}
	return damaged(err)
}

// blob yields the entries of a sealed log.
func (r *reader) blob(ctx context.Context, known row) error {
	sealed, err := r.s.conf.Blobs.Open(ctx, known.blob)
	if errtypes.Is(err, errtypes.NotFound) {
		now, _, lookErr := r.s.look(ctx, r.id, r.next)
		if lookErr != nil || now.blob != known.blob { // deleted, or sealed anew
			return lookErr
		}
	}
	if err != nil {
		return err
	}
	defer sealed.Close()
	if err := r.stream(sealed); err != nil {
		return damaged(err)
	}
	r.next = max(r.next, known.blobSeq)
	return nil
}

func damaged(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return err
}

// stream yields the entries of what was encoded.
func (r *reader) stream(from io.Reader) error {
	in := bufio.NewReader(from)
	for {
		e, err := decode(in)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = r.each([]Entry{e})
		}
		if err != nil {
			return err
		}
	}
}
