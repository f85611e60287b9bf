package sessions

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/webhooks/webhookstest"
)

// listen has webhooks told of all that happens.
func (w *world) listen(ctx context.Context) (err error) {
	if w.hooks, err = webhookstest.Open(ctx, w.db, w.projects, w.hub, reflect.TypeFor[Session]()); err != nil {
		return err
	}
	return webhookstest.Subscribe(ctx, w.hooks)
}

// told returns an error where webhooks were not told what the rows say, or something else. Each
// test ends with it: so whatever changes the state of a session in any of them is told, once.
func (w *world) told(ctx context.Context) error {
	return w.db.Read(ctx, func(ctx context.Context, q storage.Querier) error {
		told, err := webhookstest.Told(ctx, q)
		if err != nil {
			return err
		}
		var mine string // the project that has the webhook
		if err := q.QueryRow(ctx, `SELECT project_id FROM webhooks`).Scan(&mine); err != nil {
			return err
		}
		all, err := storage.Collect(ctx, q, scanRow, `SELECT `+columns+` FROM sessions WHERE project_id = $1 AND instance_id <> 'nobody'`, mine) // whose rows tests write
		for _, r := range all {
			if want := eventsOf(r.Session); !slices.Equal(told[r.ID], want) {
				return fmt.Errorf("webhooks were told %q of a session, want %q", told[r.ID], want)
			}
		}
		return err
	})
}

func eventsOf(s Session) (all []string) {
	if !s.StartedAt.IsZero() {
		all = append(all, "sessions.running")
	}
	if s.Status.Final() {
		all = append(all, "sessions."+strings.ToLower(string(s.Status)))
	}
	return all
}
