//go:build unix

package conformance

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
)

// project is a directory with a program for the hosted service, whose packages are
// those of dir.
func project(t *testing.T, dir string) string {
	t.Helper()
	at := t.TempDir()
	for _, name := range []string{"index.ts", "package.json", "package-lock.json"} {
		must(0, os.WriteFile(filepath.Join(at, name), must(os.ReadFile(filepath.Join(dir, name)))(t), 0o600))(t)
	}
	must(0, os.Symlink(filepath.Join(dir, "node_modules"), filepath.Join(at, "node_modules")))(t)
	return at
}

// bb are the words that start the tool of the functions' package.
func bb(dir string, args ...string) []string {
	return append([]string{"node", filepath.Join(dir, "node_modules/@browserbasehq/sdk-functions/dist/cli.js")}, args...)
}

func (w *world) bbEnv(address string) []string {
	return []string{
		"BROWSERBASE_API_BASE_URL=http://" + address, "BROWSERBASE_BASE_URL=http://" + address, "BROWSERBASE_API_KEY=" + w.words["<key>"], "BROWSERBASE_PROJECT_ID=default",
		"DO_NOT_TRACK=1", "BROWSERBASE_TELEMETRY_DISABLED=1", "NO_COLOR=1", "FORCE_COLOR=0",
	}
}

// TestPublicFunctionsClient has the unmodified tool of the hosted service publish a
// program, whose unmodified runtime drives the page of its session by
// playwright-core, and invoke it.
func TestPublicFunctionsClient(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "packages are installed and browsers started")
	dir := npmtest.Dir(t, "npm-functions")
	w, address := wholeService(t)
	at, env := project(t, dir), w.bbEnv(address)

	out := runIn(t, at, env, bb(dir, "publish", "index.ts")...)
	if !strings.Contains(out, "read-title") || !strings.Contains(out, "nothing") {
		t.Fatalf("%s\n%s", out, w.lastBuildLog(t))
	}
	runIn(t, at, env, bb(dir, "publish", "index.ts")...) // with the dependencies of the first
	if log := w.lastBuildLog(t); !strings.Contains(log, "installed already") {
		t.Error(log)
	}
	ids := map[string]string{}
	ctx := w.asDefault(t)
	for _, b := range must(w.Builds.List(ctx, builds.Filter{Kind: builds.Function}))(t).Builds {
		t.Logf("a build took %v", b.EndedAt.Sub(b.StartedAt))
	}
	for _, f := range must(w.Functions.List(ctx, functions.Page{}))(t).Items {
		ids[f.Name] = f.ID
	}
	site := clientSite(t)
	out = runIn(t, at, env, bb(dir, "invoke", ids["read-title"], "-p", `{"url":"`+site+`"}`)...)
	for _, want := range []string{"read!", "Start", "777"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not in %s", want, out)
		}
	}
	last := must(w.Functions.Invocations(ctx, must(w.Functions.Get(ctx, "read-title"))(t).CurrentVersionID, functions.Filter{}))(t).Items[0]
	if out := runIn(t, at, env, bb(dir, "invoke", "--check-status", last.ID, ids["read-title"])...); !strings.Contains(out, "COMPLETED") {
		t.Error(out)
	}
	if s, err := w.Sessions.Get(ctx, last.SessionID); err != nil || !s.Status.Final() || s.Settings.Viewport.Width != 777 {
		t.Errorf("%+v %v", s, err)
	}
	for name, params := range map[string]string{"fail": "{}", "read-title": `{"url":5}`} {
		if out, err := fails(t, at, env, bb(dir, "invoke", ids[name], "-p", params)); err == nil {
			t.Errorf("%s: %s", name, out)
		}
	}
	if out := runIn(t, at, env, bb(dir, "invoke", ids["nothing"])...); !strings.Contains(out, "COMPLETED") {
		t.Error(out)
	}
}

// TestPublicFunctionsClientSaysWhatFailed has it publish what cannot be built.
func TestPublicFunctionsClientSaysWhatFailed(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "packages are installed")
	dir := npmtest.Dir(t, "npm-functions")
	w, address := wholeService(t)
	at := project(t, dir)
	must(0, os.WriteFile(filepath.Join(at, "index.ts"), []byte(`import "./nowhere";`), 0o600))(t)
	if out, err := fails(t, at, w.bbEnv(address), bb(dir, "publish", "index.ts")); err == nil {
		t.Error(out)
	}
	if log := w.lastBuildLog(t); !strings.HasSuffix(log, "The build has failed: bundling: index.ts:1:7: Could not resolve \"./nowhere\"\n") {
		t.Error(log)
	}
}

