package actors

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/osuser/osusertest"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

// hangs is a build script that says its process and goes on for ever.
const hangs = `console.log("pid " + process.pid); setInterval(() => {}, 1000);`

// resolve finds a build by its tag or number.
func (w *building) resolve(t testing.TB, a Actor, wanted string) (builtRef, error) {
	t.Helper()
	var found builtRef
	err := w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) (err error) {
		found, err = resolveBuilt(ctx, q, a.ID, wanted)
		return err
	})
	return found, err
}

// Each version counts its builds, and the last that succeeds has the tag.
func TestNumbersAndTags(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	a := must(w.CreateActor(t.Context(), CreateActor{Name: "actor", Versions: []Version{
		{Number: "0.1", Files: filesOf(plain)}, {Number: "12.34", BuildTag: "beta", Files: filesOf(plain)}, {Number: "0.2", Files: filesOf(map[string]string{"x": ""})},
	}}))(t)
	build := func(version, tag string) Build {
		return w.finished(t, must(w.Build(t.Context(), a.ID, CreateBuild{Version: version, Tag: tag}))(t))
	}
	first, second, beta, named, bad := build("0.1", ""), build("0.1", ""), build("12.34", ""), build("12.34", "latest"), build("0.2", "")
	if got := strings.Join([]string{first.Number, second.Number, beta.Number, named.Number, bad.Number}, " "); got != "0.1.1 0.1.2 12.34.1 12.34.2 0.2.1" || bad.Status != Failed {
		t.Errorf("%s %+v", got, bad)
	}
	for wanted, want := range map[string]Build{"latest": named, "beta": beta, "0.1.1": first, "0.1.2": second, "12.34.2": named} {
		if got, err := w.resolve(t, a, wanted); err != nil || got.id != want.ID || got.number != want.Number {
			t.Errorf("%s: %+v %v", wanted, got, err)
		}
	}
	for wanted, typ := range map[string]errtypes.Type{"0.1.3": errtypes.TypeBuildNotFound, "gamma": errtypes.TypeUnknownBuildTag, "0.2.1": errtypes.TypeInvalidBuild} {
		_, err := w.resolve(t, a, wanted)
		fails(t, err, errtypes.Forbidden, typ, "")
	}
	a = must(w.UpdateActor(t.Context(), a.ID, UpdateActor{Tags: map[string]string{"latest": first.ID, "beta": "", "stable": second.ID}}))(t)
	if len(a.Tags) != 2 || a.Tags["latest"].Number != "0.1.1" || a.Tags["stable"].BuildID != second.ID {
		t.Errorf("%+v", a.Tags)
	}
	for id, words := range map[string]string{bad.ID: "has not succeeded", "none": "does not have"} {
		_, err := w.UpdateActor(t.Context(), a.ID, UpdateActor{Tags: map[string]string{"latest": id}})
		fails(t, err, errtypes.Invalid, "", words)
	}
	_, err := w.UpdateActor(t.Context(), a.ID, UpdateActor{Tags: map[string]string{"a b": first.ID}})
	fails(t, err, errtypes.Invalid, "", "taggedBuilds")
	for version, c := range map[string]struct {
		kind errtypes.Kind
		c    CreateBuild
	}{"": {errtypes.Invalid, CreateBuild{}}, "9.9": {errtypes.NotFound, CreateBuild{Version: "9.9"}}, "x": {errtypes.NotFound, CreateBuild{Version: "x"}}, "tag": {errtypes.Invalid, CreateBuild{Version: "0.1", Tag: "0.1.1"}}} {
		if _, err := w.Build(t.Context(), a.ID, c.c); !errtypes.Is(err, c.kind) {
			t.Errorf("%q: %v", version, err)
		}
	}
}

