package secrets

import (
	"context"
	"crypto/hpke"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

// world is a service and what it stands on.
type world struct {
	*service
	db       *storage.DB
	projects projects.Service
}

func open(t testing.TB, db *storage.DB, keys *seal.Ring, l Limits) *world {
	t.Helper()
	w := &world{db: db}
	w.projects = must(projects.New(t.Context(), db, projects.Options{}))(t)
	w.service = must(New(t.Context(), Config{DB: db, Callers: w.projects, Keys: keys, Function: w.function, Limits: l, Clock: clock.NewManual(clock.System().Now())}))(t).(*service)
	return w
}

func opened(t testing.TB, l Limits) *world {
	return open(t, storagetest.Open(t), seal.NewRing(seal.NewKey()), l)
}

// function finds a function by its id, as the service of functions does.
func (w *world) function(ctx context.Context, id string) (string, error) {
	return projects.Read(ctx, w.projects, w.db, func(ctx context.Context, q storage.Querier, projectID string) (found string, err error) {
		if q.QueryRow(ctx, `SELECT id FROM functions WHERE id = $1 AND project_id = $2`, id, projectID).Scan(&found) != nil {
			err = errtypes.New(errtypes.NotFound, "there is no function %q", id)
		}
		return found, err
	})
}

// addFunction makes a function in the caller's project.
func (w *world) addFunction(t testing.TB, ctx context.Context, name string) (id string) {
	t.Helper()
	p, id := must(w.projects.Current(ctx))(t), ids.New()
	must(0, w.db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO functions (id, project_id, name, current_version, created_at, updated_at) VALUES ($1, $2, $3, '', 0, 0)`, id, p.ID, name)
		return err
	}))(t)
	return id
}

func (w *world) add(t testing.TB, name, value string) Secret {
	t.Helper()
	return must(w.Create(t.Context(), Create{Name: name, Value: Value{Plain: value}}))(t)
}

// sealed is a value as a client sends it.
func (w *world) sealed(t testing.TB, ctx context.Context, value string) Value {
	t.Helper()
	k := must(w.Keypair(ctx))(t)
	public := must(kem().NewPublicKey(k.PublicKey))(t)
	return Value{KeypairID: k.ID, Sealed: must(hpke.Seal(public, hpke.HKDFSHA256(), hpke.AES256GCM(), nil, []byte(value)))(t)}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// fails ends the test when an error is not of the kind, about the field, in these
// words.
func fails(t testing.TB, err error, kind errtypes.Kind, field, words string) {
	t.Helper()
	if e := errtypes.Public(err); e.Kind != kind || e.Field != field || !strings.Contains(e.Message, words) {
		t.Fatalf("%v, want %s about %q: %q", err, kind, field, words)
	}
}
