package functions

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/publish"
	"github.com/drover-go/drover/internal/disktest"
	"github.com/drover-go/drover/internal/osuser/osusertest"
	"github.com/drover-go/drover/internal/testlevel"
)

// noRoom is what is said of a full disk of programs.
const noRoom = "no space is left on the disk where programs are made and run"

// large is a text that an archive makes a hundred times smaller: less than npm takes
// for a bomb.
func large(bytes int) string {
	noise := make([]byte, 1<<10)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	return strings.Repeat(string(noise)+strings.Repeat("x", 100<<10), bytes/(101<<10)+1)
}

// alone checks that nothing of a process is left on the disk of temporary files.
func (w *working) alone(t *testing.T, disk string) {
	t.Helper()
	waiting := w.programs.pool.Processes()
	left, err := filepath.Glob(filepath.Join(disk, "drover-child-*", "[0-9]*"))
	if err != nil || len(left) > 2*waiting { // each has a directory, and its user
		t.Errorf("%d processes, and left behind: %v, %v", waiting, left, err)
	}
}

// Builds for which there is no room say so, leave nothing, and the next one is made.
func TestADiskThatIsFullWhileAProgramIsBuilt(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a disk is filled")
	disk := disktest.Small(t, 12)
	w := publishing(t, setup{work: disk})
	w.program(t, one)
	install := map[string]string{
		"package.json": `{"name":"p","version":"1.0.0","dependencies":{"large":"file:large.tgz"}}`,
		"large.tgz":    packed(t, map[string]string{"package/package.json": `{"name":"large","version":"1.0.0"}`, "package/data": large(16 << 20)}),
	}
	for name, c := range map[string]struct {
		files         map[string]string
		full          bool
		code, message string
	}{
		"no room at all":       {files(t, one, nil), true, builds.CauseInternal, noRoom},
		"a large file":         {files(t, one, map[string]string{"data": large(16 << 20)}), false, builds.CauseInternal, noRoom},
		"a large bundle":       {files(t, `import data from "./data.json"; define("one", async () => data.length);`, map[string]string{"data.json": strconv.Quote(strings.Repeat("x", 7<<20))}), false, builds.CauseInternal, noRoom},
		"a large package":      {files(t, one, install), false, builds.CauseInternal, noRoom},
		"written by a program": {files(t, `import fs from "node:fs"; fs.writeFileSync("data", Buffer.alloc(16 << 20)); `+one, nil), false, publish.NoManifests, "running the entry point: Error: ENOSPC: no space left on device, write"},
	} {
		t.Run(name, func(t *testing.T) {
			free := func() {}
			if c.full {
				free = disktest.Fill(t, filepath.Join(disk, "filler"))
			}
			b := w.build(t, c.files)
			free()
			if b.Status != builds.Failed || b.Cause.Code != c.code || !strings.HasSuffix(b.Cause.Message, c.message) {
				t.Errorf("%+v %+v\n%s", b, b.Cause, w.buildLog(t, b))
			}
			if log := w.buildLog(t, b); !strings.HasSuffix(log, "The build has failed: "+b.Cause.Message+"\n") || strings.Contains(log, disk) {
				t.Errorf("%s", log)
			}
			w.tidy(t)
			w.alone(t, disk)
			w.program(t, one)
			if inv := w.do(t, "one", Invoke{}); inv.Status != Completed {
				t.Errorf("%+v", inv.Cause)
			}
		})
	}
}

