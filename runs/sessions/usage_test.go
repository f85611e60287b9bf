package sessions

import (
	"context"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// What a project has used is the sum over its sessions, the running ones up to
// now, and is not less when they are deleted.
func TestUsageOutlivesTheSessions(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	w := start(t, setup{browser: &quickBrowser{}, clock: c, retention: 24 * time.Hour})
	is := func(ctx context.Context, want time.Duration, bytes int64) {
		t.Helper()
		if got := must(w.Usage(ctx))(t); got != (Usage{want, bytes}) {
			t.Errorf("%+v, want %v and %d", got, want, bytes)
		}
	}
	is(t.Context(), 0, 0)
	one, two := w.create(t, Create{KeepAlive: true}), w.create(t, Create{KeepAlive: true})
	is(t.Context(), 0, 14)
	c.Advance(3 * time.Minute)
	is(t.Context(), 6*time.Minute, 14)
	must(w.Release(t.Context(), one.ID))(t)
	must(w.Release(t.Context(), one.ID))(t) // which changes nothing
	c.Advance(time.Minute)
	is(t.Context(), 7*time.Minute, 14)
	must(w.Release(t.Context(), two.ID))(t)
	c.Advance(time.Hour)
	is(t.Context(), 7*time.Minute, 14)

	if n := must(w.deleteBatch(t.Context(), c.Now()))(t); n != 2 {
		t.Fatalf("%d sessions are deleted, want 2", n)
	}
	is(t.Context(), 7*time.Minute, 14)

	must(w.projects.Create(t.Context(), projects.Create{Name: "acme"}))(t)
	other := must(w.projects.In(t.Context(), "acme"))(t)
	is(other, 0, 0)
}

// A session whose host died counts as well, with what was written of it.
func TestUsageOfALostSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := start(t, setup{dir: dir, browser: &quickBrowser{}})
	err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO sessions (id, project_id, instance_id, endpoint, status, own, keep_alive, region, settings, proxy_bytes,
				created_at, updated_at, started_at, expires_at)
			SELECT 'lost', id, 'nobody', '', 'RUNNING', 0, 0, 'us-west-2', '{}', 99, 1, 1, 1, 2 FROM projects`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := must(w.Usage(t.Context()))(t); got.ProxyBytes != 99 || got.BrowserTime < time.Hour {
		t.Errorf("%+v", got)
	}
}