// TestPublicFunctionsClientInDevelopment has the tool serve the functions on the
// author's machine, with sessions of Drover.
func TestPublicFunctionsClientInDevelopment(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a browser is started")
	dir := npmtest.Dir(t, "npm-functions")
	w, address := wholeService(t)
	base := develop(t, project(t, dir), append(w.bbEnv(address), "NODE_ENV=local"), dir)
	res := must(http.Post(base+"/v1/functions/read-title/invoke", "application/json", strings.NewReader(`{"params":{"url":"`+clientSite(t)+`","mark":"?"}}`)))(t)
	defer res.Body.Close()
	body := must(io.ReadAll(res.Body))(t)
	var said struct{ Mark, Title, Session string }
	if err := json.Unmarshal(body, &said); err != nil || res.StatusCode != 200 || said.Mark != "read?" || said.Title != "Start" {
		t.Fatalf("%d %s %v", res.StatusCode, body, err)
	}
	if s, err := w.Sessions.Get(w.asDefault(t), said.Session); err != nil || s.Settings.Viewport.Width != 777 {
		t.Errorf("%+v %v", s, err)
	}
}

// develop starts the tool's server, and returns where it is once it says so. The tool goes
// on for ever where it cannot listen, and so its port may have been taken meanwhile.
func develop(t *testing.T, at string, env []string, dir string) (base string) {
	t.Helper()
	said := ""
	for range 3 {
		port := freePort(t)
		command := bb(dir, "dev", "index.ts", "-p", port)
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir, cmd.Env = at, append(os.Environ(), env...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
		out := must(cmd.StdoutPipe())(t)
		cmd.Stderr = cmd.Stdout
		must(0, cmd.Start())(t)
		end := func() {
			_ = cmd.Cancel()
			_ = cmd.Wait()
		}
		late := time.AfterFunc(2*time.Minute, func() { _ = cmd.Cancel() })
		ready, text := saysThatItListens(out)
		if late.Stop() && ready {
			t.Cleanup(end)
			return "http://127.0.0.1:" + port
		}
		said += text
		end()
	}
	t.Fatalf("the server does not say that it listens:\n%s", said)
	return ""
}

func freePort(t *testing.T) string {
	t.Helper()
	free := must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer free.Close()
	_, port, _ := net.SplitHostPort(free.Addr().String())
	return port
}

// saysThatItListens reads what the tool prints until it does, or has no port.
func saysThatItListens(out io.Reader) (ready bool, said string) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		said += lines.Text() + "\n"
		switch {
		case strings.Contains(lines.Text(), "Loaded 3 function manifest(s)"):
			go io.Copy(io.Discard, out)
			return true, said
		case strings.Contains(lines.Text(), "EADDRINUSE"):
			return false, said
		}
	}
	return false, said
}

// fails runs a command that has to fail.
func fails(t *testing.T, dir string, env, command []string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestPublicCommandLines has the hosted service's other tools, unmodified, publish and
// invoke a program.
func TestPublicCommandLines(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "packages are installed")
	for folder, program := range map[string]string{
		"npm-cli": "@browserbasehq/cli/dist/main.js", "npm-browse": "browse/bin/run.js",
	} {
		t.Run(folder, func(t *testing.T) {
			dir := npmtest.Dir(t, folder)
			commandLine(t, func(args ...string) []string {
				return append([]string{"node", filepath.Join(dir, "node_modules", program), "functions"}, args...)
			})
		})
	}
}

func commandLine(t *testing.T, tool func(args ...string) []string) {
	w, address := wholeService(t)
	at, env := project(t, npmtest.Dir(t, "npm-functions")), append(w.bbEnv(address), "HOME="+t.TempDir())
	if out := runIn(t, at, env, tool("publish", "index.ts")...); !strings.Contains(out, "read-title") {
		t.Fatalf("%s\n%s", out, w.lastBuildLog(t))
	}
	ctx := w.asDefault(t)
	f := must(w.Functions.Get(ctx, "read-title"))(t)
	out := runIn(t, at, env, tool("invoke", f.ID, "--params", `{"url":"`+clientSite(t)+`"}`)...)
	if !strings.Contains(out, "Start") || !strings.Contains(out, "COMPLETED") {
		t.Error(out)
	}
	failing := must(w.Functions.Get(ctx, "fail"))(t)
	if out, err := fails(t, at, env, tool("invoke", failing.ID)); err == nil || !strings.Contains(out, "out of luck") {
		t.Errorf("%v %s", err, out)
	}
}
