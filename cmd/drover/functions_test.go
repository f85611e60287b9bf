package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

// aProgramIn writes a program with the function greet, which says the word.
func aProgramIn(t *testing.T, dir, word string) {
	t.Helper()
	testlevel.External()
	if _, err := exec.LookPath("node"); err != nil {
		testlevel.Missing(t, "NODE: %v", err)
	}
	runtime, err := os.ReadFile(filepath.Join("..", "..", "functions", "testdata", "runtime.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"runtime.mjs": string(runtime), ".env": "SECRET=1", "node_modules/x/index.js": "",
		"index.ts": `import { define } from "./runtime.mjs";
			define("greet", async (context, { name }: { name?: string }) => {
				if (!name) throw new Error("who?");
				console.log("greeting\u001b[31m " + name);
				return { text: "` + word + `, " + name };
			});`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFunctionsOfAService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	aProgramIn(t, dir, "Hello")
	c := commandsOf{t, startServer(t, []string{keyVariable + "=k"}, "--data", ":memory:")}
	out, log, code := c.run("functions", "publish", "-C", dir)
	if code != 0 || !strings.HasPrefix(out, `Published "greet": function `) || !strings.Contains(log, "\nBundling index.ts\n") {
		t.Fatalf("%d %s%s", code, out, log)
	}
	build, _, _ := strings.Cut(strings.TrimPrefix(log, "Build "), "\n")
	if again := c.good("functions", "logs", "--build", build); !strings.HasSuffix(log, again) || again == "" {
		t.Errorf("%q, %q", again, log)
	}
	if _, log, code := c.run("functions", "logs", build); code == 0 || !strings.Contains(log, "--build") {
		t.Errorf("%d %q", code, log)
	}
	out, log, code = c.run("functions", "invoke", "greet", "-p", `{"name": "Ada"}`)
	if code != 0 || out != "{\n  \"text\": \"Hello, Ada\"\n}\n" || !strings.HasSuffix(log, "\ngreeting[31m Ada\n") && !strings.HasSuffix(log, "\ngreeting\uFFFD[31m Ada\n") {
		t.Errorf("%d %q%q", code, out, log)
	}
	id := strings.TrimSpace(func() string { out, _, _ := c.run("functions", "invoke", "greet", "--no-wait"); return out }())
	if log := c.good("functions", "logs", "-f", id); !strings.Contains(log, "who?") {
		t.Error(log)
	}
	for want, args := range map[string][]string{
		"WORKLOAD_ERROR":      {"invoke", "greet"},
		"there is no functio": {"invoke", "nobody"},
		"must be a JSON obje": {"invoke", "greet", "-p", "{"},
		"there is no file ":   {"publish", "-C", dir, "other.ts"},
		"must be a file in ":  {"publish", "-C", dir, "../index.ts"},
		"there is no invocat": {"logs", "nothing"},
	} {
		if out, errs, code := c.run(append([]string{"functions"}, args...)...); code != 1 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%v: %d %s%s", args, code, out, errs)
		}
	}
	if out := c.good("functions", "list"); strings.Count(out, "\n") != 2 || !strings.Contains(out, `"greet"  `) {
		t.Error(out)
	}
}

func TestFunctionsOnData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	aProgramIn(t, dir, "Hello")
	data := filepath.Join(t.TempDir(), "data")
	s := startServer(t, []string{keyVariable + "=k"}, "--data", data)
	s.stop(os.Interrupt)
	c := commandsOf{t, s}
	if out, errs, code := c.run("functions", "publish", "-C", dir, "--data", data); code != 0 || !strings.HasPrefix(out, "Published") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if out, errs, code := c.run("functions", "invoke", "greet", "-p", `{"name": "Ada"}`, "--data", data); code != 0 || !strings.Contains(out, "Hello, Ada") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if out := c.good("functions", "list", "--data", data); !strings.Contains(out, `"greet"`) {
		t.Error(out)
	}
	if _, errs, code := c.run("functions", "list", "--data", data+"-other"); code != 1 || !strings.Contains(errs, "has no database") {
		t.Errorf("%d %s", code, errs)
	}
}

// soon ends with a time in which all that a test does has long been done.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), testlevel.Loaded(time.Minute))
	t.Cleanup(cancel)
	return ctx
}

// TestFunctionsInDevelopment changes a program, and breaks and mends it.
func TestFunctionsInDevelopment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	aProgramIn(t, dir, "Hello")
	cmd := exec.CommandContext(soon(t), "drover", "functions", "dev", "-C", dir, "--data", ":memory:", "--invoke", "greet", "-p", `{"name": "Ada"}`)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	results, said := bufio.NewScanner(out), bufio.NewScanner(errs)
	await := func(s *bufio.Scanner, want string) {
		t.Helper()
		for s.Scan() {
			if strings.Contains(s.Text(), want) {
				return
			}
		}
		t.Fatalf("it never said %q: %v", want, s.Err())
	}
	await(results, "Hello, Ada")
	await(said, "Waiting for a change")
	aProgramIn(t, dir, "Good morning")
	await(results, "Good morning, Ada")
	await(said, "Waiting for a change")
	aProgramIn(t, dir, `" oh`)
	await(said, "NO_MANIFESTS_FOUND")
	await(said, "Waiting for a change")
	aProgramIn(t, dir, "Good evening")
	await(results, "Good evening, Ada")
	await(said, "Waiting for a change")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for said.Scan() { // its pipes are read to their ends before it is waited for
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestAnExampleIsWrittenOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	out, err := exec.Command("drover", "functions", "init", dir).CombinedOutput()
	if err != nil || strings.Count(string(out), "Wrote ") != 3 {
		t.Fatalf("%v %s", err, out)
	}
	for _, name := range []string{".gitignore", "index.ts", "package.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if out, err := exec.Command("drover", "functions", "init", dir).CombinedOutput(); err == nil || !strings.Contains(string(out), "is there already") {
		t.Errorf("%v %s", err, out)
	}
}
