package functions

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
)

// publish publishes a program of the test runtime, and does not wait for it.
func (w *working) publish(t testing.TB, code string) builds.Build {
	t.Helper()
	b, err := w.Publish(t.Context(), Publish{Entrypoint: "index.ts", Archive: archive(t, map[string]string{
		"index.ts": `import { define } from "./runtime.mjs"; ` + code, "runtime.mjs": runtimeFile(t),
	})})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What was published last is invoked, whichever build takes longer.
func TestTheLastPublishIsTheCurrentOne(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	slow := w.publish(t, `await new Promise((done) => setTimeout(done, 3000)); define("one", async () => "published first");`)
	fast := w.publish(t, `define("one", async () => "published last");`)
	for _, b := range []builds.Build{fast, slow} {
		if ended, err := w.builds.Wait(t.Context(), builds.Function, b.ID); err != nil || ended.Status != builds.Succeeded {
			t.Fatalf("%+v %v", ended.Cause, err)
		}
	}
	if inv := w.do(t, "one", Invoke{}); string(inv.Result) != `"published last"` {
		t.Errorf("%s", inv.Result)
	}
	if l, err := w.Versions(t.Context(), "one", Page{}); err != nil || l.Total != 2 {
		t.Errorf("%+v %v", l, err)
	}
}

const behindProxy = `define("one", async () => 1, { sessionConfig: { proxies: [{ type: "external", server: "http://proxy.example:8080", username: "u", password: "hunter22" }] } });`

// The passwords of a published version's proxies are used, and neither shown nor
// stored in the clear.
func TestPasswordsOfPublishedProxiesAreSealed(t *testing.T) {
	t.Parallel()
	keys := seal.NewRing(seal.NewKey())
	w := publishing(t, setup{keys: keys})
	b := w.program(t, behindProxy)
	made, err := BuiltBy(b)
	if err != nil {
		t.Fatal(err)
	}
	v := made[0].Version
	if strings.Contains(string(b.Result), "hunter22") || !strings.Contains(string(v.Session), "proxy.example") {
		t.Errorf("the build says %s", b.Result)
	}
	stored, err := storage.ReadOne(t.Context(), w.db, func(ctx context.Context, q storage.Querier) (version, error) {
		return findVersion(ctx, q, v.ProjectID, v.ID)
	})
	if err != nil || strings.Contains(string(stored.Session)+string(stored.sealed), "hunter22") {
		t.Errorf("%+v %v", stored, err)
	}
	if base, err := w.base(stored); err != nil || !strings.Contains(string(base), `"hunter22"`) {
		t.Errorf("%s %v", base, err)
	}
	if inv := w.do(t, "one", Invoke{}); inv.Status != Completed {
		t.Errorf("%+v", inv.Cause)
	}
}

func TestAHostWithoutKeysKeepsNoPasswords(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	b, err := w.builds.Wait(t.Context(), builds.Function, w.publish(t, behindProxy).ID)
	if err != nil || b.Status != builds.Failed || !strings.Contains(b.Cause.Message, "can keep no passwords") {
		t.Errorf("%+v %v", b.Cause, err)
	}
}

// The name of a Go function is its own for processes that do not register it, too.
func TestAnotherProcessCannotTakeTheNameOfAGoFunction(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, setup{dir: dir, functions: []Definition{Func("one", nothing, FuncOptions{})}, idle: true})
	w := publishing(t, setup{dir: dir})
	b, err := w.builds.Wait(t.Context(), builds.Function, w.publish(t, `define("other", async () => 1); `+one).ID)
	if err != nil || b.Status != builds.Failed || !strings.Contains(b.Cause.Message, "one of the host's own") || b.Result != nil {
		t.Fatalf("%+v %v", b, err)
	}
	if l, err := w.List(t.Context(), Page{}); err != nil || l.Total != 1 {
		t.Errorf("%+v %v", l, err)
	}
}

// An invocation that no process takes up ends.
func TestAnInvocationThatNobodyTakesUpEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, setup{dir: dir, functions: []Definition{Func("gone", nothing, FuncOptions{})}, idle: true})
	now := clock.NewManual(time.Now())
	w := start(t, setup{dir: dir, clock: now, limits: Limits{MaxWait: time.Hour}})
	inv := w.invoke(t, "gone", Invoke{})
	for _, wait := range []time.Duration{0, 59 * time.Minute, time.Minute} {
		now.Advance(wait)
		w.keeper.Do(t.Context())
		got, err := w.Invocation(t.Context(), inv.ID)
		if over := wait == time.Minute; err != nil || got.Status.Final() != over || over && (got.Cause.Code != CauseInternal || !strings.Contains(got.Cause.Message, "no process took")) {
			t.Errorf("%+v %v", got, err)
		}
	}
	jobs, err := storage.ReadOne(t.Context(), w.db, func(ctx context.Context, q storage.Querier) (int, error) {
		return storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM jobs WHERE kind <> 'webhook'`))
	})
	if err != nil || jobs != 0 {
		t.Errorf("%d jobs, %v", jobs, err)
	}
}
