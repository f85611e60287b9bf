// Package webhookstest has tests of domains find out what webhooks are told: by a service
// that notes it in their database, and delivers nothing.
package webhookstest

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks"
)

// Open returns the service of a database of tests. Objects are shown as Go encodes them. No
// webhook is there: see [Subscribe].
func Open(ctx context.Context, db *storage.DB, callers projects.Resolver, hub *notify.Hub, objects ...reflect.Type) (*webhooks.Hooks, error) {
	gate, err := egress.New(egress.Options{})
	if err != nil {
		return nil, err
	}
	show := map[reflect.Type]webhooks.Render{}
	for _, object := range objects {
		show[object] = func(_ context.Context, _ storage.Querier, e webhooks.Event) (webhooks.Resource, error) {
			return json.Marshal(e.Row)
		}
	}
	return webhooks.New(ctx, webhooks.Config{
		DB: db, Callers: callers, Notify: hub, Blobs: blob.NewMemory(db.Clock()), Keys: seal.NewRing(seal.NewKey()), Gate: gate, Render: show,
		Jobs: jobs.New(db, hub, jobs.Options{}), // which nobody starts
	})
}

// Subscribe makes a webhook of the caller's project for all that happens, unless there is one.
func Subscribe(ctx context.Context, s webhooks.Service) error {
	_, _, err := s.Create(ctx, webhooks.Create{Settings: webhooks.Settings{
		Protocol: webhooks.Standard, URL: "https://receiver.example/", Events: webhooks.StandardEvents,
	}})
	if errtypes.Is(err, errtypes.Conflict) {
		return nil
	}
	return err
}

// Told returns the events of each object, oldest first.
func Told(ctx context.Context, q storage.Querier) (map[string][]string, error) {
	type dispatch struct{ object, event string }
	all, err := storage.Collect(ctx, q, func(s storage.Scanner) (d dispatch, err error) {
		err = s.Scan(&d.object, &d.event)
		return d, err
	}, `SELECT object, event FROM webhook_dispatches WHERE status = 'ACTIVE' ORDER BY number`)
	told := map[string][]string{}
	for _, d := range all {
		told[d.object] = append(told[d.object], d.event)
	}
	return told, err
}
