package runs

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks/webhookstest"
)

// listen has webhooks told of all that happens.
func (w *working) listen(ctx context.Context, callers projects.Resolver) (err error) {
	if w.hooks, err = webhookstest.Open(ctx, w.db, callers, w.hub, reflect.TypeFor[Run](), reflect.TypeFor[sessions.Session]()); err != nil || w.unheard {
		return err
	}
	return webhookstest.Subscribe(ctx, w.hooks)
}

// told returns an error where webhooks were not told what the rows say, or something else. Each
// test ends with it: so whatever changes the state of a run in any of them is told, once.
func (w *working) told(ctx context.Context) error {
	if w.unheard {
		return nil
	}
	return w.db.Read(context.WithoutCancel(ctx), func(ctx context.Context, q storage.Querier) error {
		told, err := webhookstest.Told(ctx, q)
		if err != nil {
			return err
		}
		all, err := storage.Collect(ctx, q, scanRow, `SELECT `+columns+` FROM agent_runs`)
		for _, r := range all {
			if want := eventsOf(r.Run); !slices.Equal(told[r.ID], want) {
				return fmt.Errorf("webhooks were told %q of a run, want %q", told[r.ID], want)
			}
		}
		return err
	})
}

func eventsOf(r Run) []string {
	all := []string{"agents.runs.pending"}
	if !r.StartedAt.IsZero() {
		all = append(all, "agents.runs.running")
	}
	if r.Status.Final() {
		all = append(all, "agents.runs."+strings.ToLower(string(r.Status)))
	}
	return all
}
