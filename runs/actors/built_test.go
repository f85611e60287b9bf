package actors

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/storage/records"
)

// platform answers runs as far as tests need it: records of a run's own stores, and its
// reboot.
type platform struct {
	mu sync.Mutex
	w  *building
}

func (p *platform) of() *building {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.w
}

func (p *platform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	caller, _ := CallerFrom(r.Context())
	run, err := p.of().Run(r.Context(), caller.RunID) // finds the project, too
	store, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v2/key-value-stores/"), "/records/")
	switch {
	case err != nil:
	case r.URL.Path == "/v2/me":
		json.NewEncoder(w).Encode(caller)
	case strings.HasSuffix(r.URL.Path, "/reboot"):
		_, err = p.of().Reboot(r.Context(), run.ID)
	case r.Method == http.MethodPut:
		_, err = p.of().records.PutRecord(r.Context(), store, records.NewRecord{Key: key, ContentType: "application/json", Content: r.Body})
	default:
		var content io.ReadCloser
		if content, _, err = p.of().records.OpenRecord(r.Context(), store, key); err == nil {
			io.Copy(w, content)
			content.Close()
		}
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// helpers are what programs of tests begin with.
const helpers = `
const e = process.env, base = e.APIFY_API_BASE_URL + "/v2", auth = { authorization: "Bearer " + e.APIFY_TOKEN };
const at = key => base + "/key-value-stores/" + e.ACTOR_DEFAULT_KEY_VALUE_STORE_ID + "/records/" + key;
const get = async key => { const r = await fetch(at(key), { headers: auth }); return r.ok ? r.json() : undefined; };
const put = (key, value) => fetch(at(key), { method: "PUT", headers: auth, body: JSON.stringify(value) });
`

// playing is a service whose runs have a platform.
func playing(t testing.TB, o yard) *building {
	t.Helper()
	p := &platform{}
	o.platform = p
	p.mu.Lock()
	defer p.mu.Unlock()
	p.w = yarded(t, o)
	return p.w
}

// made builds an Actor of a program.
func (w *building) made(t testing.TB, name, program string, more ...map[string]string) Actor {
	t.Helper()
	files := map[string]string{"main.mjs": helpers + program, "package.json": `{"name":"a","main":"main.mjs"}`}
	for _, m := range more {
		for name, content := range m {
			files[name] = content
		}
	}
	a := w.newActor(t, name, files)
	if b := w.finished(t, w.begin(t, a)); b.Status != Succeeded {
		t.Fatal(w.log(t, b))
	}
	return a
}

// ended waits for the end of a run.
func (w *building) ended(t testing.TB, r RunInfo) RunInfo {
	t.Helper()
	r = must(w.Wait(t.Context(), r.ID, time.Minute))(t)
	if !r.Status.Final() {
		t.Fatalf("%+v\n%s", r, w.said(t, r))
	}
	return r
}

// ran runs a program to its end.
func (w *building) ran(t testing.TB, a Actor, in Start) RunInfo {
	t.Helper()
	return w.ended(t, must(w.Start(t.Context(), a.ID, in))(t))
}

// said is the log of a run.
func (w *building) said(t testing.TB, r RunInfo) string {
	t.Helper()
	var all strings.Builder
	for e, err := range w.service.Log(t.Context(), r.ID) {
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(e.Message + "\n")
	}
	return all.String()
}

// saysOf follows the log of a run up to a line that begins so, and returns the rest.
func (w *building) saysOf(t testing.TB, r RunInfo, begin string) string {
	t.Helper()
	for e, err := range w.FollowLog(t.Context(), r.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if rest, ok := strings.CutPrefix(e.Message, begin); ok {
			return rest
		}
	}
	t.Fatalf("the log never said %q:\n%s", begin, w.said(t, r))
	return ""
}

// recordOf is a record of a run.
func (w *building) recordOf(t testing.TB, r RunInfo, key string) string {
	t.Helper()
	content, _, err := w.records.OpenRecord(t.Context(), r.KeyValueStoreID, key)
	body := string(must(io.ReadAll(must(content, err)(t)))(t))
	content.Close()
	return body
}

func TestABuiltActorRuns(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{})
	a := w.made(t, "doubles", `const input = await get(e.ACTOR_INPUT_KEY);
		console.log("doubling", input.n);
		console.error("to stderr");
		await put("OUTPUT", { n: 2 * input.n, me: await (await fetch(base + "/me", { headers: auth })).json() });`)
	r := w.ran(t, a, Start{Input: &Input{Body: []byte(`{"n":21}`)}, Options: RunOptions{Memory: 256}})
	if r.Status != Succeeded || r.ExitCode == nil || *r.ExitCode != 0 || r.StatusMessage != "Actor finished with exit code 0" || r.BuildNumber != "0.1.1" {
		t.Fatalf("%+v\n%s", r, w.said(t, r))
	}
	var out struct {
		N  int
		Me Caller
	}
	must(0, json.Unmarshal([]byte(w.recordOf(t, r, "OUTPUT")), &out))(t)
	if out.N != 42 || out.Me != callerOf(r, LimitedPermissions) {
		t.Errorf("%+v", out)
	}
	if said := w.said(t, r); said != "doubling 21\nto stderr\n" && said != "to stderr\ndoubling 21\n" {
		t.Errorf("%q", said)
	}
	if u := r.Stats.Usage; u.CPUTime <= 0 || u.Measured <= 0 || u.MemoryNow != 0 {
		t.Errorf("%+v", u)
	}
}

func TestTheMemoryThatAnActorAsksFor(t *testing.T) {
	t.Parallel()
	for definition, want := range map[string]int{
		``: 0, `{}`: 0, `{"defaultMemoryMbytes":512}`: 512, `{"defaultMemoryMbytes":500}`: 0, `{"defaultMemoryMbytes":"get(input, 'n')"}`: 0, `{"defaultMemoryMbytes":null}`: 0,
	} {
		if got, _ := (made{Definition: json.RawMessage(definition)}).said(); got != want {
			t.Errorf("%s: %d", definition, got)
		}
	}
}
