//go:build unix

package actors

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/osuser/osusertest"
	"github.com/drover-go/drover/internal/testlevel"
)

// mortal is a program that a host is killed with: it has a process of its own, and
// another that it leaves; it is heard when it is asked to end, and does not. A second one
// of the run, and one that is told to, comes to an end at once.
const mortal = helpers + `import fs from "node:fs"; import { spawn } from "node:child_process";
	if (fs.existsSync(flag)) process.exit(0);
	fs.writeFileSync(flag, "");
	const left = spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
	const pids = "pids " + process.pid + " " + left.pid;
	process.on("SIGTERM", () => console.log("heard " + pids));
	if (fs.existsSync("finishes")) { await put("OUTPUT", 1); console.log(pids); process.exit(0); }
	console.log(pids); setInterval(() => {}, 1000);`

// Nothing is left running of a run whose host was killed, in whatever phase of it. The
// next host starts it again where that is wanted, and else it comes to an honest end; what
// was acknowledged is there (DECISIONS 29).
func TestAHostIsKilledWithABuiltActor(t *testing.T) {
	t.Parallel()
	for phase, c := range map[string]struct {
		at      string
		status  Status
		message string
	}{
		"READY":      {"phase ", Succeeded, "exit code 0"},
		"RUNNING":    {"pids ", Failed, "died"},
		"restarted":  {"pids ", Succeeded, "exit code 0"},
		"TIMING-OUT": {"heard ", TimedOut, ""},
		"ABORTING":   {"phase ", Aborted, abortedMessage},
		"finishing":  {"pids ", "", ""},
	} {
		t.Run(phase, func(t *testing.T) {
			t.Parallel()
			for range testlevel.Rounds(1, 3) {
				dir, work, flag := t.TempDir(), t.TempDir(), osusertest.Shared(t)+"/first"
				id, line := killHostWith(t, c.at, buildHostEnv+"="+dir, buildWorkEnv+"="+work, phaseEnv+"="+phase, builtMainEnv+"=const flag = "+strconv.Quote(flag)+";"+mortal)
				w := playing(t, yard{dir: dir, work: work})
				r := w.ended(t, must(w.service.Run(t.Context(), id))(t))
				switch {
				case phase == "finishing" && w.recordOf(t, r, "OUTPUT") == "1" && (r.Status == Succeeded || r.Status == Failed && strings.Contains(r.StatusMessage, "died")):
				case r.Status != c.status || !strings.Contains(r.StatusMessage, c.message):
					t.Errorf("%+v\n%s", r, w.said(t, r))
				}
				_, pids, _ := strings.Cut(line, "pids ")
				for pid := range strings.FieldsSeq(pids) {
					endedProcess(t, "pid "+pid)
				}
				left := must(filepath.Glob(filepath.Join(work, "drover-child-*")))(t)
				if len(left) > 1 { // that of the host which lives, if it has started anything
					t.Errorf("left behind: %v", left)
				}
			}
		})
	}
}
