//go:build unix

package functions

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/internal/osuser/osusertest"
)

// programHostEnv makes the test binary a host that publishes the program in
// programSourceEnv and follows its build, in the data directory it names, with
// temporary files in programWorkEnv. When the build succeeds, it invokes "hangs".
const (
	programHostEnv   = "DROVER_FUNCTIONS_TEST_PROGRAM_HOST"
	programWorkEnv   = "DROVER_FUNCTIONS_TEST_WORK"
	programSourceEnv = "DROVER_FUNCTIONS_TEST_SOURCE"
)

// programHostMain is a host until it is killed. It says the id of what it does, and
// each line that is logged. Without a source it does what it finds.
func programHostMain(dir string) error {
	ctx := context.Background()
	w, err := openWorking(ctx, setup{dir: dir, work: os.Getenv(programWorkEnv), programs: &ProgramOptions{}})
	if err != nil {
		return err
	}
	source, err := base64.StdEncoding.DecodeString(os.Getenv(programSourceEnv))
	if err != nil {
		return err
	}
	if len(source) == 0 {
		select {}
	}
	b, err := w.Publish(ctx, Publish{Entrypoint: "index.ts", Archive: bytes.NewReader(source)})
	if err != nil {
		return err
	}
	fmt.Println("id", b.ID)
	for e, err := range w.builds.Follow(ctx, builds.Function, b.ID) {
		if err != nil {
			return err
		}
		fmt.Println(e.Message)
	}
	inv, err := w.Invoke(ctx, "hangs", Invoke{})
	if err != nil {
		return err
	}
	fmt.Println("id", inv.ID)
	for e, err := range w.Follow(ctx, inv.ID) {
		if err != nil {
			return err
		}
		fmt.Println(e.Message)
	}
	select {}
}

// hostOf starts a host that publishes files, or does what is left where there are
// none.
func hostOf(t *testing.T, dir, work string, files map[string]string) (host *exec.Cmd, out io.Reader) {
	t.Helper()
	var source []byte
	if files != nil {
		var err error
		if source, err = io.ReadAll(archive(t, files)); err != nil {
			t.Fatal(err)
		}
	}
	host = exec.Command(os.Args[0], "-test.run=^$")
	host.Env = append(os.Environ(), programHostEnv+"="+dir, programWorkEnv+"="+work, programSourceEnv+"="+base64.StdEncoding.EncodeToString(source))
	host.Stderr = os.Stderr
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	return host, out
}

// killHost starts a host that publishes files and kills it when it says a line that
// begins with at. It returns the last id that the host said, and the line.
func killHost(t *testing.T, dir, work string, files map[string]string, at string) (id, line string) {
	t.Helper()
	host, out := hostOf(t, dir, work, files)
	defer host.Wait()
	defer host.Process.Kill()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if said, ok := strings.CutPrefix(lines.Text(), "id "); ok {
			id = said
		}
		if strings.HasPrefix(lines.Text(), at) {
			return id, lines.Text()
		}
	}
	t.Fatalf("the host never said %q", at)
	return "", ""
}

// endedProcess checks that nothing is left of a process that has said its id.
func endedProcess(t *testing.T, line string) {
	t.Helper()
	pid, err := strconv.Atoi(line[strings.LastIndexByte(line, ' ')+1:])
	if err != nil || syscall.Kill(pid, 0) == nil && !zombie(pid) {
		t.Errorf("%q: it is still there (%v)", line, err)
	}
}

// A build whose host died starts again; nothing of the first is left.
func TestAHostIsKilledWhileItBuilds(t *testing.T) {
	t.Parallel()
	dir, work, flag := t.TempDir(), t.TempDir(), osusertest.Shared(t)+"/first"
	id, line := killHost(t, dir, work, map[string]string{"runtime.mjs": runtimeFile(t), "index.ts": `
		import { define } from "./runtime.mjs"; import { existsSync, writeFileSync } from "node:fs";
		define("one", async () => 1);
		if (!existsSync(` + strconv.Quote(flag) + `)) { writeFileSync(` + strconv.Quote(flag) + `, ""); console.log("pid " + process.pid); setInterval(() => {}, 1000); }`}, "pid ")
	w := publishing(t, setup{dir: dir, work: work})
	b, err := w.builds.Wait(t.Context(), builds.Function, id)
	if err != nil || b.Status != builds.Succeeded {
		t.Fatalf("%+v %+v %v\n%s", b, b.Cause, err, w.buildLog(t, b))
	}
	endedProcess(t, line)
	if inv := w.do(t, "one", Invoke{}); string(inv.Result) != "1" {
		t.Errorf("%+v", inv)
	}
	w.keeper.Do(t.Context())
	w.tidy(t)
}

// A build that every host dies of is given up.
func TestABuildDoesNotStartAgainForEver(t *testing.T) {
	t.Parallel()
	dir, work, began := t.TempDir(), t.TempDir(), make(chan struct{})
	told := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		<-r.Context().Done()
	}))
	defer told.Close()
	files := map[string]string{"index.ts": `await fetch("` + told.URL + `");`}
	for range 4 {
		host, _ := hostOf(t, dir, work, files)
		<-began
		host.Process.Kill()
		host.Wait()
		files = nil
	}
	w := publishing(t, setup{dir: dir, work: work})
	l, err := w.builds.List(t.Context(), builds.Filter{Kind: builds.Function})
	if err != nil || len(l.Builds) != 1 {
		t.Fatalf("%+v %v", l, err)
	}
	b, err := w.builds.Wait(t.Context(), builds.Function, l.Builds[0].ID)
	if err != nil || b.Status != builds.Failed || b.Cause.Code != builds.CauseInternal || b.Cause.Message != "the host has died each of the 4 times that it was doing the build" {
		t.Errorf("%+v %+v %v", b, b.Cause, err)
	}
	w.keeper.Do(t.Context())
	w.tidy(t)
}

// An invocation of a program whose host died has failed, and its process is gone.
func TestAHostIsKilledWhileAProgramRuns(t *testing.T) {
	t.Parallel()
	dir, work := t.TempDir(), t.TempDir()
	id, line := killHost(t, dir, work, map[string]string{"runtime.mjs": runtimeFile(t), "index.ts": `
		import { define } from "./runtime.mjs";
		define("one", async () => 1);
		define("hangs", async () => { console.log("pid " + process.pid); await new Promise(() => setInterval(() => {}, 1000)); });`}, "pid ")
	w := publishing(t, setup{dir: dir, work: work})
	inv, err := w.Wait(t.Context(), id)
	if err != nil || inv.Status != Failed || inv.Cause.Code != CauseInternal || inv.Cause.Message != "the process that executed the invocation died" {
		t.Errorf("%+v %+v %v", inv, inv.Cause, err)
	}
	endedProcess(t, line)
	if inv := w.do(t, "one", Invoke{}); string(inv.Result) != "1" {
		t.Errorf("%+v", inv)
	}
}

// An archive that is too large is refused before anything is built.
func TestAnArchiveIsTooLarge(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{builds: builds.Limits{MaxSource: 100}})
	_, err := w.Publish(t.Context(), Publish{Entrypoint: "index.js", Archive: bytes.NewReader(make([]byte, 101))})
	if err == nil || !strings.Contains(err.Error(), "100") {
		t.Error(err)
	}
	if l, err := w.builds.List(t.Context(), builds.Filter{Kind: builds.Function}); err != nil || l.Total != 0 {
		t.Errorf("%+v %v", l, err)
	}
}