// Of dependencies that could not be installed whole nobody gets a part: the same lock
// file is installed anew.
func TestADiskThatIsFullLeavesNoHalfOfDependencies(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a disk is filled")
	disk := disktest.Small(t, 24)
	w := publishing(t, setup{work: disk})
	dep := maps.Clone(scripted)
	dep["data"] = large(8 << 20)
	program := npmFiles(t, openRegistry(t, map[string]map[string]string{"@local/dep": dep}))
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 18<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if b := w.build(t, program); b.Status != builds.Failed || b.Cause.Code != builds.CauseInternal || !strings.HasSuffix(b.Cause.Message, noRoom) {
			t.Errorf("%+v %+v\n%s", b, b.Cause, w.buildLog(t, b))
		}
		w.tidy(t)
		if sets, err := filepath.Glob(w.programs.path(dependenciesDir, "[0-9a-f]*")); err != nil || len(sets) != 0 {
			t.Errorf("%v %v", sets, err)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if b := w.build(t, program); b.Status != builds.Succeeded {
		t.Fatalf("%+v\n%s", b.Cause, w.buildLog(t, b))
	}
	data, err := filepath.Glob(w.programs.path(dependenciesDir, "*", "node_modules", "@local", "dep", "data"))
	if err != nil || len(data) != 1 {
		t.Fatalf("%v %v", data, err)
	}
	if got, err := os.ReadFile(data[0]); err != nil || string(got) != dep["data"] {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// Invocations for which there is no room have failed, say why and leave nothing, and
// the next one is handled.
func TestADiskThatIsFullWhileAProgramRuns(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a disk is filled")
	disk := disktest.Small(t, 24)
	w := publishing(t, setup{work: disk})
	b := w.program(t, one+` import fs from "node:fs"; define("cold", async () => 1); define("writes", async () => fs.writeFileSync(process.env.TMPDIR + "/data", Buffer.alloc(64 << 20)));`)
	remove := func() {
		if err := os.RemoveAll(w.programs.path(builtDir, b.ID)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		function      string
		before        func()
		full          bool
		code, message string
	}{
		"no room for a process":       {"cold", func() {}, true, CauseInternal, "no process could be started: " + noRoom},
		"no room for the program":     {"cold", remove, true, CauseInternal, "the invocation could not be executed: " + noRoom},
		"the function fills the disk": {"writes", func() {}, false, CauseWorkload, "ENOSPC: no space left on device, write"},
	} {
		t.Run(name, func(t *testing.T) {
			c.before()
			free := func() {}
			if c.full {
				free = disktest.Fill(t, filepath.Join(disk, "filler"))
			}
			inv := w.do(t, c.function, Invoke{})
			free()
			if inv.Status != Failed || inv.Cause.Code != c.code || inv.Cause.Message != c.message {
				t.Errorf("%+v %+v", inv, inv.Cause)
			}
			if log := w.log(t, inv); log != "The invocation has failed: "+c.message+"\n" {
				t.Errorf("%s", log)
			}
			w.tidy(t)
			w.alone(t, disk)
			if inv := w.do(t, "one", Invoke{}); inv.Status != Completed {
				t.Errorf("%+v", inv.Cause)
			}
		})
	}
}

// Where the database, too, is on the full disk, nothing new is taken; what was under
// way ends when there is room again.
func TestADiskThatIsFullUnderTheDatabase(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a disk is filled")
	disk, flag := disktest.Small(t, 24), filepath.Join(osusertest.Shared(t), "flag")
	w := publishing(t, setup{dir: disk, work: t.TempDir()})
	wait := `console.log("here"); while (!fs.existsSync(` + strconv.Quote(flag) + `)) await new Promise(r => setTimeout(r, 20)); console.log("there");`
	w.program(t, one+` import fs from "node:fs"; define("waits", async () => { `+wait+` return "done"; });`)
	inv := w.invoke(t, "waits", Invoke{})
	b, err := w.Publish(t.Context(), Publish{Entrypoint: "index.ts", Archive: archive(t, files(t, `import fs from "node:fs"; define("two", async () => 2); `+wait, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range w.Follow(t.Context(), inv.ID) {
		if err != nil || e.Message == "here" {
			break
		}
	}
	for e, err := range w.builds.Follow(t.Context(), builds.Function, b.ID) {
		if err != nil || e.Message == "here" {
			break
		}
	}
	free := disktest.Fill(t, filepath.Join(disk, "filler"))
	if _, err := w.Publish(t.Context(), Publish{Entrypoint: "index.ts", Archive: archive(t, files(t, one, nil))}); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(errtypes.Public(err).Message, "no space is left") {
		t.Errorf("publish: %v", err)
	}
	if _, err := w.Invoke(t.Context(), "one", Invoke{}); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(errtypes.Public(err).Message, "disk of the database is full") {
		t.Errorf("invoke: %v", err)
	}
	if err := os.WriteFile(flag, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // in which the end is tried three times
	defer cancel()
	if inv, err := w.Wait(ctx, inv.ID); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("there was room for the end: the test shows nothing: %+v %v", inv, err)
	}
	free()
	inv, err = w.Wait(t.Context(), inv.ID)
	kept := inv.Status == Completed && string(inv.Result) == `"done"` // of a busy machine
	if err != nil || !kept && (inv.Status != Failed || inv.Cause.Code != CauseInternal || inv.Cause.Message != "the end of the invocation could not be written") {
		t.Errorf("%+v %+v %v", inv, inv.Cause, err)
	}
	if log := w.log(t, inv); log != "here\nthere\n" {
		t.Errorf("%s", log)
	}
	if b, err = w.builds.Wait(t.Context(), builds.Function, b.ID); err != nil || b.Status != builds.Succeeded {
		t.Errorf("%+v %+v %v\n%s", b, b.Cause, err, w.buildLog(t, b))
	}
	w.tidy(t)
	for function, want := range map[string]string{"one": "1", "two": "2", "waits": `"done"`} {
		if inv := w.do(t, function, Invoke{}); string(inv.Result) != want {
			t.Errorf("%+v %+v", inv, inv.Cause)
		}
	}
	if made, err := os.ReadDir(w.programs.path(builtDir)); err != nil || len(made) != 2 {
		t.Errorf("%v %v", made, err)
	}
}
