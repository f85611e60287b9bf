package extensions

import (
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
)

// sweep deletes what processes have left that died between a blob and its
// row, until it is stopped.
func (s *service) sweep(run *lifecycle.Run) {
	run.Ready()
	retention.Orphans{
		Things: "extensions", Named: isNamed, Blobs: s.conf.Blobs,
		DB: s.conf.DB, Clock: s.conf.Clock, Logger: s.conf.Logger,
	}.Follow(run, s.conf.Working)
}
