//go:build unix

package actors

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions"
)

// How processes end, and what that makes of their runs.
func TestEndsOfBuiltActors(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{})
	a := w.made(t, "ends", `const how = await get("INPUT");
		await eval("(async () => {" + how.do + "})()");`)
	for name, c := range map[string]struct {
		do      string
		status  Status
		code    int
		message string
	}{
		"at once":   {`process.exit(0)`, Succeeded, 0, "exit code 0"},
		"exit code": {`process.exit(7)`, Failed, 7, "exit code 7"},
		"an error":  {`throw new Error("broken")`, Failed, 1, "exit code 1"},
		"a signal":  {`process.kill(process.pid, "SIGSEGV"); await new Promise(() => setInterval(() => {}, 1000))`, Failed, 139, "signal"},
		"memory":    {`const all = []; for (;;) { all.push(Buffer.alloc(8 << 20, 1)); await new Promise(r => setTimeout(r, 5)); }`, Failed, 137, "more memory than its 256 MB"},
		"crash":     {`process.abort()`, Failed, 134, "signal"},
		"memory of its children": {`const { spawn } = await import("node:child_process");
			for (let i = 0; i < 3; i++) spawn(process.execPath, ["-e", "const b = Buffer.alloc(100 << 20, 1); setInterval(() => b.fill(2), 1000)"], { detached: true, stdio: "ignore" });
			setInterval(() => {}, 1000); await new Promise(() => {})`, Failed, 137, "more memory than its 256 MB"},
		"no standard streams": {`const fs = await import("node:fs"); fs.closeSync(1); fs.closeSync(2); process.exit(5)`, Failed, 5, "exit code 5"},
		"last word":           {`console.log("x".repeat(40000)); process.exit(0)`, Succeeded, 0, "exit code 0"},
		"not at work":         {`process.chdir("/"); process.exit(3)`, Failed, 3, "exit code 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := w.ran(t, a, Start{Input: input(`{"do":` + strconv.Quote(c.do) + `}`), Options: RunOptions{Memory: 256}})
			if r.Status != c.status || r.ExitCode == nil || *r.ExitCode != c.code || !strings.Contains(r.StatusMessage, c.message) {
				t.Errorf("%+v\n%s", r, w.said(t, r))
			}
			if name == "memory" && r.Stats.Usage.MemoryMax < 200<<20 {
				t.Errorf("%+v", r.Stats.Usage)
			}
		})
	}
}

// What a process has started ends with it.
func TestWhatABuiltActorLeavesEnds(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{})
	a := w.made(t, "forks", `import { spawn } from "node:child_process";
		const left = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
		left.unref();
		console.log("pid " + left.pid);`)
	r := w.ran(t, a, Start{})
	if r.Status != Succeeded {
		t.Fatalf("%+v\n%s", r, w.said(t, r))
	}
	endedProcess(t, strings.TrimSpace(w.said(t, r)))
}

// What holds the output of an Actor open, and what starts itself again and again, ends
// with it, too: its run does not wait for them.
func TestWhatABuiltActorLeavesHoldsNothingUp(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{})
	mark := "left" + strings.ToLower(rand.Text())
	a := w.made(t, "chain", `import { spawn } from "node:child_process";
		spawn("/bin/sh", ["-c", "echo begun; sleep 1000", "`+mark+`"], { detached: true, stdio: "inherit" }).unref();
		const chain = "sleep 0.02; exec setsid /bin/sh -c \"$0\" \"$0\" `+mark+`"; // another session each time
		spawn("/bin/sh", ["-c", "(" + chain + ") & (" + chain + ") &", chain, "`+mark+`"], { detached: true, stdio: "ignore" }).unref();
		setTimeout(() => process.exit(0), 300);`)
	r := w.ran(t, a, Start{})
	if r.Status != Succeeded || !strings.Contains(w.said(t, r), "begun") {
		t.Errorf("%+v\n%s", r, w.said(t, r))
	}
	commands := must(filepath.Glob("/proc/[0-9]*/cmdline"))(t)
	for _, file := range commands {
		if line, err := os.ReadFile(file); err == nil && strings.Contains(string(line), mark) {
			t.Errorf("%s: %q", file, line)
		}
	}
}

