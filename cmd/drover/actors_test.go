package main

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
)

// greeter is an Actor that needs no packages: it asks the platform by itself.
const greeter = `const base = process.env.APIFY_API_BASE_URL + "/v2";
	const headers = { authorization: "Bearer " + process.env.APIFY_TOKEN, "content-type": "application/json" };
	const records = base + "/key-value-stores/" + process.env.ACTOR_DEFAULT_KEY_VALUE_STORE_ID + "/records/";
	const { name, wait, code, silent } = await (await fetch(records + "INPUT", { headers })).json();
	console.log("\u001b[31mgreeting " + name);
	if (wait) await new Promise((go) => setTimeout(go, 600000));
	const items = base + "/datasets/" + process.env.ACTOR_DEFAULT_DATASET_ID + "/items";
	await fetch(items, { method: "POST", headers, body: JSON.stringify([{ n: 1 }, { n: 2 }]) });
	const text = process.env.GREETING + ", " + name + process.env.TOKEN.length;
	if (!silent) await fetch(records + "OUTPUT", { method: "PUT", headers, body: JSON.stringify({ text }) });
	process.exit(code ?? 0);`

// write writes files, by their names.
func write(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// anActorIn writes the Actor my-greeter.
func anActorIn(t *testing.T, dir string) string {
	t.Helper()
	testlevel.External()
	if _, err := exec.LookPath("node"); err != nil {
		testlevel.Missing(t, "NODE: %v", err)
	}
	return write(t, dir, map[string]string{
		".actor/actor.json": `{"actorSpecification": 1, "name": "my-greeter", "version": "0.1", "buildTag": "latest",
			"environmentVariables": {"GREETING": "Hello", "TOKEN": "@DROVER_TEST_TOKEN"}, "input": "./input.json"}`,
		".actor/input.json": `{"title": "Input", "type": "object", "schemaVersion": 1, "required": ["name"], "properties": {
			"name": {"title": "Name", "type": "string", "description": "Who is greeted.", "editor": "textfield"}}}`,
		"package.json": `{"name": "greeter", "type": "module", "main": "main.js"}`,
		"main.js":      greeter,
		".env":         "SECRET=1", "storage/x.json": "{}", "node_modules/x/index.js": "", "dist/x.js": "", ".gitignore": "/dist\n",
	})
}

// withToken runs a command that knows the secret of the Actor.
func (c commandsOf) withToken(args ...string) (out, errs string, code int) {
	c.t.Helper()
	cmd := c.command(args...)
	cmd.Env = append(cmd.Env, "DROVER_TEST_TOKEN=four")
	var stdout, stderr log
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// push pushes the Actor of a directory.
func (c commandsOf) push(dir string, args ...string) string {
	c.t.Helper()
	out, errs, code := c.withToken(append([]string{"actors", "push", dir}, args...)...)
	if code != 0 || !strings.HasPrefix(out, `Built Actor "my-greeter" `) || !strings.Contains(errs, " Unpacking the source\n") {
		c.t.Fatalf("%d %s%s", code, out, errs)
	}
	return out
}

func TestActorsOfAService(t *testing.T) {
	t.Parallel()
	dir := anActorIn(t, t.TempDir())
	c := commandsOf{t, startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:")}
	if errs := c.bad("actors", "push", dir); !strings.Contains(errs, "the variable DROVER_TEST_TOKEN, which is not set") {
		t.Error(errs)
	}
	if out := c.good("actors", "list"); strings.Count(out, "\n") != 1 {
		t.Errorf("a push that was refused has made an Actor: %s", out)
	}
	c.push(dir)
	if out := c.push(dir, "--tag", "beta", "--version", "0.2"); !strings.Contains(out, " 0.2.1 (") {
		t.Error(out)
	}
	testCalls(c)
	testTask(c)
	testEnds(c)
	testLists(c)
	testPushed(c, dir)
	testBrokenOff(c, dir)
}

// testCalls runs the Actor.
func testCalls(c commandsOf) {
	c.t.Helper()
	out, errs, code := c.run("actors", "call", "my-greeter", "-i", `{"name": "Ada"}`)
	if code != 0 || out != `{"text":"Hello, Ada4"}` || !strings.Contains(errs, "Z greeting Ada\n") || !strings.Contains(errs, "of build 0.1.1;") {
		c.t.Errorf("%d %q %q", code, out, errs)
	}
	if out := c.said("actors", "call", "my-greeter", "-i", `{"name": "Ada"}`, "--build", "beta", "-d", "--format", "csv", "--desc"); out != "\ufeffn\n2\n1\n" {
		c.t.Errorf("%q", out)
	}
	file := filepath.Join(write(c.t, c.t.TempDir(), map[string]string{"in.json": `{"name": "Bob"}`}), "in.json")
	to := filepath.Join(filepath.Dir(file), "out.json")
	if out := c.said("actors", "call", "my-greeter", "-f", file, "-o", to); out != "" {
		c.t.Error(out)
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != `{"text":"Hello, Bob4"}` {
		c.t.Errorf("%v %s", err, got)
	}
	var run jobState
	out, errs, code = c.fed(`{"name": "Cy", "silent": true}`, "actors", "call", "my-greeter", "-f", "-")
	if code != 0 || out != "" || !strings.Contains(errs, "The run has stored no record OUTPUT") {
		c.t.Errorf("%d %s%s", code, out, errs)
	}
	out, _, code = c.fed(`{"name": "Cy", "code": 7}`, "actors", "call", "my-greeter", "-f", "-", "--json")
	if err := json.Unmarshal([]byte(out), &run); err != nil || code != 1 || run.Status != failed || *run.ExitCode != 7 {
		c.t.Errorf("%d %v %s", code, err, out)
	}
	for want, args := range map[string]string{
		"input.name":                           "{}",
		"at byte 8: ":                          `{"name":`,
		"Field input.name must be string":      `{"name": 3}`,
		"there is no Actor and no task \"nobo": "nobody",
	} {
		name, input := "my-greeter", args
		if args == "nobody" {
			name, input = args, "{}"
		}
		if errs := c.bad("actors", "call", name, "-i", input); !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			c.t.Errorf("%s: %s", args, errs)
		}
	}
}

// testTask runs a task of the Actor, by its name.
func testTask(c commandsOf) {
	c.t.Helper()
	api := &apiClient{base: c.s.base, key: "k"}
	body := map[string]any{"actId": "~my-greeter", "name": "greet-ada", "input": map[string]string{"name": "Ada"}}
	if err := api.ask(c.t.Context(), "POST", "/v2/actor-tasks", body, nil); err != nil {
		c.t.Fatal(err)
	}
	if out := c.said("actors", "call", "greet-ada", "--task"); out != `{"text":"Hello, Ada4"}` {
		c.t.Error(out)
	}
	if errs := c.bad("actors", "call", "my-greeter", "--task"); !strings.Contains(errs, "there is no task \"my-greeter\"") {
		c.t.Error(errs)
	}
	if errs := c.bad("actors", "call", "my-greeter", "-i", `{"name": "Ada"}`, "--build", "gamma"); !strings.Contains(errs, "\"drover actors push\" builds one") {
		c.t.Error(errs)
	}
}

// testEnds looks at how a command ends whose run does not succeed, or that is
// interrupted.
func testEnds(c commandsOf) {
	c.t.Helper()
	const waits = `{"name": "Ada", "wait": true}`
	if _, errs, code := c.run("actors", "call", "my-greeter", "-i", waits, "--timeout", "1s"); code != exitTimedOut || !strings.Contains(errs, " TIMED-OUT: ") {
		c.t.Errorf("%d %s", code, errs)
	}
	id := strings.TrimSpace(c.said("actors", "call", "my-greeter", "-i", waits, "--no-wait"))
	following := c.command("actors", "log", "-f", id)
	lines := c.lines(following)
	c.await(lines, "greeting Ada")
	if out := c.good("actors", "abort", id); out != "run "+id+" ABORTED\n" && out != "run "+id+" ABORTING\n" {
		c.t.Error(out)
	}
	for lines.Scan() {
	}
	if err := following.Wait(); err != nil {
		c.t.Error(err)
	}
	for _, abort := range []bool{false, true} {
		args := []string{"actors", "call", "my-greeter", "-i", waits}
		if abort {
			args = append(args, "--abort-on-interrupt")
		}
		cmd := c.command(args...)
		said, err := cmd.StderrPipe()
		if err != nil {
			c.t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			c.t.Fatal(err)
		}
		log := bufio.NewScanner(said)
		c.await(log, "greeting Ada")
		_ = cmd.Process.Signal(os.Interrupt)
		c.await(log, map[bool]string{false: "goes on: \"drover actors log -f ", true: "is aborted"}[abort])
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
			c.t.Error(err)
		}
		var runs []jobState
		if err := json.Unmarshal([]byte(c.good("actors", "list", "my-greeter", "--json", "--limit", "1")), &runs); err != nil || len(runs) != 1 || runs[0].ended() && !abort {
			c.t.Errorf("%v %+v", err, runs)
		}
		if !abort {
			c.good("actors", "abort", runs[0].ID)
		}
	}
}

// lines starts a command whose output is read line by line.
func (c commandsOf) lines(cmd *exec.Cmd) *bufio.Scanner {
	c.t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	return bufio.NewScanner(out)
}

func (c commandsOf) await(s *bufio.Scanner, want string) {
	c.t.Helper()
	for s.Scan() {
		if strings.Contains(s.Text(), want) {
			return
		}
	}
	c.t.Fatalf("it never said %q: %v", want, s.Err())
}

func testLists(c commandsOf) {
	c.t.Helper()
	if out := c.good("actors", "list"); strings.Count(out, "\n") != 2 || !strings.Contains(out, `"my-greeter"  `) {
		c.t.Error(out)
	}
	if out := c.good("actors", "list", "--runs", "--limit", "0"); strings.Count(out, "\n") != 11 || !strings.Contains(out, "TIMED-OUT") {
		c.t.Error(out)
	}
	out := c.good("actors", "list", "--builds")
	lines := strings.Split(out, "\n")
	if len(lines) != 4 || !strings.Contains(lines[1], " 0.2.1 ") || !strings.Contains(lines[2], " 0.1.1 ") {
		c.t.Error(out)
	}
	build, _, _ := strings.Cut(lines[2], " ")
	if out := c.good("actors", "log", build); !strings.Contains(out, "Z Unpacking the source\n") {
		c.t.Error(out)
	}
	if out := c.good("actors", "log", "my-greeter"); !strings.Contains(out, "Z greeting Ada\n") {
		c.t.Error(out)
	}
	for want, args := range map[string][]string{
		"there is no run or build": {"log", "nothing"}, "there is no run or build ": {"abort", "nothing"}, "there is no Actor \"nobody\"": {"list", "nobody"},
	} {
		if errs := c.bad(append([]string{"actors"}, args...)...); !strings.Contains(errs, want) {
			c.t.Errorf("%v: %s", args, errs)
		}
	}
}

// testPushed looks at what a push sends, and at sources that are sent as an archive.
func testPushed(c commandsOf, dir string) {
	c.t.Helper()
	large := make([]byte, maxBytesSent)
	_, _ = rand.Read(large) // it never fails
	write(c.t, dir, map[string]string{"model.bin": string(large)})
	c.push(dir)
	if out := c.said("actors", "call", "my-greeter", "-i", `{"name": "Ada"}`); out != `{"text":"Hello, Ada4"}` {
		c.t.Error(out)
	}
	if out := c.good("records", "ls", "-k", "key-value-store"); !strings.Contains(out, `-source"`) {
		c.t.Errorf("it was sent file by file: %s", out)
	}
	write(c.t, dir, map[string]string{"package.json": "{"})
	_, errs, code := c.withToken("actors", "push", dir)
	if code != 1 || !strings.Contains(errs, " FAILED: ") || !strings.Contains(errs, "package.json") {
		c.t.Errorf("%d %s", code, errs)
	}
}

// testBrokenOff interrupts a push while it builds.
func testBrokenOff(c commandsOf, dir string) {
	c.t.Helper()
	write(c.t, dir, map[string]string{"package.json": `{"main": "main.js", "scripts": {"build": "node -e 'setTimeout(() => {}, 600000)'"}}`})
	cmd := c.command("actors", "push", dir)
	cmd.Env = append(cmd.Env, "DROVER_TEST_TOKEN=four")
	said, err := cmd.StderrPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	log := bufio.NewScanner(said)
	c.await(log, "Running npm run build")
	_ = cmd.Process.Signal(os.Interrupt)
	c.await(log, "the build is aborted")
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		c.t.Error(err)
	}
	if out := c.good("actors", "list", "my-greeter", "--builds", "--limit", "1"); !strings.Contains(out, " ABORT") {
		c.t.Error(out)
	}
}

func TestAnActorIsRunWithoutAService(t *testing.T) {
	t.Parallel()
	dir := anActorIn(t, t.TempDir())
	c := commandsOf{t, &server{base: "http://127.0.0.1:1"}}
	write(t, dir, map[string]string{"storage/key_value_stores/default/INPUT.json": `{"name": "Eve"}`})
	out, errs, code := c.withToken("actors", "run", dir)
	if code != 0 || out != `{"text":"Hello, Eve4"}` || !strings.Contains(errs, "INPUT.json") || !strings.Contains(errs, "Z greeting Eve\n") {
		t.Errorf("%d %q %s", code, out, errs)
	}
	if _, errs, code := c.withToken("actors", "run", dir, "-i", `{"name": "Eve", "code": 3}`); code != 1 || !strings.Contains(errs, "exit code 3") {
		t.Errorf("%d %s", code, errs)
	}
	cmd := c.command("actors", "run", dir, "-i", `{"name": "Eve"}`)
	cmd.Env = append(cmd.Env, "DROVER_TEST_TOKEN=x", "PATH="+pathWithoutNode(t))
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "install Node.js 20 or later") {
		t.Errorf("%v %s", err, out)
	}
}

