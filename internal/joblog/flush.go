package joblog

import (
	"context"
	"errors"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/storage"
)

// wake sees to it that what waits is written: at the end of the interval that
// begins now, at once where much waits. It never blocks.
func (s *Logs) wake(urgent bool) {
	if urgent || s.waiting.Load() >= s.conf.MaxWaiting/2 {
		lifecycle.Poke(s.full)
	}
	lifecycle.Poke(s.dirty)
	s.start()
}

// start starts the flusher with the first log that has something to say.
func (s *Logs) start() {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed || s.flusher.Running() {
		return
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel() // who appends waits for nothing
	s.flusher.Start(ended, s.keepFlushing)
}

// keepFlushing writes what waits and seals what has ended. It sleeps without a
// timer while there is nothing.
func (s *Logs) keepFlushing(run *lifecycle.Run) {
	run.Ready()
	failed := false
	for s.awaitWork(run, failed) {
		err := s.flush(run.Context())
		if failed = err != nil; failed {
			s.conf.Logger.Error("joblog: what was logged cannot be written; it is tried again", "error", err)
			lifecycle.Poke(s.dirty)
		}
		s.sealEnded(run.Context())
	}
	s.sealEnded(run.Context())
}

// awaitWork waits until something is to be done, and then until more has come
// together; false when the run is to stop. After a failure no amount shortens
// that.
func (s *Logs) awaitWork(run *lifecycle.Run, failed bool) bool {
	select {
	case <-s.dirty:
	case <-run.Stopping():
		return false
	}
	full := s.full
	if failed {
		full = nil
	}
	timer := s.conf.Clock.NewTimer(s.conf.Flush)
	defer timer.Stop()
	select {
	case <-timer.C():
	case <-full:
	case <-run.Stopping():
		return false
	}
	return true
}

// flush writes what all logs of this process have to say, in one transaction.
func (s *Logs) flush(ctx context.Context) error {
	all := s.waitingLogs()
	if len(all) == 0 {
		return nil
	}
	return s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		for _, l := range all {
			if err := l.write(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Logs) waitingLogs() (all []*Log) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.open {
		if l.waits() {
			all = append(all, l)
		}
	}
	return all
}

// write writes what the log has to say. What is written already the row knows,
// so that it may be called again whatever became of an earlier transaction.
func (l *Log) write(ctx context.Context, tx *storage.Tx) error {
	w, err := findWriting(ctx, tx, l.id, l.writer)
	if errors.Is(err, storage.ErrNoRow) { // deleted, or another process has it
		tx.AfterCommit(l.close)
		return nil
	}
	if err != nil {
		return err
	}
	entries, _ := l.after(w.nextSeq)
	if len(entries) == 0 {
		return nil
	}
	parts := packed(entries)
	if err := insertParts(ctx, tx, l.id, w.nextPart, parts); err != nil {
		return err
	}
	w.add(parts, l.opts)
	if err := l.trim(ctx, tx, &w); err != nil {
		return err
	}
	l.logs.changed(tx, l.id)
	tx.AfterCommit(func() { l.written(w.nextSeq) })
	return updateWriting(ctx, tx, l.id, w)
}

// sealLater has the flusher seal a log that has ended.
func (s *Logs) sealLater(id string) {
	s.mu.Lock()
	s.ended = append(s.ended, id)
	s.mu.Unlock()
	lifecycle.Poke(s.dirty)
	s.start()
}

// sealEnded seals what has ended in this process. What fails is left to the
// keeper.
func (s *Logs) sealEnded(ctx context.Context) {
	s.mu.Lock()
	ids := s.ended
	s.ended = nil
	s.mu.Unlock()
	for _, id := range ids {
		if err := s.seal(ctx, id); err != nil && ctx.Err() == nil {
			s.conf.Logger.Warn("joblog: a log that has ended cannot be sealed; it is tried again later", "log", id, "error", err)
		}
	}
}
