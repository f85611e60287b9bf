package sessions

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage"
)

// writeEnd writes the end of a session, again when the database is busy: the
// browser is gone, and only this is missing. What cannot be written, as when the
// disk is full, the next look at sessions writes.
func (l *live) writeEnd() {
	ctx := context.Background()
	e := endingOf(context.Cause(l.ctx))
	var err error
	for try := range endTries {
		if try > 0 && clock.Sleep(ctx, l.conf.Clock, endPause) != nil {
			break
		}
		if err = l.endRow(ctx, l.ID, e, l.left); !errtypes.Is(err, errtypes.Unavailable) {
			break
		}
	}
	if err != nil {
		l.conf.Logger.Error("sessions: the end of a session cannot be written", "session", l.ID, "status", e.status, "error", err)
		l.service.mu.Lock() // which is not the session's
		l.unwritten[l.ID] = l
		l.service.mu.Unlock()
	}
}

// endRow writes an end, and that of the log, unless there is one.
func (s *service) endRow(ctx context.Context, id string, e ending, left remains) error {
	err := s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		r, err := s.endIn(ctx, tx, id, e, left)
		if err != nil {
			return err
		}
		s.countEnd(tx, r)
		return s.conf.Logs.End(ctx, tx, logOf(r).ID())
	})
	if errors.Is(err, storage.ErrNoRow) {
		return nil
	}
	return err
}

// endStrays ends those that have not ended meanwhile: as they did, where this
// process knows that and could not write it.
func (s *service) endStrays(ctx context.Context, ids []string) error {
	s.straying.Lock()
	defer s.straying.Unlock()
	for _, id := range ids {
		if err := s.endStray(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (s *service) endStray(ctx context.Context, id string) error {
	s.mu.Lock()
	l := s.unwritten[id]
	s.mu.Unlock()
	if l == nil {
		return s.endRow(ctx, id, *endLost, remains{})
	}
	l.archive(&l.left) // what there was no room for, either
	if err := s.endRow(ctx, id, endingOf(context.Cause(l.ctx)), l.left); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unwritten, id)
	return nil
}

func (s *service) unwrittenIDs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.unwritten))
}