// A process that says more than is kept holds nothing up, and its run ends.
func TestABuiltActorFloodsItsLog(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{limits: Limits{MaxLog: 64 << 10}})
	a := w.made(t, "floods", `for (let i = 0; i < 20000; i++) console.log("line " + i + "x".repeat(100)); console.log("last");`)
	r := w.ran(t, a, Start{})
	if said := w.said(t, r); r.Status != Succeeded || len(said) > 128<<10 || said == "" {
		t.Errorf("%+v, %d bytes", r, len(said))
	}
	endless := w.made(t, "endless", `const much = "x".repeat(1 << 20); for (let i = 0; i < 64; i++) if (!process.stdout.write(much)) await new Promise(r => process.stdout.once("drain", r));`)
	r = w.ran(t, endless, Start{Options: RunOptions{Memory: 512}})
	if said := w.said(t, r); r.Status != Succeeded || len(said) > 128<<10 || said == "" {
		t.Errorf("a line without an end: %+v, %d bytes", r, len(said))
	}
}

// deaf ignores what it is asked.
const deaf = `process.on("SIGTERM", () => console.log("heard SIGTERM")); console.log("pid " + process.pid); setInterval(() => {}, 1000);`

func TestABuiltActorIsAborted(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{limits: Limits{AbortGrace: 300 * time.Millisecond}})
	actors := map[string]Actor{"deaf": w.made(t, "deaf", deaf), "busy": w.made(t, "busy", `import fs from "node:fs"; fs.writeSync(1, "pid " + process.pid + "\n"); for (;;);`)}
	for name, gracefully := range map[string]bool{"deaf": false, "deaf, gracefully": true, "busy": false, "busy, gracefully": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			name, _, _ := strings.Cut(name, ",")
			a := actors[name]
			r := must(w.Start(t.Context(), a.ID, Start{}))(t)
			line := "pid " + w.saysOf(t, r, "pid ")
			fails(t, w.DeleteBuild(t.Context(), r.BuildID), errtypes.Invalid, errtypes.TypeDeletingUnfinishedBuild, "")
			must(w.Abort(t.Context(), r.ID, gracefully))(t)
			if r = w.ended(t, r); r.Status != Aborted || strings.Contains(w.said(t, r), "heard") {
				t.Errorf("%+v\n%s", r, w.said(t, r))
			}
			endedProcess(t, line)
		})
	}
}

// A run that hangs is ended when its time is over; its process is asked first.
func TestABuiltActorTakesTooLong(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{limits: Limits{HandlerGrace: 300 * time.Millisecond}})
	a := w.made(t, "deaf", deaf)
	second := 2 * time.Second
	r := must(w.Start(t.Context(), a.ID, Start{Options: RunOptions{Timeout: &second}}))(t)
	line := "pid " + w.saysOf(t, r, "pid ")
	if r = w.ended(t, r); r.Status != TimedOut || !strings.Contains(w.said(t, r), "heard SIGTERM") {
		t.Errorf("%+v\n%s", r, w.said(t, r))
	}
	endedProcess(t, line)
}

func TestABuiltActorIsStartedAgain(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{})
	a := w.made(t, "again", `const n = (await get("N") ?? 0) + 1; await put("N", n); process.exit(n < 3 ? 1 : 0);`)
	r := w.ran(t, a, Start{Options: RunOptions{RestartOnError: new(true)}})
	if r.Status != Succeeded || r.Stats.Restarts != 2 || w.recordOf(t, r, "N") != "3" {
		t.Errorf("%+v\n%s", r, w.said(t, r))
	}
	r = w.ran(t, a, Start{})
	if r.Status != Failed || r.Stats.Restarts != 0 || *r.ExitCode != 1 {
		t.Errorf("%+v", r)
	}
}

