package actors

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/osuser/osusertest"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/webhooks"
)

// yard is what a test wants of a service that builds. The zero value is in memory.
type yard struct {
	// dir has the data, work the programs of data in memory.
	dir, work string
	limits    Limits
	builds    builds.Limits
	programs  functions.ProgramOptions
	// closed lets archives be fetched from nowhere on this machine.
	closed bool
	// idle leaves the workers stopped.
	idle bool
	// clock is the machine's unless it is given.
	clock clock.Clock
	// platform answers runs; nil for nothing.
	platform http.Handler
}

// answering is what makes the platform; nil for none.
func (o yard) answering() func(Service) http.Handler {
	if o.platform == nil {
		return nil
	}
	return func(Service) http.Handler { return o.platform }
}

// building is a service that builds, with its workers running.
type building struct {
	*service
	db       *storage.DB
	queue    *jobs.Queue
	hub      *notify.Hub
	logs     *joblog.Logs
	keeper   *retention.Keeper // not started
	children *child.Manager
	programs *functions.Programs
	records  records.Service
	projects projects.Service
	sources  blob.Store
	blobs    blob.Store
	place    string // where programs lie
	hooks    *webhooks.Hooks
}

func openBuilding(ctx context.Context, o yard) (w *building, err error) {
	w = &building{place: filepath.Join(o.work, "programs")}
	if o.dir != "" {
		w.place = filepath.Join(o.dir, "programs")
	}
	for _, dir := range []string{o.work, o.dir} {
		if err := osusertest.Open(dir); err != nil {
			return nil, err
		}
	}
	if w.db, err = storage.Open(ctx, storage.Options{Dir: o.dir, Clock: o.clock}); err != nil {
		return nil, err
	}
	if w.projects, err = projects.New(ctx, w.db, projects.Options{}); err != nil {
		return w, err
	}
	w.hub = notify.New(w.db, notify.Options{})
	w.keeper = retention.NewKeeper(w.db, retention.Options{})
	dead := reaper.New(w.db, reaper.Options{Reaped: w.keeper.Sweep})
	w.queue = jobs.New(w.db, w.hub, jobs.Options{Reaper: dead})
	if w.logs, err = joblog.New(joblog.Config{DB: w.db, Notify: w.hub, Blobs: blob.NewMemory(clock.System()), Reaper: dead}); err != nil {
		return w, err
	}
	w.sources, w.blobs = blob.NewMemory(clock.System()), blob.NewMemory(clock.System())
	if o.dir != "" {
		if w.sources, err = blob.NewDir(filepath.Join(o.dir, "sources"), blob.DirOptions{}); err != nil {
			return w, err
		}
		if w.blobs, err = blob.NewDir(filepath.Join(o.dir, "actors"), blob.DirOptions{}); err != nil {
			return w, err
		}
	}
	if w.children, err = child.Open(child.Options{TempDir: o.work}); err != nil {
		return w, err
	}
	memory, err := admission.New(admission.Options{Memory: 4 << 30})
	if err != nil {
		return w, err
	}
	o.programs.Dir = w.place
	if w.programs, err = functions.OpenPrograms(functions.ProgramsConfig{ProgramOptions: o.programs, Children: w.children, Memory: memory, Instance: w.db.InstanceID()}); err != nil {
		return w, err
	}
	w.keeper.Register(retention.Sweep{Things: "programs", Run: w.sweep}) // as functions have it swept
	if w.hooks, err = openHooks(ctx, w.db, w.projects, w.queue, w.hub); err != nil {
		return w, err
	}
	if err := watch(ctx, w.db, w.hooks); err != nil {
		return w, err
	}
	made, err := builds.New(builds.Config{DB: w.db, Callers: w.projects, Jobs: w.queue, Notify: w.hub, Logs: w.logs, Blobs: w.sources, Webhooks: w.hooks, Limits: o.builds, Keeper: w.keeper})
	if err != nil {
		return w, err
	}
	if w.records, err = records.Open(ctx, records.Config{DB: w.db, Projects: w.projects, Blobs: blob.NewMemory(clock.System())}); err != nil {
		return w, err
	}
	reach := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	if o.closed {
		reach = nil
	}
	gate, err := egress.New(egress.Options{AllowPrefixes: reach})
	if err != nil {
		return w, err
	}
	s, err := New(Config{
		DB: w.db, Callers: w.projects, Keys: seal.NewRing(seal.NewKey()), Blobs: w.blobs, Keeper: w.keeper, Limits: o.limits,
		Stores: w.records, Jobs: w.queue, Notify: w.hub, Logs: w.logs, Memory: memory, Builds: made, Webhooks: w.hooks, Workshop: w.programs.Workshop(), Gate: gate, Archives: w.records,
		Platform: o.answering(), Chromium: func() (string, error) { return "/opt/chromium", nil },
	})
	if err != nil {
		return w, err
	}
	w.service = s.(*service)
	if o.idle {
		return w, nil
	}
	return w, w.queue.Start(ctx)
}

