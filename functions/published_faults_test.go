//go:build unix

package functions

import (
	"context"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
)

// Each way in which a function can fail has its cause, and leaves no process.
func TestFunctionsThatFail(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{
		limits:   Limits{MaxLog: 64 << 10},
		programs: &ProgramOptions{MaxFunctions: 30, ProcessMemory: 300 << 20, ProcessChildren: 20},
	})
	w.program(t, `
		import { spawn } from "node:child_process";
		const forever = () => new Promise(() => setInterval(() => {}, 1000));
		const child = (options) => console.log("child " + spawn("sleep", ["600"], { stdio: "ignore", ...options }).pid);
		define("throws", async () => { throw new RangeError("out of luck"); });
		define("throwsNothing", async () => { throw new Error(""); });
		define("undefined", async () => undefined);
		define("null", async () => null);
		define("large", async () => "x".repeat(10 << 20));
		define("prints", async () => { for (let i = 0; i < 200_000; i++) console.log("line " + i); return "done"; });
		define("printsForever", async () => { for (;;) { console.log("more and more"); await new Promise(r => setImmediate(r)); } });
		define("binary", async () => { process.stdout.write(Buffer.from([0, 255, 254, 10, 65, 10])); return 1; });
		define("forks", async () => { child({ detached: true }); child({}); await forever(); });
		define("forksAndReturns", async () => { child({ detached: true }); return 1; });
		define("hangs", forever);
		define("spins", async () => { for (;;); });
		define("exits", async () => process.exit(0));
		define("exits3", async () => { console.error("bye"); process.exit(3); });
		define("kills", async () => { process.kill(process.pid, "SIGKILL"); await forever(); });
		define("eats", async () => { const all = []; for (;;) { all.push(Buffer.alloc(10 << 20, 1)); await new Promise(r => setTimeout(r, 1)); } });
		define("twice", async (c, p, answer) => { await answer("first"); return "second"; });
		define("rejectsLater", async (c, p, answer) => { await answer(1); setTimeout(() => Promise.reject(new Error("late")), 1); return 2; });
		define("readsEnv", async () => Object.keys(process.env).sort().join(" "));`)
	for name, c := range map[string]struct {
		code, message, result, log string
		timeout                    time.Duration
	}{
		"throws":        {code: CauseWorkload, message: "RangeError: out of luck", log: "The invocation has failed: RangeError: out of luck\n"},
		"throwsNothing": {code: CauseWorkload},
		"undefined":     {},
		"null":          {result: "null"},
		"large":         {code: CauseWorkload, message: "the result has 10485762 bytes; at most 6291456 are kept"},
		"prints":        {result: `"done"`, log: "dropped|line 199999\n"},
		"printsForever": {code: CauseTimedOut, message: "the invocation took longer than 2s", timeout: 2 * time.Second, log: "more and more\n"},
		"binary":        {result: "1", log: "A\n"},
		"forks":         {code: CauseTimedOut, message: "the invocation took longer than 1s", timeout: time.Second},
		"hangs":         {code: CauseTimedOut, message: "the invocation took longer than 1s", timeout: time.Second},
		"spins":         {code: CauseTimedOut, message: "the invocation took longer than 1s", timeout: time.Second},
		"exits":         {code: CauseWorkload, message: "the process exited with code 0 before it answered"},
		"exits3":        {code: CauseWorkload, message: "the process exited with code 3 before it answered", log: "bye\n"},
		"kills":         {code: CauseWorkload, message: `the process was ended by the signal "killed" before it answered`},
		"eats":          {code: CauseWorkload, message: "the process took more memory than it may"},
		"twice":         {result: `"first"`},
		"rejectsLater":  {result: "1"},
		"readsEnv":      {},
	} {
		t.Run(name, func(t *testing.T) {
			inv := w.do(t, name, Invoke{Timeout: c.timeout})
			log := w.log(t, inv)
			switch {
			case c.code == "" && inv.Status != Completed:
				t.Fatalf("%+v\n%s", inv.Cause, log)
			case c.code != "" && (inv.Cause == nil || inv.Cause.Code != c.code || inv.Cause.Message != c.message):
				t.Fatalf("%+v\n%s", inv.Cause, log)
			}
			if c.result != "" && string(inv.Result) != c.result || !regexp.MustCompile(c.log).MatchString(log) {
				t.Errorf("%s\n%s", inv.Result, log)
			}
			if len(log) > 256<<10 {
				t.Errorf("%d bytes of log", len(log))
			}
			if name == "readsEnv" && strings.Contains(string(inv.Result), "HOME_OF_HOST") {
				t.Errorf("%s", inv.Result)
			}
			for _, m := range regexp.MustCompile(`child (\d+)`).FindAllStringSubmatch(log, -1) {
				pid, err := strconv.Atoi(m[1])
				if err != nil || syscall.Kill(pid, 0) == nil && !zombie(pid) {
					t.Errorf("the process %s is still there: %v", m[1], err)
				}
			}
		})
	}
	if inv := w.do(t, "forksAndReturns", Invoke{}); inv.Status != Completed {
		t.Errorf("%+v", inv)
	}
	if inv := w.do(t, "undefined", Invoke{}); inv.Status != Completed { // after all of that
		t.Errorf("%+v", inv)
	}
}

