package functions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/publish"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/storage/blob"
)

const one = `define("one", async () => 1);`

// tidy checks that builds have left nothing: processes, or files that are half made.
func (w *working) tidy(t testing.TB) {
	t.Helper()
	if left, err := os.ReadDir(w.programs.path(newDir)); err == nil && len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A publish that fails says why, in its cause and at the end of its log.
func TestPublishesThatFail(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{programs: &ProgramOptions{Introspect: 3 * time.Second}})
	many := ""
	for i := range 11 {
		many += fmt.Sprintf("define('f%d', async () => %d);\n", i, i)
	}
	for name, c := range map[string]struct {
		index, code, message string
		files                map[string]string
	}{
		"syntax error":       {index: `define("one", async () => {`, code: publish.NoManifests, message: "bundling: index.ts:2:27: Unexpected end of file"},
		"missing package":    {index: `import "nowhere-to-be-found"; ` + one, code: publish.NoManifests, message: "Cannot find package 'nowhere-to-be-found'"},
		"missing file":       {index: `import "./nowhere.mjs"; ` + one, code: publish.NoManifests, message: `Could not resolve "./nowhere.mjs"`},
		"a file outside":     {index: `import "/etc/hostname"; ` + one, code: publish.NoManifests, message: "this file is not in the archive"},
		"no function":        {index: `console.log("nothing");`, code: publish.NoManifests, message: "defines no function"},
		"throws":             {index: one + ` throw new TypeError("late")`, code: publish.NoManifests, message: "TypeError: late"},
		"exits":              {index: one + ` process.exit(3)`, code: publish.NoManifests, message: "exit"},
		"never ends":         {index: `setInterval(() => {}, 1000)`, code: publish.NoManifests, message: "did not end within 3s"},
		"eleven":             {index: many, code: publish.TooManyManifests, message: "more than 10 functions"},
		"a large manifest":   {index: `define("one", async () => 1, { parametersSchema: { description: "x".repeat(300_000) } })`, code: publish.ManifestTooLarge, message: "262144 bytes"},
		"keepAlive":          {index: `define("one", async () => 1, { sessionConfig: { keepAlive: true } })`, code: publish.InvalidSession, message: "keepAlive"},
		"no proxies here":    {index: `define("one", async () => 1, { sessionConfig: { proxies: true } })`, code: publish.InvalidSession, message: "one: proxies"},
		"a short time":       {index: `define("one", async () => 1, { sessionConfig: { timeout: 30 } })`, code: publish.InvalidSession, message: "from 60 to 900 seconds"},
		"another name":       {index: `import { writeFileSync } from "node:fs"; ` + one + ` writeFileSync(".browserbase/functions/manifests/two.json", '{"name":"../two","config":{}}')`, code: publish.NoManifests, message: `"../two" is no name`},
		"no entry point":     {files: map[string]string{"other.ts": ""}, code: publish.NoManifests, message: "the entry point index.ts is not in the archive"},
		"outside":            {files: map[string]string{"../index.ts": ""}, code: publish.NoManifests, message: "not below its root"},
		"a bad package.json": {files: map[string]string{"package.json": "{", "index.ts": ""}, code: publish.NoManifests, message: "bundling: package.json:1:1: "},
		"a lock that does not fit": {files: map[string]string{
			"index.ts": "", "package.json": `{"name":"p","version":"1.0.0","dependencies":{"is-odd":"3.0.1"}}`,
			"package-lock.json": `{"name":"p","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"p","version":"1.0.0"}}}`,
		}, code: publish.NoManifests, message: "installing: "},
	} {
		t.Run(name, func(t *testing.T) {
			if c.files == nil {
				c.files = map[string]string{"index.ts": `import { define } from "./runtime.mjs";` + "\n" + c.index, "runtime.mjs": runtimeFile(t)}
			}
			b := w.build(t, c.files)
			if b.Status != builds.Failed || b.Cause.Code != c.code || !strings.Contains(b.Cause.Message, c.message) {
				t.Fatalf("%+v %+v\n%s", b, b.Cause, w.buildLog(t, b))
			}
			if log := w.buildLog(t, b); !strings.HasSuffix(log, "The build has failed: "+b.Cause.Message+"\n") {
				t.Errorf("%s", log)
			}
		})
	}
	w.tidy(t)
	if l, err := w.List(t.Context(), Page{}); err != nil || l.Total != 0 {
		t.Errorf("%+v %v", l, err)
	}
	if left, err := os.ReadDir(w.programs.path(builtDir)); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}

