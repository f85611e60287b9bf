package drover_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage/projects"
)

// asked notes whose sessions are asked for, and has no browser for them.
type asked struct {
	mu       sync.Mutex
	projects []string
}

func (a *asked) Open(_ context.Context, o browser.Options) (browser.Session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.projects = append(a.projects, o.Project)
	return nil, errtypes.New(errtypes.Unavailable, "there is no browser")
}

func (a *asked) Close() error { return nil }

// Every session is opened for the project of its call: that is whose process it
// is in.
func TestTheBrowserKnowsWhoseSessionItOpens(t *testing.T) {
	t.Parallel()
	a := &asked{}
	d, err := drover.Open(t.Context(), drover.Options{Data: drover.InMemory, Browser: a, AllowPrefixes: egress.PrivatePrefixes()})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var want []string
	for _, name := range []string{"one", "two"} {
		p, err := d.Projects.Create(t.Context(), projects.Create{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		ctx := projects.With(t.Context(), p)
		if _, err := d.Fetch.Get(ctx, "http://127.0.0.1/", fetch.Options{Render: true}); !errtypes.Is(err, errtypes.Unavailable) {
			t.Errorf("a fetch: %v", err)
		}
		if _, err := d.Sessions.Create(ctx, sessions.Create{}); !errtypes.Is(err, errtypes.Unavailable) {
			t.Errorf("a session: %v", err)
		}
		want = append(want, p.ID, p.ID)
	}
	if !slices.Equal(a.projects, want) {
		t.Errorf("the browser was asked for %q, not for %q", a.projects, want)
	}
}
