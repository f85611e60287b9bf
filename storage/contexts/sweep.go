package contexts

import (
	"context"

	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
)

// sweep deletes what processes have left that died while a profile lay in the
// clear, or between a blob and its row, until it is stopped.
func (s *service) sweep(run *lifecycle.Run) {
	s.sweepTemp()
	run.Ready()
	retention.Orphans{
		Things: "contexts", Named: isNamed, Blobs: s.conf.Blobs,
		DB: s.conf.DB, Clock: s.conf.Clock, Logger: s.conf.Logger,
	}.Follow(run, s.conf.Working)
}

// dropBlobs deletes versions, even for a caller that has gone. One that stays is
// swept, so that it is no error of the caller's.
func (s *service) dropBlobs(ctx context.Context, blobs ...string) {
	for _, key := range blobs {
		if key == "" {
			continue
		}
		if err := s.conf.Blobs.Delete(context.WithoutCancel(ctx), key); err != nil {
			s.conf.Logger.Warn("contexts: a version cannot be deleted; it is tried again later", "error", err)
		}
	}
}