// What is deleted, and what is not.
func TestBuildsAreDeleted(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	files := map[string]string{"main.js": plain["main.js"], "README.md": strings.Repeat("x", 100<<10)}
	a := w.newActor(t, "actor", files)
	first, second := w.finished(t, w.begin(t, a)), w.finished(t, w.begin(t, a))
	fails(t, w.DeleteBuild(t.Context(), second.ID), errtypes.Invalid, errtypes.TypeDeletingDefaultBuild, "0.1.2")
	if _, err := w.UpdateActor(t.Context(), a.ID, UpdateActor{Tags: map[string]string{"old": first.ID}}); err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteBuild(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	w.tidy(t, 1)
	if sources, made := countBlobs(t, w.sources), countBlobs(t, w.blobs); sources != 1 || made != 2 { // that of the version is one
		t.Errorf("%d sources and %d blobs are left", sources, made)
	}
	if a = must(w.Actor(t.Context(), a.ID))(t); len(a.Tags) != 1 || a.Tags["latest"].BuildID != second.ID {
		t.Errorf("%+v", a.Tags)
	}
	fails(t, w.DeleteBuild(t.Context(), first.ID), errtypes.NotFound, errtypes.TypeRecordNotFound, "")
	_, err := w.GetBuild(t.Context(), first.ID)
	fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "")
	for _, err := range w.BuildLog(t.Context(), first.ID, true) {
		fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "")
	}
	slow := w.begin(t, w.newActor(t, "slow", scripted(hangs)))
	fails(t, w.DeleteBuild(t.Context(), slow.ID), errtypes.Invalid, errtypes.TypeDeletingUnfinishedBuild, "")
	must(w.AbortBuild(t.Context(), slow.ID))(t)
	w.finished(t, slow)

	if err := w.DeleteActor(t.Context(), a.ID); err != nil {
		t.Fatal(err)
	}
	if l := must(w.ListBuilds(t.Context(), "", Filter{}))(t); l.Total != 1 || l.Items[0].ID != slow.ID {
		t.Errorf("%+v", l)
	}
	w.keeper.Do(t.Context())
}

// failure is the error of a call.
func failure(_ any, err error) error { return err }

// Everything of a project is its own.
func TestBuildsOfOthers(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	b := w.built(t, "actor", plain)
	p := must(w.projects.Create(t.Context(), projects.Create{Name: "other"}))(t)
	ctx := must(w.projects.In(t.Context(), p.ID))(t)
	for name, err := range map[string]error{
		"get": failure(w.GetBuild(ctx, b.ID)), "wait": failure(w.WaitBuild(ctx, b.ID, time.Second)), "abort": failure(w.AbortBuild(ctx, b.ID)),
		"delete": w.DeleteBuild(ctx, b.ID), "build": failure(w.Build(ctx, b.ActorID, CreateBuild{Version: "0.1"})), "list": failure(w.ListBuilds(ctx, b.ActorID, Filter{})),
		"default": failure(w.DefaultBuild(ctx, b.ActorID)),
	} {
		if !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l := must(w.ListBuilds(ctx, "", Filter{}))(t); l.Total != 0 || l.Items == nil {
		t.Errorf("%+v", l)
	}
}

// A build is aborted wherever it is, and nothing of it is left.
func TestBuildsAreAborted(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer silent.Close()
	installs := map[string]string{"main.js": "", "package.json": `{"name":"a","version":"1.0.0","dependencies":{"@none/lib":"1.0.0"}}`, ".npmrc": "registry=" + silent.URL + "\n"}
	w := yarded(t, yard{})
	for name, c := range map[string]struct {
		version Version
		begun   func(b Build)
	}{
		"fetching":   {Version{SourceType: Tarball, TarballURL: silent.URL}, func(Build) { <-asked }},
		"installing": {Version{Files: filesOf(installs)}, func(Build) { <-asked }},
		"script":     {Version{Files: filesOf(scripted(hangs))}, func(b Build) { w.until(t, b, "pid ") }},
	} {
		c.version.Number = "0.1"
		a := must(w.CreateActor(t.Context(), CreateActor{Name: name, Versions: []Version{c.version}}))(t)
		b := w.begin(t, a)
		c.begun(b)
		if got := must(w.AbortBuild(t.Context(), b.ID))(t); got.Status != Aborting && got.Status != Aborted {
			t.Errorf("%s: %+v", name, got)
		}
		if b = w.finished(t, b); b.Status != Aborted {
			t.Errorf("%s: %+v\n%s", name, b, w.log(t, b))
		}
		if again := must(w.AbortBuild(t.Context(), b.ID))(t); again.Status != Aborted || !again.FinishedAt.Equal(b.FinishedAt) {
			t.Errorf("%s: %+v", name, again)
		}
	}
	w.tidy(t, 0)
}

// A build that waits is aborted at once; one that has ended stays as it is.
func TestABuildThatWaitsIsAborted(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{idle: true})
	b := w.begin(t, w.newActor(t, "actor", plain))
	if got := must(w.WaitBuild(t.Context(), b.ID, 10*time.Millisecond))(t); got.Status != Ready {
		t.Errorf("%+v", got)
	}
	if got := must(w.AbortBuild(t.Context(), b.ID))(t); got.Status != Aborted {
		t.Errorf("%+v", got)
	}
	done := yarded(t, yard{})
	ended := done.built(t, "actor", plain)
	if got := must(done.AbortBuild(t.Context(), ended.ID))(t); got.Status != Succeeded {
		t.Errorf("%+v", got)
	}
}