func TestPublishesThatSucceed(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{programs: &ProgramOptions{Introspect: 3 * time.Second}})
	many := ""
	for i := range 10 {
		many += fmt.Sprintf("define('f%d', async () => %d);\n", i, i)
	}
	for name, c := range map[string]struct {
		index string
		made  int
	}{
		"ten functions":         {many, 10},
		"an open timer":         {one + ` setInterval(() => {}, 1000)`, 1},
		"top-level await":       {`await new Promise(r => setTimeout(r, 10)); ` + one, 1},
		"a require":             {`const { sep } = require("node:path"); ` + one, 1},
		"a schema that is none": {`define("one", async () => 1, { parametersSchema: { type: "nonsense" } })`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := BuiltBy(w.program(t, c.index))
			if err != nil || len(all) != c.made {
				t.Fatalf("%+v %v", all, err)
			}
			inv := w.do(t, all[0].Function.ID, Invoke{Params: []byte(`{"any":"thing"}`)})
			if inv.Status != Completed || inv.VersionID != all[0].Version.ID {
				t.Errorf("%+v %+v\n%s", inv, inv.Cause, w.log(t, inv))
			}
		})
	}
	w.tidy(t)
}

func TestEachPublishMakesAVersion(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	first := w.program(t, one)
	w.program(t, `define("one", async () => 2, { sessionConfig: { timeout: 60 } });`)
	if inv := w.do(t, "one", Invoke{}); string(inv.Result) != "2" || inv.Timeout != time.Minute {
		t.Errorf("%+v", inv)
	}
	made, err := BuiltBy(first)
	if err != nil {
		t.Fatal(err)
	}
	if inv := w.do(t, "one", Invoke{VersionID: made[0].Version.ID}); string(inv.Result) != "1" || inv.Timeout != 15*time.Minute {
		t.Errorf("%+v", inv)
	}
	if l, err := w.Versions(t.Context(), "one", Page{}); err != nil || l.Total != 2 || l.Items[0].Number != 2 {
		t.Errorf("%+v %v", l, err)
	}
	if _, err := w.Rollback(t.Context(), "one", made[0].Version.ID); err != nil {
		t.Fatal(err)
	}
	if inv := w.do(t, "one", Invoke{}); string(inv.Result) != "1" {
		t.Errorf("%+v", inv)
	}
}

// A function of the host's has its name; a program cannot take it.
func TestAProgramCannotTakeTheNameOfAGoFunction(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{functions: []Definition{Func("one", nothing, FuncOptions{})}})
	b := w.build(t, map[string]string{"index.ts": `import { define } from "./runtime.mjs"; ` + one, "runtime.mjs": runtimeFile(t)})
	if b.Status != builds.Failed || !strings.Contains(b.Cause.Message, "one of the host's own") {
		t.Errorf("%+v %+v", b, b.Cause)
	}
	f, err := w.Get(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	v, err := w.Version(t.Context(), f.CurrentVersionID)
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := w.builds.Get(t.Context(), builds.Function, v.BuildID)
	if err != nil || recorded.Status != builds.Succeeded || Entrypoint(recorded) != "go:one" {
		t.Errorf("%+v %v", recorded, err)
	}
	if all, err := BuiltBy(recorded); err != nil || len(all) != 1 || all[0].Version.ID != v.ID {
		t.Errorf("%+v %v", all, err)
	}
}

func TestEntryPointsThatAreRefused(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	for _, entry := range []string{"", "../index.ts", "index.py"} {
		if _, err := w.Publish(t.Context(), Publish{Entrypoint: entry, Archive: archive(t, nil)}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%q: %v", entry, err)
		}
	}
}

// lock is a lock file of a program without dependencies.
const lock = `{"name":"p","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"p","version":"1.0.0"}}}`

// Programs with the same lock file have the same dependencies, installed once; no
// script runs.
func TestEqualLocksShareDependencies(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	files := map[string]string{
		"index.ts": `import { define } from "./runtime.mjs"; import { existsSync } from "node:fs"; define("one", async () => existsSync("node_modules/ran"));`, "runtime.mjs": runtimeFile(t),
		"package-lock.json": lock, "package.json": `{"name":"p","version":"1.0.0","scripts":{"preinstall":"mkdir -p node_modules && touch node_modules/ran","postinstall":"mkdir -p node_modules && touch node_modules/ran"}}`,
	}
	first := w.build(t, files)
	second := w.build(t, files)
	if first.Status != builds.Succeeded || second.Status != builds.Succeeded {
		t.Fatalf("%s\n%s", w.buildLog(t, first), w.buildLog(t, second))
	}
	if inv := w.do(t, "one", Invoke{}); string(inv.Result) != "false" {
		t.Errorf("a script has run: %+v", inv)
	}
	if log := w.buildLog(t, first); !strings.Contains(log, "npm ci --no-audit --no-fund --ignore-scripts") {
		t.Error(log)
	}
	if log := w.buildLog(t, second); !strings.Contains(log, "installed already") || strings.Contains(log, "npm ci") {
		t.Error(log)
	}
	sets, err := filepath.Glob(w.programs.path(dependenciesDir, "[0-9a-f]*"))
	if err != nil || len(sets) != 1 {
		t.Errorf("%v %v", sets, err)
	}
	// What was removed is made again when it is needed.
	for _, dir := range []string{sets[0], w.programs.path(builtDir, second.ID)} {
		if err := workdir.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		w.programs.pool.Drop(second.ID)
		if inv := w.do(t, "one", Invoke{}); inv.Status != Completed {
			t.Errorf("%+v", inv.Cause)
		}
		if _, err := os.Stat(w.programs.path(builtDir, second.ID, "node_modules")); err != nil {
			t.Error(err)
		}
	}
	w.tidy(t)
}