// zombie reports whether a process has ended and was not asked for its end.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, rest, ok := strings.Cut(string(stat), ") ")
	return err == nil && ok && strings.HasPrefix(rest, "Z")
}

func TestAnInvocationOfAProgramIsCancelled(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	w.program(t, `define("hangs", async () => { console.log("here"); await new Promise(() => setInterval(() => {}, 1000)); });`)
	inv := w.invoke(t, "hangs", Invoke{})
	for e, err := range w.Follow(t.Context(), inv.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Message == "here" {
			break
		}
	}
	if _, err := w.Cancel(t.Context(), inv.ID); err != nil {
		t.Fatal(err)
	}
	if inv, err := w.Wait(t.Context(), inv.ID); err != nil || inv.Status != Failed || inv.Cause.Code != CauseWorkload || inv.Cause.Message != cancelledMessage {
		t.Errorf("%+v %v", inv, err)
	}
}

type vault map[string]string

func (v vault) Secrets(context.Context, string, string) (map[string]string, error) { return v, nil }

// Secrets reach the context of a function, and neither its log nor its cause.
func TestSecretsStayOutOfLogs(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{secrets: vault{"TOKEN": "very-secret", "LONGER": "very-secret-indeed"}})
	w.program(t, `
		define("tells", async ({ secrets }) => { console.log("it is " + secrets.TOKEN + " and " + secrets.LONGER); return secrets.TOKEN.length + " " + (process.env.TOKEN ?? "none"); });
		define("fails", async ({ secrets }) => { throw new Error("bad " + secrets.TOKEN); });`)
	inv := w.do(t, "tells", Invoke{})
	if log := w.log(t, inv); log != "it is {TOKEN} and {LONGER}\n" || string(inv.Result) != `"11 none"` {
		t.Errorf("%s %s", inv.Result, log)
	}
	if inv := w.do(t, "fails", Invoke{}); inv.Cause.Message != "bad {TOKEN}" || strings.Contains(w.log(t, inv), "secret") {
		t.Errorf("%+v %s", inv.Cause, w.log(t, inv))
	}
}

// A browser that cannot be opened is not the function's fault.
func TestTheBrowserOfAProgramCannotBeOpened(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	w.program(t, `define("connects", async ({ session }) => {
		const answer = await fetch(session.connectUrl.replace("ws:", "http:") + "/json/version");
		if (!answer.ok) throw new Error("no browser: " + await answer.text());
	});`)
	inv := w.do(t, "connects", Invoke{})
	if inv.Status != Failed || inv.Cause.Code != CauseInternal || !strings.Contains(inv.Cause.Message, "there is no browser") {
		t.Errorf("%+v\n%s", inv.Cause, w.log(t, inv))
	}
}

