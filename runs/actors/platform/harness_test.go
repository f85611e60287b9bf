package platform_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/osuser/osusertest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

// host is a Drover with no adapter, whose runs in processes ask it at its own endpoint.
type host struct{ *drover.Drover }

func newHost(t testing.TB, change ...func(*drover.Options)) host {
	t.Helper()
	testlevel.External() // Node.js
	o := drover.Options{
		Data: drover.InMemory, Workers: drover.WorkersAlways, Logger: slog.New(slog.DiscardHandler),
		AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Actors: []actors.Definition{actors.Func("echo", func(ctx context.Context, a *actors.Run) error {
			body, kind, err := a.RawInput()
			if err != nil || body == nil {
				return err
			}
			var in any
			return errors.Join(json.Unmarshal(body, &in), a.Push(ctx, map[string]string{"type": kind}), a.SetOutput(ctx, in))
		}, actors.FuncOptions{})},
	}
	for _, c := range change {
		c(&o)
	}
	o.Chromium.TempDir = t.TempDir()
	must(0, osusertest.Open(o.Chromium.TempDir))(t) // for programs, which other users run
	d := must(drover.Open(t.Context(), o))(t)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return host{d}
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

// asking is what programs of tests begin with.
const asking = `
const e = process.env, base = e.APIFY_API_BASE_URL + "/v2", kv = e.ACTOR_DEFAULT_KEY_VALUE_STORE_ID, ds = e.ACTOR_DEFAULT_DATASET_ID, rq = e.ACTOR_DEFAULT_REQUEST_QUEUE_ID;
const ask = async (method, path, body, headers = { authorization: "Bearer " + e.APIFY_TOKEN }) => {
	const r = await fetch(base + path, { method, headers: { ...headers, "content-type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body) });
	const text = await r.text();
	let json; try { json = JSON.parse(text); } catch {}
	return { status: r.status, type: json?.error?.type, data: json?.data ?? json, text };
};
const saw = {};
const see = async (name, ...of) => { const a = await ask(...of); saw[name] = a.type ? a.status + " " + a.type : a.status; return a; };
const input = (await ask("GET", "/key-value-stores/" + kv + "/records/" + e.ACTOR_INPUT_KEY)).data;
const done = () => ask("PUT", "/key-value-stores/" + kv + "/records/OUTPUT", saw);
`

// made builds an Actor of a program of Node.js.
func (h host) made(t testing.TB, name string, may actors.Permissions, program string) actors.Actor {
	t.Helper()
	return h.builtOf(t, name, may, []actors.SourceFile{
		{Name: "main.mjs", Content: asking + program}, {Name: "package.json", Content: `{"name":"a","main":"main.mjs"}`},
	})
}

func (h host) builtOf(t testing.TB, name string, may actors.Permissions, files []actors.SourceFile, env ...actors.EnvVar) actors.Actor {
	t.Helper()
	a := must(h.Actors.CreateActor(t.Context(), actors.CreateActor{Name: name, Details: actors.Details{Permissions: may}, Versions: []actors.Version{{Number: "0.1", Files: files, EnvVars: env}}}))(t)
	b := must(h.Actors.Build(t.Context(), a.ID, actors.CreateBuild{Version: "0.1"}))(t)
	if b = must(h.Actors.WaitBuild(t.Context(), b.ID, 5*time.Minute))(t); b.Status != actors.Succeeded {
		t.Fatalf("%s: %s", b.Status, b.Message)
	}
	return a
}

// ran runs an Actor to its end.
func (h host) ran(t testing.TB, a actors.Actor, input string) actors.RunInfo {
	t.Helper()
	r := must(h.Actors.Start(t.Context(), a.ID, actors.Start{Input: &actors.Input{Body: []byte(input), ContentType: "application/json"}, Options: actors.RunOptions{Memory: 512}}))(t)
	if r = must(h.Actors.Wait(t.Context(), r.ID, 2*time.Minute))(t); r.Status != actors.Succeeded {
		t.Fatalf("%s: %s\n%s", r.Status, r.StatusMessage, h.said(t, r))
	}
	return r
}

func (h host) said(t testing.TB, r actors.RunInfo) (all string) {
	t.Helper()
	for e, err := range h.Actors.Log(t.Context(), r.ID) {
		if err != nil {
			t.Fatal(err)
		}
		all += e.Message + "\n"
	}
	return all
}

// record is a record of the run in JSON.
func (h host) record(t testing.TB, r actors.RunInfo, key string) map[string]any {
	t.Helper()
	content, _, err := h.Records.OpenRecord(t.Context(), r.KeyValueStoreID, key)
	if err != nil {
		t.Fatalf("%v\n%s", err, h.said(t, r))
	}
	defer content.Close()
	var all map[string]any
	must(0, json.Unmarshal(must(io.ReadAll(content))(t), &all))(t)
	return all
}

// saw compares what a run has written down with what is wanted.
func (h host) saw(t testing.TB, r actors.RunInfo, want map[string]any) {
	t.Helper()
	got := h.record(t, r, "OUTPUT")
	for name, v := range want {
		if got[name] != v {
			t.Errorf("%s: %v, want %v", name, got[name], v)
		}
	}
	for name, v := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %v, which nobody asked about", name, v)
		}
	}
}

// foreign makes a store that is no run's.
func (h host) foreign(t testing.TB, kind records.Kind, name string) records.Store {
	t.Helper()
	s, _, err := h.Records.Create(t.Context(), kind, records.New{Name: name})
	return must(s, err)(t)
}
