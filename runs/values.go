package runs

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/storage"
)

// sweepPause is how often values are looked through whose run may have ended
// without this process: a pending run can be stopped by another one.
const sweepPause = time.Minute

// sweepValues drops the values of runs that have ended.
func (s *service) sweepValues(ctx context.Context) {
	for _, id := range s.heldValues() {
		r, err := s.load(ctx, id)
		if errors.Is(err, storage.ErrNoRow) || err == nil && r.Status.Final() {
			s.dropValues(id)
		}
	}
}

// heldValues returns the runs whose values are here, at most once a pause.
func (s *service) heldValues() (held []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.conf.Clock.Now()
	if len(s.vaults) == 0 || now.Sub(s.swept) < sweepPause {
		return nil
	}
	s.swept = now
	for id := range s.vaults {
		held = append(held, id)
	}
	return held
}