// Whoever waits without an end gets a build that has ended.
func TestABuildIsWaitedForWithoutEnd(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{})
	b := w.begin(t, w.newActor(t, "actor", plain))
	if got := must(w.WaitBuild(t.Context(), b.ID, -1))(t); got.Status != Succeeded {
		t.Errorf("%+v", got)
	}
}

// What a build takes too much of ends it alone.
func TestGreedyBuilds(t *testing.T) {
	t.Parallel()
	w := yarded(t, yard{builds: builds.Limits{MaxLog: 64 << 10}, programs: functions.ProgramOptions{BuildDisk: 64 << 20, BuildMemory: 512 << 20}})
	for name, c := range map[string]struct{ script, message string }{
		"disk":   {`import fs from "node:fs"; for (let i = 0; ; i++) fs.writeFileSync("f" + i, Buffer.alloc(1 << 20, 1));`, "more of the disk"},
		"memory": {`const all = []; for (;;) all.push(Buffer.alloc(16 << 20, 1));`, ""},
		"log":    {`for (let i = 0; i < 100_000; i++) console.log("x".repeat(100)); throw new Error("done");`, "Error: done"},
	} {
		b := w.built(t, name, scripted(c.script))
		if b.Status != Failed || !strings.Contains(b.Message, c.message) {
			t.Errorf("%s: %+v", name, b)
		}
		if log := w.log(t, b); len(log) > 200<<10 || !strings.HasSuffix(log, "The build has failed: "+b.Message+"\n") {
			t.Errorf("%s: a log of %d bytes", name, len(log))
		}
	}
	w.tidy(t, 0)
	if b := w.built(t, "modest", plain); b.Status != Succeeded {
		t.Errorf("%+v", b)
	}
}

// A script may leave what it likes in its directory: nothing of the host is read or
// changed by it.
func TestAHostileBuild(t *testing.T) {
	t.Parallel()
	w, outside := yarded(t, yard{}), osusertest.Shared(t)
	b := w.built(t, "actor", scripted(`import fs from "node:fs"; import path from "node:path";
		fs.rmSync("package-lock.json", { force: true }); fs.symlinkSync("/etc/passwd", "package-lock.json"); fs.symlinkSync(`+strconv.Quote(outside)+`, "out");
		fs.mkdirSync("deep/a/b", { recursive: true }); fs.chmodSync("deep/a", 0o000);
		let found = 0; try { found = fs.readdirSync(path.resolve("../../built")).length } catch {}; console.log("others " + found);`))
	log := w.log(t, b)
	if !b.Status.Final() || strings.Contains(log, "root:x:0") || !strings.Contains(log, "others 0") {
		t.Errorf("%+v\n%s", b, log)
	}
	if err := w.DeleteActor(t.Context(), b.ActorID); err != nil {
		t.Error(err)
	}
}

// Where nothing can be built, that is said.
func TestAHostThatBuildsNothing(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		w := open(t, db, Limits{})
		a := w.actor(t, "actor", Version{Number: "0.1"})
		_, err := w.Build(t.Context(), a.ID, CreateBuild{Version: "0.1"})
		fails(t, err, errtypes.Unavailable, "", "builds no Actors")
		_, err = w.GetBuild(t.Context(), a.ID)
		fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "")
	})
}
