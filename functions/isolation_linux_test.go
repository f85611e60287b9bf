package functions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/masterkey"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/testlevel"
)

// needRoot skips the test where processes cannot have users of their own.
func needRoot(t *testing.T) {
	t.Helper()
	testlevel.External()
	if os.Geteuid() != 0 {
		testlevel.Missing(t, "ROOT: this user is %d", os.Geteuid())
	}
}

// spy is a program that says who runs it and where, and what it can do to paths.
const spy = `
	import fs from "node:fs";
	const own = (path) => path.replace("~", process.env.HOME);
	const attempt = (what) => { try { what(); return "done"; } catch (err) { return err.code; } };
	define("who", async () => ({
		pid: process.pid, uid: process.getuid(), gid: process.getgid(), groups: process.getgroups(), home: process.env.HOME, dir: process.cwd(),
		capabilities: fs.readFileSync("/proc/self/status", "utf8").match(/^CapEff:\s*(\w+)/m)[1],
	}));
	define("attempt", async (context, { read, write, signal }) => Object.fromEntries([
		...read.map((path) => [path, attempt(() => fs.statSync(own(path)).isDirectory() ? fs.readdirSync(own(path)) : fs.readFileSync(path))]),
		...write.map((path) => [path, attempt(() => fs.writeFileSync(own(path), "x"))]),
		...signal.map((pid) => [String(pid), attempt(() => process.kill(pid, 0))]),
	]));`

type who struct {
	PID, UID, GID int
	Groups        []int
	Home, Dir     string
	Capabilities  string
}

func (w *working) who(t *testing.T, function string) (is who) {
	t.Helper()
	inv := w.do(t, function, Invoke{})
	if inv.Status != Completed {
		t.Fatalf("%+v\n%s", inv.Cause, w.log(t, inv))
	}
	if err := json.Unmarshal(inv.Result, &is); err != nil {
		t.Fatal(err)
	}
	return is
}

