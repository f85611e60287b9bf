package sessions

import (
	"context"

	"github.com/drover-go/drover/runs/internal/deadline"
	"github.com/drover-go/drover/storage"
)

// What outlives a process that dies: what its sessions had carried, as of the
// last time it was written, and the files of its browsers, which the processes
// that go on remove.

// sweeper is a provider of browsers that can remove what those of dead
// processes on this machine have left. It takes nothing from who lives.
type sweeper interface{ Sweep() }

// sweepBrowsers lets the provider do that, without anybody waiting for it but
// Close.
func (s *service) sweepBrowsers() {
	sweeper, ok := s.conf.Browser.(sweeper)
	if !ok {
		return
	}
	_, leave, err := s.enter(context.Background(), true)
	if err != nil {
		return
	}
	go func() {
		defer leave()
		sweeper.Sweep()
	}()
}

// keepTraffic writes what the session's proxy has carried, again and again.
func (l *live) keepTraffic() {
	written := int64(0)
	for deadline.Sleep(l.ctx, l.conf.Clock, l.conf.TrafficInterval) == nil {
		carried := l.bytes()
		if carried == written {
			continue
		}
		err := l.conf.DB.Write(l.ctx, func(ctx context.Context, tx *storage.Tx) error {
			return setTraffic(ctx, tx, l.ID, carried)
		})
		if err == nil {
			written = carried
		} else if l.ctx.Err() == nil {
			l.conf.Logger.Warn("sessions: the traffic of a session cannot be written", "session", l.ID, "error", err)
		}
	}
}
