//go:build unix

package actors

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/osuser/osusertest"
)

// endedProcess checks that nothing is left of a process that has said its id.
func endedProcess(t *testing.T, line string) {
	t.Helper()
	pid, err := strconv.Atoi(line[strings.LastIndexByte(line, ' ')+1:])
	if err != nil || syscall.Kill(pid, 0) == nil && !zombie(pid) {
		t.Errorf("%q: it is still there (%v)", line, err)
	}
}

// zombie reports whether a process has ended and was not asked for its end.
func zombie(pid int) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, _ := strings.Cut(string(status), ") ")
	return err == nil && strings.HasPrefix(state, "Z")
}

// The time of a build ends what it does, however deep.
func TestABuildTakesTooLong(t *testing.T) {
	t.Parallel()
	begun := make(chan string)
	told := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { begun <- r.URL.Path }))
	defer told.Close()
	now := clock.NewManual(time.Now())
	w := yarded(t, yard{clock: now})
	b := w.begin(t, w.newActor(t, "actor", scripted(`import { spawn } from "node:child_process";
		spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
		await fetch("`+told.URL+`/pid " + process.pid); setInterval(() => {}, 1000);`)))
	line := <-begun
	now.Advance(31 * time.Minute)
	if b = must(w.WaitBuild(t.Context(), b.ID, time.Hour))(t); b.Status != TimedOut || !strings.Contains(b.Message, "took longer than 30m0s") {
		t.Errorf("%+v\n%s", b, w.log(t, b))
	}
	endedProcess(t, line)
	w.tidy(t, 0)
}

// killHost starts a host that builds an Actor with a script, and kills it when it
// says a line that begins with at. It returns the id of the build, and the line.
func killHost(t *testing.T, dir, work, script, at string) (id, line string) {
	t.Helper()
	return killHostWith(t, at, buildHostEnv+"="+dir, buildWorkEnv+"="+work, buildMainEnv+"="+script)
}

func killHostWith(t *testing.T, at string, env ...string) (id, line string) {
	t.Helper()
	host := exec.Command(os.Args[0], "-test.run=^$")
	host.Env = append(os.Environ(), env...)
	host.Stderr = os.Stderr
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
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

// A build whose host died starts again, with its number; nothing of the first is left.
func TestAHostIsKilledWhileItBuilds(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]string{"unpacking": "Unpacking the source", "installing": "Installing dependencies", "script": "pid "} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, work, flag := t.TempDir(), t.TempDir(), osusertest.Shared(t)+"/first"
			id, line := killHost(t, dir, work, `import fs from "node:fs"; const flag = `+strconv.Quote(flag)+`;
				if (!fs.existsSync(flag)) { fs.writeFileSync(flag, ""); console.log("pid " + process.pid); setInterval(() => {}, 1000); }`, at)
			if at != "pid " {
				if err := os.WriteFile(flag, nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			w := yarded(t, yard{dir: dir, work: work})
			b := w.finished(t, must(w.GetBuild(t.Context(), id))(t))
			if b.Status != Succeeded || b.Number != "0.1.1" || w.starts(t, b) != "started" {
				t.Errorf("%+v\n%s", b, w.log(t, b))
			}
			if at == "pid " {
				endedProcess(t, line)
			}
			w.keeper.Do(t.Context())
			w.tidy(t, 1)
		})
	}
}