// pathWithoutNode has the command under test alone.
func pathWithoutNode(t *testing.T) string {
	t.Helper()
	drover, err := exec.LookPath("drover")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(drover)
}

func TestActorsOnData(t *testing.T) {
	t.Parallel()
	dir, data := anActorIn(t, t.TempDir()), filepath.Join(t.TempDir(), "data")
	s := startServer(t, []string{keyVariable + "=k"}, "--data", data)
	s.stop(os.Interrupt)
	c := commandsOf{t, s}
	c.push(dir, "--data", data)
	if out := c.said("actors", "call", "my-greeter", "-i", `{"name": "Ada"}`, "--data", data); out != `{"text":"Hello, Ada4"}` {
		t.Error(out)
	}
	if out := c.good("actors", "list", "--data", data); !strings.Contains(out, "SUCCEEDED") {
		t.Error(out)
	}
}

func TestDirectoriesThatAreNoActors(t *testing.T) {
	t.Parallel()
	const named = `{"name": "my-actor", "version": "0.1"}`
	for want, files := range map[string]map[string]string{
		"there is no ":                    {"main.js": ""},
		"cannot be read: ":                {actorFile: "{"},
		"must have a name":                {actorFile: `{"version": "0.1"}`},
		"must have a version":             {actorFile: `{"name": "my-actor"}`},
		"is in Python":                    {actorFile: named, "src/main.py": ""},
		"says how the Actor is started":   {actorFile: named, "package.json": "{}"},
		"says how the Actor is started: ": {actorFile: named, "main.js": "", ".actorignore": "main.js"},
	} {
		_, err := actorDir{write(t, t.TempDir(), files)}.load()
		if err == nil || !strings.Contains(diagnose(err), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestWhatIsIgnored(t *testing.T) {
	t.Parallel()
	dir := write(t, t.TempDir(), map[string]string{
		actorFile: `{"name": "my-actor", "version": "0.1"}`, "main.js": "", "a.log": "", "deep/b.log": "", "keep.log": "",
		"build/x": "", "deep/build/x": "", "only/x": "", "deep/only/x": "", "docs/a/b.md": "", "docs/c.txt": "", "tmp": "", "deep/tmp/x": "", ".env.local": "", ".git/x": "",
		".gitignore":   "# comment\n*.log\nbuild/\n/only\ndocs/**/*.md\ntmp/\n",
		".actorignore": "!keep.log\n.gitignore\n.actorignore\n",
	})
	s, err := actorDir{dir}.load()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(s.files)
	if got, want := strings.Join(s.files, " "), ".actor/actor.json deep/only/x docs/c.txt keep.log main.js tmp"; got != want {
		t.Errorf("%s\n%s", got, want)
	}
}

// What is written in pieces obeys no escapes and keeps its characters; what comes a
// second time is written once.
func TestTextThatIsShown(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	s := &shown{to: &b}
	const text = "é1\n\x1b[31mzwölf\n€ "
	for _, piece := range []byte(text) {
		if _, err := s.Write([]byte{piece}); err != nil {
			t.Fatal(err)
		}
	}
	s.again()
	for _, piece := range []string{"é1\nzw", "ölf", "\n", "more\n", "last"} {
		if _, err := s.Write([]byte(piece)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.end(); err != nil || b.String() != "é1\n[31mzwölf\n€ more\nlast\n" {
		t.Errorf("%v %q", err, b.String())
	}
}

// telling is a log that tells when something stands in it.
type telling struct {
	log
	want string
	seen chan struct{}
	once sync.Once
}

func (l *telling) Write(p []byte) (int, error) {
	if strings.Contains(string(p), l.want) {
		l.once.Do(func() { close(l.seen) })
	}
	return l.log.Write(p)
}

// The line that moves and the log take turns.
func TestALineThatMoves(t *testing.T) {
	t.Parallel()
	b := &telling{want: "run x", seen: make(chan struct{})}
	l := newLiveLog(b, "run x")
	l.progress.bar = newBar(b)
	l.ended.Go(l.move)
	for range 100 {
		if _, err := l.Write([]byte("a line\n")); err != nil {
			t.Fatal(err)
		}
	}
	<-b.seen
	if _, err := l.Write([]byte("a line\n")); err != nil {
		t.Fatal(err)
	}
	l.done()
	said := b.String()
	if strings.Count(said, "a line\n") != 101 {
		t.Errorf("%q", said)
	}
	if _, _ = l.to.Write([]byte("end")); b.String() != said+"end" {
		t.Error("it moves on")
	}
}
