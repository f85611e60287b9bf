package joblog

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/drover-go/drover/errtypes"
)

// A log that goes on is sealed again: its blob is written anew, with what was added.
// The rows are bounded as they are written, and the whole is here.

// putBlob writes a blob with what the log's older one has and data, as far as that
// is kept.
func (s *Logs) putBlob(ctx context.Context, id string, known row, data []byte) (string, error) {
	if known.blob == "" {
		return s.put(ctx, bytes.NewReader(data))
	}
	kept, err := s.trimmed(ctx, id, known.blob, data)
	if errors.Is(err, errDamaged) {
		kept, err = nil, nil // it stays as it is
	}
	if err == nil && kept != nil {
		return s.put(ctx, bytes.NewReader(kept))
	}
	var before io.ReadCloser
	if err == nil {
		before, err = s.conf.Blobs.Open(ctx, known.blob)
	}
	switch {
	case errtypes.Is(err, errtypes.NotFound):
		s.conf.Logger.Error("joblog: the file of a log is lost, and it is sealed without it", "log", id)
		return s.put(ctx, io.MultiReader(bytes.NewReader(s.lost(known.blobSeq, data)), bytes.NewReader(data)))
	case err != nil:
		return "", err
	}
	defer before.Close()
	return s.put(ctx, io.MultiReader(before, bytes.NewReader(data)))
}

func (s *Logs) put(ctx context.Context, from io.Reader) (string, error) {
	info, err := s.conf.Blobs.Put(ctx, from, 0)
	return info.Key, err
}

// lost is an entry in the place of the last one before a number, which says that
// all before it are lost; nothing where there is no room for it.
func (s *Logs) lost(before int64, data []byte) []byte {
	first, err := decode(bufio.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil
	}
	e := Entry{Seq: before - 1, Time: s.conf.Clock.Now(), Stream: System, Text: fmt.Sprintf("%d entries of this log are lost with their file", before)}
	if e.Offset = first.Offset - e.end(); e.Offset < 0 || e.Seq < 0 {
		return nil
	}
	return e.encode(nil)
}

// trimmed returns the entries that a log keeps of a blob and of data, as they are
// stored: those of its head, and the newest. It is nil where all are kept, and
// where the bounds of the log are not known.
func (s *Logs) trimmed(ctx context.Context, id, blob string, data []byte) (kept []byte, err error) {
	o, bounded := s.boundsOf(id)
	if !bounded {
		return nil, nil
	}
	var w writing
	err = s.eachOf(ctx, blob, data, func(e Entry) { w.lines, w.bytes = w.lines+1, w.bytes+e.cost() })
	if err != nil || !w.over(o, 0, 0) {
		return nil, err
	}
	head, newest := int64(0), false // what is kept behind the head is without gaps
	err = s.eachOf(ctx, blob, data, func(e Entry) {
		head += e.cost()
		newest = newest || head > o.Head && !w.over(o, 1, e.cost())
		if head > o.Head && !newest {
			w.lines, w.bytes = w.lines-1, w.bytes-e.cost()
			return
		}
		kept = e.encode(kept)
	})
	return kept, err
}

// eachOf calls f with the entries of a blob and of data, as far as they can be read.
func (s *Logs) eachOf(ctx context.Context, blob string, data []byte, f func(Entry)) error {
	before, err := s.conf.Blobs.Open(ctx, blob)
	if err != nil {
		return err
	}
	defer before.Close()
	for in := bufio.NewReader(io.MultiReader(before, bytes.NewReader(data))); ; {
		e, err := decode(in)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return damaged(err)
		}
		f(e)
	}
}

// bound keeps the bounds of a log until it is sealed: the one who seals a log of
// another process knows none.
func (s *Logs) bound(l *Log) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bounds[l.id] = l.opts
}

func (s *Logs) boundsOf(id string) (o Options, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, known = s.bounds[id]
	return o, known
}

func (s *Logs) forgetBounds(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.bounds, id)
}