func (w *building) sweep(ctx context.Context) error {
	all, err := w.db.Instances(ctx)
	if err != nil {
		return err
	}
	return w.programs.Sweep(func(id string) bool {
		return slices.ContainsFunc(all, func(i storage.Instance) bool { return i.ID == id && i.Alive })
	})
}

func (w *building) shut(ctx context.Context) error {
	var errs []error
	if w.service != nil {
		errs = append(errs, w.service.Close(ctx))
	}
	errs = append(errs, w.queue.Stop(ctx))
	if w.programs != nil {
		errs = append(errs, w.programs.Close())
	}
	if w.children != nil {
		errs = append(errs, w.children.Close())
	}
	if w.records != nil {
		errs = append(errs, w.records.Close(ctx))
	}
	if w.logs != nil {
		errs = append(errs, w.logs.Close(ctx))
	}
	w.hub.Close()
	if w.service != nil {
		errs = append(errs, w.hooks.Close(ctx), checkTold(context.Background(), w.db, w.hooks))
	}
	return errors.Join(append(errs, w.db.Close())...)
}

// yarded is a service that builds, on a machine with Node.js.
func yarded(t testing.TB, o yard) *building {
	t.Helper()
	testlevel.External()
	if _, err := exec.LookPath("node"); err != nil {
		testlevel.Missing(t, "NODE: %v", err)
	}
	if o.work == "" {
		o.work = t.TempDir()
	}
	w, err := openBuilding(t.Context(), o)
	if w != nil && w.queue != nil {
		t.Cleanup(func() {
			ended, cancel := context.WithCancel(context.Background())
			cancel()
			if err := w.shut(ended); err != nil {
				t.Errorf("close: %v", err)
			}
			_ = workdir.RemoveAll(w.place) // dependencies are read-only
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// filesOf are the files of a version.
func filesOf(all map[string]string) (files []SourceFile) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		files = append(files, SourceFile{Name: name, Content: all[name]})
	}
	return files
}

// newActor makes an Actor with the version 0.1.
func (w *building) newActor(t testing.TB, name string, files map[string]string) Actor {
	t.Helper()
	return must(w.CreateActor(t.Context(), CreateActor{Name: name, Versions: []Version{{Number: "0.1", Files: filesOf(files)}}}))(t)
}

// begin has the version 0.1 of an Actor built.
func (w *building) begin(t testing.TB, a Actor) Build {
	t.Helper()
	return must(w.Build(t.Context(), a.ID, CreateBuild{Version: "0.1"}))(t)
}

// finished waits for the end of a build.
func (w *building) finished(t testing.TB, b Build) Build {
	t.Helper()
	b = must(w.WaitBuild(t.Context(), b.ID, time.Minute))(t)
	if !b.Status.Final() || b.FinishedAt.IsZero() || (b.Status == Succeeded) != (b.Message == "") {
		t.Fatalf("%+v\n%s", b, w.log(t, b))
	}
	return b
}

// built builds files in an Actor of its own.
func (w *building) built(t testing.TB, name string, files map[string]string) Build {
	t.Helper()
	return w.finished(t, w.begin(t, w.newActor(t, name, files)))
}

// log is what a build has logged.
func (w *building) log(t testing.TB, b Build) string {
	t.Helper()
	var text strings.Builder
	for e, err := range w.BuildLog(t.Context(), b.ID, false) {
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(e.Message + "\n")
	}
	return text.String()
}

// until follows the log of a build up to a line that begins so.
func (w *building) until(t testing.TB, b Build, begin string) string {
	t.Helper()
	for e, err := range w.BuildLog(t.Context(), b.ID, true) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(e.Message, begin) {
			return e.Message
		}
	}
	t.Fatalf("the log never said %q:\n%s", begin, w.log(t, b))
	return ""
}

// tidy checks that nothing half made is left, and so many programs.
func (w *building) tidy(t testing.TB, programs int) {
	t.Helper()
	if left, err := os.ReadDir(filepath.Join(w.place, "new")); err == nil && len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if made, err := os.ReadDir(filepath.Join(w.place, "built")); err != nil && programs > 0 || len(made) != programs {
		t.Errorf("%d programs are there, and not %d: %v %v", len(made), programs, made, err)
	}
}

// countBlobs is how many there are.
func countBlobs(t testing.TB, s blob.Store) (n int) {
	t.Helper()
	for _, err := range s.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// starts runs the program of a build and returns what it prints.
func (w *building) starts(t testing.TB, b Build) string {
	t.Helper()
	p := must(w.openBuilt(t.Context(), b.ProjectID, b.ID))(t)
	run := exec.CommandContext(t.Context(), p.Start[0], p.Start[1:]...)
	run.Dir, run.Env = filepath.Join(p.path, p.Dir), append(os.Environ(), p.Env...)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// buildHostEnv makes the test binary a host that builds an Actor of the files in
// buildFilesEnv, in the data directory it names, with temporary files in
// buildWorkEnv.
const (
	buildHostEnv = "DROVER_ACTORS_TEST_BUILD_HOST"
	buildWorkEnv = "DROVER_ACTORS_TEST_WORK"
	buildMainEnv = "DROVER_ACTORS_TEST_SCRIPT"
	// builtMainEnv is a program that is run once it is built.
	builtMainEnv = "DROVER_ACTORS_TEST_PROGRAM"
)

// runHostMain says the id of its run and all lines of its log; it brings the run into the
// phase that phaseEnv names once its program has said which processes there are.
func runHostMain(ctx context.Context, w *building, program, phase string) error {
	files := map[string]string{"main.mjs": program, "package.json": `{"main":"main.mjs"}`}
	if phase == "finishing" {
		files["finishes"] = "yes"
	}
	a, err := w.CreateActor(ctx, CreateActor{Name: "host", Versions: []Version{{Number: "0.1", Files: filesOf(files)}}})
	if err != nil {
		return err
	}
	b, err := w.Build(ctx, a.ID, CreateBuild{Version: "0.1"})
	if err == nil {
		_, err = w.WaitBuild(ctx, b.ID, time.Minute)
	}
	if err != nil {
		return err
	}
	o := RunOptions{RestartOnError: new(phase == "restarted")}
	if phase == "TIMING-OUT" {
		o.Timeout = new(2 * time.Second)
	}
	r, err := w.Start(ctx, a.ID, Start{Options: o})
	if err != nil {
		return err
	}
	fmt.Println("id", r.ID)
	for e, err := range w.FollowLog(ctx, r.ID) {
		if err != nil {
			return err
		}
		fmt.Println(e.Message)
		if strings.HasPrefix(e.Message, "pids ") {
			if err := bring(ctx, w, r, phase); err != nil {
				return err
			}
			fmt.Println("phase", e.Message)
		}
	}
	select {}
}

// bring brings a run into a phase that it does not come to by itself.
func bring(ctx context.Context, w *building, r RunInfo, phase string) (err error) {
	switch phase {
	case "READY": // another run, which waits for this one
		if r, err = w.Start(ctx, r.ActorID, Start{}); err == nil {
			fmt.Println("id", r.ID)
		}
	case "ABORTING":
		_, err = w.Abort(ctx, r.ID, true)
	}
	return err
}

// buildHostMain says the id of its build and all lines of its log.
func buildHostMain(dir string) error {
	ctx := context.Background()
	p := &platform{}
	w, err := openBuilding(ctx, yard{dir: dir, work: os.Getenv(buildWorkEnv), platform: p, limits: Limits{Concurrent: 1, HandlerGrace: time.Hour, AbortGrace: time.Hour}})
	if err != nil {
		return err
	}
	p.w = w // before there is a run
	if program := os.Getenv(builtMainEnv); program != "" {
		return runHostMain(ctx, w, program, os.Getenv(phaseEnv))
	}
	a, err := w.CreateActor(ctx, CreateActor{Name: "host", Versions: []Version{{Number: "0.1", Files: filesOf(scripted(os.Getenv(buildMainEnv)))}}})
	if err != nil {
		return err
	}
	b, err := w.Build(ctx, a.ID, CreateBuild{Version: "0.1"})
	if err != nil {
		return err
	}
	fmt.Println("id", b.ID)
	for e, err := range w.BuildLog(ctx, b.ID, true) {
		if err != nil {
			return err
		}
		fmt.Println(e.Message)
	}
	select {}
}

// scripted are files whose build runs a script in JavaScript.
func scripted(build string) map[string]string {
	return map[string]string{
		"package.json": `{"name":"a","version":"1.0.0","scripts":{"build":"node build.mjs","start":"node main.js"}}`, "build.mjs": build, "main.js": `console.log("started");`,
	}
}
