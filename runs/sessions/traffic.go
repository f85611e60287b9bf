package sessions

import (
	"context"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage"
)

// keepTraffic writes what the session's proxy has carried, again and again.
func (l *live) keepTraffic() {
	written := int64(0)
	for clock.Sleep(l.ctx, l.conf.Clock, l.conf.TrafficInterval) == nil {
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
