package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks"
)

// Every test of this package is one of webhooks, too: the database itself writes down
// each status that a row comes to, and in the end that is compared with what a webhook
// was told.

// statuses has the database write down what becomes of runs and builds.
const statuses = `
	CREATE TABLE IF NOT EXISTS test_statuses (number INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL, object TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL);
	CREATE TRIGGER IF NOT EXISTS test_run_made AFTER INSERT ON actor_runs BEGIN
		INSERT INTO test_statuses (project_id, object, kind, status) VALUES (new.project_id, new.id, 'RUN', new.status);
	END;
	CREATE TRIGGER IF NOT EXISTS test_run_changed AFTER UPDATE OF status ON actor_runs WHEN new.status <> old.status BEGIN
		INSERT INTO test_statuses (project_id, object, kind, status) VALUES (new.project_id, new.id, 'RUN', new.status);
	END;
	CREATE TRIGGER IF NOT EXISTS test_build_made AFTER INSERT ON builds BEGIN
		INSERT INTO test_statuses (project_id, object, kind, status) VALUES (new.project_id, new.id, 'BUILD', new.status);
	END;
	CREATE TRIGGER IF NOT EXISTS test_build_changed AFTER UPDATE OF status ON builds WHEN new.status <> old.status BEGIN
		INSERT INTO test_statuses (project_id, object, kind, status) VALUES (new.project_id, new.id, 'BUILD', new.status);
	END;`

// openHooks returns webhooks whose receivers are not reached.
func openHooks(ctx context.Context, db *storage.DB, callers projects.Resolver, queue *jobs.Queue, hub *notify.Hub) (*webhooks.Hooks, error) {
	gate, err := egress.New(egress.Options{})
	if err != nil {
		return nil, err
	}
	plain := func(_ context.Context, _ storage.Querier, e webhooks.Event) (webhooks.Resource, error) {
		return json.Marshal(e.Row)
	}
	return webhooks.New(ctx, webhooks.Config{
		DB: db, Callers: callers, Jobs: queue, Notify: hub, Blobs: blob.NewMemory(clock.System()), Keys: seal.NewRing(seal.NewKey()), Gate: gate,
		Render: map[reflect.Type]webhooks.Render{reflect.TypeFor[RunInfo](): plain, reflect.TypeFor[builds.Build](): plain},
	})
}

// watch makes a webhook of the whole project default, and has statuses written down.
func watch(ctx context.Context, db *storage.DB, hooks *webhooks.Hooks) error {
	_, _, err := hooks.Create(ctx, webhooks.Create{IdempotencyKey: "watch", Settings: webhooks.Settings{
		Protocol: webhooks.Platform, URL: "http://localhost:9/", Events: webhooks.PlatformEvents, DoNotRetry: true,
	}})
	return errors.Join(err, db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, statuses)
		return err
	}))
}

// checkTold compares what has become of runs and builds with what was told of it.
func checkTold(ctx context.Context, db *storage.DB, hooks *webhooks.Hooks) error {
	watcher, err := storage.ReadOne(ctx, db, func(ctx context.Context, q storage.Querier) (string, error) {
		return storage.Column[string](q.QueryRow(ctx, `SELECT id FROM webhooks WHERE idempotency_key = 'watch'`))
	})
	if err != nil {
		return err
	}
	list, err := hooks.Dispatches(ctx, webhooks.Filter{Webhook: watcher})
	if err != nil {
		return err
	}
	if list.Total > len(list.Items) {
		return nil // a benchmark
	}
	told := map[string][]string{}
	for _, d := range list.Items {
		told[d.Object] = append(told[d.Object], d.Event)
	}
	became := map[string][]string{}
	err = db.Read(ctx, func(ctx context.Context, q storage.Querier) (err error) {
		_, err = storage.Collect(ctx, q, func(s storage.Scanner) (n int, err error) {
			var id, kind, status string
			if err = s.Scan(&id, &kind, &status); err == nil {
				became[id] = appendEvent(became[id], kind, status)
			}
			return 0, err
		}, `SELECT object, kind, status FROM test_statuses WHERE project_id = (SELECT project_id FROM webhooks WHERE id = $1) ORDER BY number`, watcher)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(became)) {
		if want := events(became[id]); !slices.Equal(told[id], want) {
			return fmt.Errorf("%s became %q, and what was told is %q", id, became[id], told[id])
		}
		delete(told, id)
	}
	if len(told) > 0 {
		return fmt.Errorf("what has not happened was told of: %v", told)
	}
	return nil
}

// appendEvent adds a status that is final, or from which all begins. A build that succeeds
// and fails after all does so within a transaction.
func appendEvent(all []string, kind, status string) []string {
	name := strings.ReplaceAll("ACTOR."+kind+"."+status, "-", "_")
	switch status {
	case "READY", "PENDING":
		return append(all, "ACTOR."+kind+".READY")
	case "RUNNING", "ABORTING", "TIMING-OUT":
		return all
	}
	if n := len(all); n > 0 && !strings.HasSuffix(all[n-1], "READY") {
		all = all[:n-1]
	}
	return append(all, name)
}

// events are what is to be told of the statuses of an object: nothing of a row that the
// test itself has written, and nothing of one that waits again because its host has ended.
func events(statuses []string) (want []string) {
	if len(statuses) == 0 || !strings.HasSuffix(statuses[0], "READY") {
		return nil
	}
	for i, s := range statuses {
		kind, waits := strings.CutSuffix(s, "READY")
		switch {
		case i == 0:
			want = append(want, kind+"CREATED")
		case waits && !strings.HasSuffix(statuses[i-1], "READY"):
			want = append(want, kind+"RESURRECTED")
		case !waits:
			want = append(want, s)
		}
	}
	return want
}
