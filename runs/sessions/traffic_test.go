package sessions

import (
	"context"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage"
)

func TestTrafficIsWrittenWhileASessionRuns(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	w := start(t, setup{browser: &quickBrowser{}, clock: c})
	s := w.create(t, Create{KeepAlive: true})
	stored := func() (n int64) {
		err := w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
			return q.QueryRow(ctx, `SELECT proxy_bytes FROM sessions WHERE id = $1`, s.ID).Scan(&n)
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := stored(); n != 0 {
		t.Errorf("%d at once", n)
	}
	c.WaitForTimers(2) // the end and this
	for stored() != 7 {
		c.Advance(time.Second)
	}
	// Who ends it without knowing more takes nothing from that.
	if err := w.endRow(t.Context(), s.ID, *hostLost, remains{}); err != nil {
		t.Fatal(err)
	}
	if got := must(w.Get(t.Context(), s.ID))(t); got.ProxyBytes != 7 {
		t.Errorf("%+v", got)
	}
}