// TestProcessesCannotReadEachOtherAndTheHost has a program try at everything that is
// another program's or the host's.
func TestProcessesCannotReadEachOtherAndTheHost(t *testing.T) {
	t.Parallel()
	needRoot(t)
	dir := filepath.Join(t.TempDir(), "data")
	w := publishing(t, setup{dir: dir})
	if _, err := seal.File(filepath.Join(dir, masterkey.FileName)).Keys(); err != nil {
		t.Fatal(err)
	}
	w.program(t, spy)
	w.program(t, strings.ReplaceAll(spy, `define("`, `define("other-`))
	mine, other := w.who(t, "who"), w.who(t, "other-who")
	if mine.UID == 0 || mine.UID == other.UID || mine.GID != mine.UID || len(mine.Groups) > 2 || mine.Capabilities != "0000000000000000" {
		t.Errorf("%+v, %+v", mine, other)
	}
	host := "/proc/" + strconv.Itoa(os.Getpid())
	their := "/proc/" + strconv.Itoa(other.PID)
	read := []string{
		other.Home, other.Dir, filepath.Join(other.Dir, "index.ts"), their + "/environ", their + "/mem", their + "/cwd", their + "/fd", their + "/root",
		host + "/environ", host + "/mem", host + "/fd", dir, filepath.Join(dir, masterkey.FileName), filepath.Dir(mine.Home),
		filepath.Dir(mine.Dir), filepath.Join(dir, "programs"), filepath.Join(dir, "programs", newDir), filepath.Join(dir, "programs", dependenciesDir),
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	database := false
	for _, e := range entries {
		database = database || strings.HasSuffix(e.Name(), ".db")
		if e.Name() != "programs" {
			read = append(read, filepath.Join(dir, e.Name()))
		}
	}
	if !database {
		t.Fatalf("there is no database in %v", entries)
	}
	write := []string{filepath.Join(mine.Dir, "index.ts"), filepath.Join(mine.Dir, "x"), filepath.Join(other.Home, "x"), filepath.Join(dir, "x")}
	params, _ := json.Marshal(map[string]any{"read": read, "write": write, "signal": []int{os.Getpid(), other.PID}})
	inv := w.do(t, "attempt", Invoke{Params: params})
	var got map[string]string
	if err := json.Unmarshal(inv.Result, &got); err != nil || len(got) < 25 {
		t.Fatalf("%v: %+v %s", err, inv.Cause, inv.Result)
	}
	for what, code := range got {
		if code != "EACCES" && code != "EPERM" {
			t.Errorf("%s: %s", what, code)
		}
	}
	own, _ := json.Marshal(map[string]any{"read": []string{"~", filepath.Join(mine.Dir, "index.ts")}, "write": []string{"~/x"}, "signal": []int{}})
	inv = w.do(t, "attempt", Invoke{Params: own})
	if strings.Count(string(inv.Result), `"done"`) != 3 {
		t.Errorf("what is its own: %s", inv.Result)
	}
}

// TestWhatAProgramLeavesHelpsNoOther has a program leave a file that would make
// whoever runs it the program's user, and another one run it; then the first one's
// process ends.
func TestWhatAProgramLeavesHelpsNoOther(t *testing.T) {
	t.Parallel()
	needRoot(t)
	w := publishing(t, setup{})
	left := filepath.Join("/tmp", "drover-left-"+filepath.Base(t.TempDir())+"-"+strconv.Itoa(os.Getpid()))
	memory := filepath.Join("/dev/shm", filepath.Base(left))
	t.Cleanup(func() { os.Remove(left); os.Remove(memory) })
	w.program(t, `
		import fs from "node:fs";
		define("plant", async (context, { files }) => {
			for (const file of files) { fs.copyFileSync("/usr/bin/id", file); fs.chmodSync(file, 0o6755); }
			return process.getuid();
		});
		define("end", async () => process.exit(1));`)
	w.program(t, `
		import { execFileSync } from "node:child_process";
		define("run", async (context, { file }) => [execFileSync(file, ["-u"]), execFileSync(file, ["-g"]), String(process.getuid())].map((text) => Number(text)));`)
	params, _ := json.Marshal(map[string]any{"files": []string{left, memory}, "file": left})
	planted := w.do(t, "plant", Invoke{Params: params})
	if planted.Status != Completed {
		t.Fatalf("%+v", planted.Cause)
	}
	inv := w.do(t, "run", Invoke{Params: params})
	var is []int
	if err := json.Unmarshal(inv.Result, &is); err != nil || len(is) != 3 {
		t.Fatalf("%+v %s", inv.Cause, inv.Result)
	}
	if is[0] != is[2] || is[1] != is[2] || strconv.Itoa(is[2]) == string(planted.Result) {
		t.Errorf("it is %v by the file of %s", is, planted.Result)
	}
	if inv := w.do(t, "end", Invoke{}); inv.Status != Failed {
		t.Errorf("%+v", inv)
	}
	if err := w.programs.Close(); err != nil {
		t.Error(err)
	}
	for _, file := range []string{left, memory} {
		if _, err := os.Lstat(file); !os.IsNotExist(err) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestABuildIsAnotherUsersWhileItRuns has what a build leaves be the host's alone.
func TestABuildIsAnotherUsersWhileItRuns(t *testing.T) {
	t.Parallel()
	needRoot(t)
	w := publishing(t, setup{})
	b := w.build(t, map[string]string{"runtime.mjs": runtimeFile(t), "index.ts": `
		import { define } from "./runtime.mjs";
		import fs from "node:fs";
		console.log("built by " + process.getuid());
		if (process.env.BB_FUNCTIONS_PHASE === "introspect") {
			fs.writeFileSync("left", "");
			fs.chmodSync("left", 0o6777);
			fs.symlinkSync("/etc/passwd", "link");
		}
		define("f", async () => fs.statSync("left").mode);`})
	log := w.buildLog(t, b)
	if strings.Contains(log, "built by 0\n") || !strings.Contains(log, "built by ") {
		t.Error(log)
	}
	left, err := os.Lstat(filepath.Join(w.programs.path(builtDir, b.ID), "left"))
	if err != nil || left.Mode() != 0o755 {
		t.Errorf("%v, %v", left.Mode(), err)
	}
	top, err := os.Stat(w.programs.path(builtDir, b.ID))
	if err != nil || top.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", top.Mode(), err)
	}
	if inv := w.do(t, "f", Invoke{}); inv.Status != Completed {
		t.Errorf("%+v %s", inv.Cause, w.log(t, inv))
	}
	if top, err = os.Stat(w.programs.path(builtDir, b.ID)); err != nil || top.Mode().Perm() != 0o750 {
		t.Errorf("%v, %v", top.Mode(), err)
	}
}

// TestEveryProcessOfABuildIsAnotherUsers has the bundler be one of them.
func TestEveryProcessOfABuildIsAnotherUsers(t *testing.T) {
	t.Parallel()
	needRoot(t)
	w := publishing(t, setup{programs: &ProgramOptions{Isolation: Isolation{Sandbox: []string{"/bin/sh", "-c", `echo "$(basename "$1") $(id -u)" >>who; exec "$@"`, "sh"}}}})
	b := w.program(t, `import { readFileSync } from "node:fs"; console.log(readFileSync("who", "utf8")); `+one)
	who := regexp.MustCompile(`(?m)^(drover-bundle|node) (\d+)$`).FindAllStringSubmatch(w.buildLog(t, b), -1)
	if len(who) != 2 || who[0][1] != "drover-bundle" || who[0][2] == "0" || who[1][2] == "0" {
		t.Errorf("%v\n%s", who, w.buildLog(t, b))
	}
}

func TestASandboxStandsInFrontOfEveryProcess(t *testing.T) {
	t.Parallel()
	testlevel.External()
	if _, err := os.Stat("/usr/bin/setpriv"); err != nil {
		testlevel.Missing(t, "SETPRIV: %v", err)
	}
	w := publishing(t, setup{programs: &ProgramOptions{Isolation: Isolation{Sandbox: []string{"/usr/bin/env", "BOX={home}", "AT={dir}", "/usr/bin/setpriv", "--no-new-privs", "--"}}}})
	b := w.program(t, `
		import { readFileSync } from "node:fs";
		console.log("in " + (process.env.BOX === process.env.HOME && process.env.AT === process.cwd()));
		define("f", async () => process.env.BOX === process.env.HOME && process.env.AT === process.cwd() && readFileSync("/proc/self/status", "utf8").includes("NoNewPrivs:\t1"));`)
	if log := w.buildLog(t, b); !strings.Contains(log, "in true\n") {
		t.Error(log)
	}
	if inv := w.do(t, "f", Invoke{}); string(inv.Result) != "true" {
		t.Errorf("%+v %s", inv.Cause, inv.Result)
	}
}

func TestIsolationCanBeRefusedAndRequired(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{programs: &ProgramOptions{Isolation: Isolation{Off: true}}})
	w.program(t, spy)
	if is := w.who(t, "who"); is.UID != os.Getuid() {
		t.Errorf("%+v", is)
	}
	for field, i := range map[string]Isolation{
		"Isolation.Sandbox": {Sandbox: []string{"env"}}, "Isolation.Required": {Off: true, Required: true},
		"Isolation.First": {FirstUser: 65000, Users: 1000}, "Isolation.Users": {Users: 100},
	} {
		if e := errtypes.Public(ProgramOptions{Isolation: i}.Validate()); e.Kind != errtypes.Invalid || e.Field != field {
			t.Errorf("%s: %+v", field, e)
		}
	}
}
