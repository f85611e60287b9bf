package functions

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks/webhookstest"
)

// listen has webhooks told of all that happens.
func (w *working) listen(ctx context.Context, callers projects.Resolver) (err error) {
	if w.hooks, err = webhookstest.Open(ctx, w.db, callers, w.hub, objects...); err != nil || w.unheard {
		return err
	}
	return webhookstest.Subscribe(ctx, w.hooks)
}

// objects are what webhooks are told of here.
var objects = []reflect.Type{reflect.TypeFor[Invocation](), reflect.TypeFor[builds.Build](), reflect.TypeFor[sessions.Session]()}

// told returns an error where webhooks were not told what the rows say, or something else. Each
// test ends with it: so whatever changes the state of a build, an invocation or a session in
// any of them is told, once.
func (w *working) told() error {
	if w.unheard {
		return nil
	}
	return w.db.Read(context.Background(), func(ctx context.Context, q storage.Querier) error {
		told, err := webhookstest.Told(ctx, q)
		if err != nil {
			return err
		}
		invocations, err := storage.Collect(ctx, q, scanRow, `SELECT `+columns+` FROM function_invocations`)
		for _, r := range invocations {
			if want := eventsOf(r.Invocation); !slices.Equal(told[r.ID], want) {
				return fmt.Errorf("webhooks were told %q of an invocation, want %q", told[r.ID], want)
			}
		}
		if err != nil {
			return err
		}
		return buildsTold(ctx, q, told)
	})
}

func eventsOf(inv Invocation) []string {
	all := []string{"functions.invocations.pending"}
	if !inv.StartedAt.IsZero() {
		all = append(all, "functions.invocations.running")
	}
	if inv.Status.Final() {
		all = append(all, "functions.invocations."+strings.ToLower(string(inv.Status)))
	}
	return all
}

// buildsTold is told of builds. One that waits again has run before, and one of a Go function
// was recorded.
func buildsTold(ctx context.Context, q storage.Querier, told map[string][]string) error {
	type build struct {
		id, kind, entry string
		status          builds.Status
		started         bool
	}
	all, err := storage.Collect(ctx, q, func(s storage.Scanner) (b build, err error) {
		err = s.Scan(&b.id, &b.kind, &b.entry, &b.status, &b.started)
		return b, err
	}, `SELECT id, kind, request, status, started_at IS NOT NULL FROM builds`)
	for _, b := range all {
		var want []string
		ran := b.started && !strings.Contains(b.entry, `"go:`)
		if ran || slices.Contains(told[b.id], "functions.builds.running") {
			want = append(want, "functions.builds.running")
		}
		switch {
		case b.status == builds.Succeeded:
			want = append(want, "functions.builds.completed")
		case b.status.Final():
			want = append(want, "functions.builds.failed")
		}
		if !slices.Equal(told[b.id], want) {
			return fmt.Errorf("webhooks were told %q of a build that is %s, want %q", told[b.id], b.status, want)
		}
	}
	return err
}