// A run is told that its host closes, reboots, and goes on after the next start; one that
// heeds nothing is broken off, and goes on, too.
func TestABuiltActorGoesOnAfterItsHostWasClosed(t *testing.T) {
	t.Parallel()
	for name, heed := range map[string]string{"heeds": `await fetch(base + "/actor-runs/" + e.ACTOR_RUN_ID + "/reboot", { method: "POST", headers: auth });`, "heeds nothing": ``} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, work := t.TempDir(), t.TempDir()
			p := &platform{}
			w := must(openBuilding(t.Context(), yard{dir: dir, work: work, platform: p}))(t)
			p.w = w
			a := w.made(t, "moves", listening+`
				const n = (await get("N") ?? 0) + 1; await put("N", n);
				if (n > 1) process.exit(0);
				socket.on("migrating", async data => { console.log("migrating"); `+heed+` });
				console.log("waits"); setInterval(() => {}, 1000);`)
			r := must(w.Start(t.Context(), a.ID, Start{}))(t)
			w.saysOf(t, r, "waits")
			closing, cancel := context.WithTimeout(t.Context(), time.Minute)
			if heed == "" {
				cancel()
			}
			must(0, w.shut(closing))(t)
			cancel()

			w = playing(t, yard{dir: dir, work: work})
			if r = w.ended(t, r); r.Status != Succeeded || r.Stats.Migrations != 1 || w.recordOf(t, r, "N") != "2" {
				t.Errorf("%+v\n%s", r, w.said(t, r))
			}
		})
	}
}

func TestABuiltActorCannotBeRun(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{})
	a := w.newActor(t, "lacks", map[string]string{"main.mjs": "", ".actor/Dockerfile": "FROM node\nCMD [\"no-such-program\", \"main.mjs\"]\n"})
	_, err := w.Start(t.Context(), a.ID, Start{})
	fails(t, err, errtypes.Forbidden, errtypes.TypeUnknownBuildTag, "latest")
	if b := w.finished(t, w.begin(t, a)); b.Status != Succeeded {
		t.Fatal(w.log(t, b))
	}
	r := w.ran(t, a, Start{})
	if r.Status != Failed || r.ExitCode != nil || !strings.Contains(r.StatusMessage, "there is no no-such-program") {
		t.Errorf("%+v", r)
	}
}

// A run whose Actor is deleted before it begins comes to an honest end.
func TestABuiltActorIsDeletedBeforeItRuns(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{limits: Limits{Concurrent: 1}})
	first := w.made(t, "deaf", deaf)
	second := w.made(t, "gone", `console.log("it runs");`)
	r := must(w.Start(t.Context(), first.ID, Start{}))(t)
	w.saysOf(t, r, "pid ")
	waits := must(w.Start(t.Context(), second.ID, Start{}))(t)
	must(0, w.DeleteActor(t.Context(), second.ID))(t)
	must(w.Abort(t.Context(), r.ID, false))(t)
	if waits = w.ended(t, waits); waits.Status != Failed || waits.ExitCode != nil || !strings.Contains(waits.StatusMessage, "the build was deleted") {
		t.Errorf("%+v\n%s", waits, w.said(t, waits))
	}
}

// A run has the limits of published programs, and says which it was over.
func TestBuiltActorsHaveTheLimitsOfPrograms(t *testing.T) {
	t.Parallel()
	w := playing(t, yard{programs: functions.ProgramOptions{ProcessChildren: 5, ProcessDisk: 16 << 20, FileSize: 64 << 20}})
	a := w.made(t, "limits", `import { spawn } from "node:child_process"; import fs from "node:fs";
		switch ((await get("INPUT")).over) {
		case "processes": for (let i = 0; i < 20; i++) spawn("/bin/sleep", ["1000"], { detached: true }); break;
		case "disk": fs.writeFileSync(e.TMPDIR + "/big", Buffer.alloc(48 << 20)); break;
		}
		setInterval(() => {}, 1000);`)
	for over, why := range map[string]string{"processes": "it started more processes than it may", "disk": "its files took more of the disk than they may"} {
		t.Run(over, func(t *testing.T) {
			t.Parallel()
			r := w.ran(t, a, Start{Input: input(`{"over":"` + over + `"}`)})
			if r.Status != Failed || r.ExitCode == nil || *r.ExitCode != exitKilled || r.StatusMessage != "Actor run failed: "+why || !strings.Contains(w.said(t, r), why) {
				t.Errorf("%+v\n%s", r, w.said(t, r))
			}
		})
	}
}