// What npm has chosen for a program without a lock file is kept, and chosen again.
func TestAProgramWithoutALockIsMadeAgainAsItWas(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	b := w.build(t, map[string]string{
		"index.ts": `import { define } from "./runtime.mjs"; ` + one, "runtime.mjs": runtimeFile(t), "package.json": `{"name":"p","version":"1.0.0"}`,
	})
	if log := w.buildLog(t, b); b.Status != builds.Succeeded || !strings.Contains(log, "there is no lock file: npm chooses the versions") {
		t.Fatalf("%+v\n%s", b.Cause, log)
	}
	dir := w.programs.path(builtDir, b.ID)
	chosen, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil || !strings.Contains(string(chosen), "lockfileVersion") {
		t.Fatalf("%s %v", chosen, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if inv := w.do(t, "one", Invoke{}); inv.Status != Completed {
		t.Errorf("%+v", inv.Cause)
	}
	again, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil || string(again) != string(chosen) {
		t.Errorf("%s %v", again, err)
	}
	if link, err := os.Lstat(filepath.Join(dir, "node_modules")); err != nil || link.Mode()&os.ModeSymlink == 0 {
		t.Errorf("it was not installed with the lock file: %v", err)
	}
}

func TestABuildTakesTooLong(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	b, err := w.Publish(t.Context(), Publish{Entrypoint: "index.js", Archive: archive(t, map[string]string{"index.js": `setInterval(() => {}, 1000)`}), Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if b, err = w.builds.Wait(t.Context(), builds.Function, b.ID); err != nil || b.Status != builds.TimedOut || b.Cause.Code != builds.CauseTimedOut {
		t.Errorf("%+v %v", b, err)
	}
	if log := w.buildLog(t, b); !strings.Contains(log, "longer than 2s") {
		t.Error(log)
	}
	w.tidy(t)
}

func TestABuildIsAborted(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	b, err := w.Publish(t.Context(), Publish{Entrypoint: "index.js", Archive: archive(t, map[string]string{"index.js": `console.log("here"); setInterval(() => {}, 1000)`})})
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range w.builds.Follow(t.Context(), builds.Function, b.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Message == "here" {
			break
		}
	}
	if _, err := w.builds.Abort(t.Context(), builds.Function, b.ID); err != nil {
		t.Fatal(err)
	}
	if b, err = w.builds.Wait(t.Context(), builds.Function, b.ID); err != nil || b.Status != builds.Aborted {
		t.Errorf("%+v %v", b, err)
	}
	w.tidy(t)
}

func TestAMachineWithoutNodeJS(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	w := start(t, setup{programs: &ProgramOptions{}, work: t.TempDir()})
	_, err := w.Publish(t.Context(), Publish{Entrypoint: "index.js", Archive: archive(t, nil)})
	if !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "no Node.js on this machine") {
		t.Error(err)
	}
}

// A build that came to nothing leaves its archive at once, and goes when its time is
// over; one that made a version stays.
func TestBuildsAreNotKeptForEver(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{kept: time.Millisecond})
	good := w.program(t, one)
	bad := w.build(t, map[string]string{"other.ts": ""})
	if n := count(t, w.sources); n != 1 {
		t.Errorf("%d sources", n)
	}
	<-time.After(time.Until(bad.EndedAt.Add(2 * time.Millisecond)))
	w.keeper.Do(t.Context())
	if _, err := w.builds.Get(t.Context(), builds.Function, bad.ID); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	if _, err := w.builds.Get(t.Context(), builds.Function, good.ID); err != nil {
		t.Error(err)
	}
	if n := count(t, w.sources); n != 1 {
		t.Errorf("%d sources", n)
	}
}

func count(t *testing.T, s blob.Store) (n int) {
	t.Helper()
	for _, err := range s.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// Builds that wait keep their archives, so there are not many of them.
func TestAFewBuildsWait(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{idle: true, builds: builds.Limits{MaxPending: 3}})
	var one builds.Build
	for i := range 5 {
		b, err := w.Publish(t.Context(), Publish{Entrypoint: "index.ts", Archive: archive(t, map[string]string{"index.ts": "1"})})
		if i < 3 && err != nil || i >= 3 && !errtypes.Is(err, errtypes.RateLimited) {
			t.Errorf("%d: %v", i, err)
		}
		if err == nil {
			one = b
		}
	}
	if _, err := w.builds.Abort(t.Context(), builds.Function, one.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Publish(t.Context(), Publish{Entrypoint: "index.ts", Archive: archive(t, map[string]string{"index.ts": "1"})}); err != nil {
		t.Error(err)
	}
}