// A function that was deleted is not run.
func TestAFunctionIsDeletedBeforeItsInvocation(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{programs: &ProgramOptions{MaxProcesses: 1}})
	w.program(t, `define("slow", async () => { console.log("here"); await new Promise(r => setTimeout(r, 60000)); }); `+one)
	first := w.invoke(t, "slow", Invoke{})
	second := w.invoke(t, "one", Invoke{})
	if err := w.Delete(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Cancel(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	if inv, err := w.Wait(t.Context(), second.ID); err != nil || inv.Status != Failed || inv.Cause.Message != "the function was deleted before the invocation began" {
		t.Errorf("%+v %+v %v", inv, inv.Cause, err)
	}
}

// A program outlives the host that built it, and the next one runs it without
// building it again.
func TestAProgramIsThereAfterARestart(t *testing.T) {
	t.Parallel()
	dir, work := t.TempDir(), t.TempDir()
	w, err := openWorking(t.Context(), setup{dir: dir, work: work, programs: &ProgramOptions{}})
	if err != nil {
		t.Fatal(err)
	}
	b := w.program(t, one)
	if err := w.shut(t.Context()); err != nil {
		t.Fatal(err)
	}
	w = publishing(t, setup{dir: dir, work: work})
	if inv := w.do(t, "one", Invoke{}); string(inv.Result) != "1" {
		t.Errorf("%+v", inv)
	}
	if got, err := w.builds.Get(t.Context(), builds.Function, b.ID); err != nil || got.Status != builds.Succeeded {
		t.Errorf("%+v %v", got, err)
	}
}

// TestTheDiskHasALimit fills the disk in a function and in a build.
func TestTheDiskHasALimit(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{programs: &ProgramOptions{ProcessDisk: 8 << 20, BuildDisk: 32 << 20, FileSize: 4 << 20}})
	const fill = `
		import fs from "node:fs";
		const fill = (dir, files) => { for (let i = 0; i < files; i++) fs.writeFileSync(dir + "/filler" + i, Buffer.alloc(1 << 20, 1)); };
	`
	w.program(t, fill+`
		define("fills", async () => { fill(process.env.TMPDIR, 64); await new Promise((done) => setTimeout(done, 60_000)); });
		define("grows", async () => fs.writeFileSync(process.env.TMPDIR + "/grown", Buffer.alloc(5 << 20)));
		define("fits", async () => fill(process.env.TMPDIR, 4));`)
	if inv := w.do(t, "fills", Invoke{}); inv.Status != Failed || inv.Cause.Code != CauseWorkload || !strings.Contains(inv.Cause.Message, "more of the disk") {
		t.Errorf("%+v %+v", inv, inv.Cause)
	}
	if inv := w.do(t, "grows", Invoke{}); inv.Status != Failed || inv.Cause.Code != CauseWorkload || !strings.Contains(inv.Cause.Message, "EFBIG") {
		t.Errorf("%+v %+v", inv, inv.Cause)
	}
	if inv := w.do(t, "fits", Invoke{}); inv.Status != Completed {
		t.Errorf("%+v", inv.Cause)
	}
	b := w.build(t, map[string]string{"runtime.mjs": runtimeFile(t), "index.ts": `import { define } from "./runtime.mjs";` + fill + `
		if (process.env.BB_FUNCTIONS_PHASE === "introspect") fill(".", 64);
		define("f", async () => 1);`})
	if b.Status != builds.Failed || !strings.Contains(b.Cause.Message, "more of the disk") {
		t.Errorf("%+v %+v", b.Status, b.Cause)
	}
	if left, err := os.ReadDir(w.programs.path(builtDir)); err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
}
