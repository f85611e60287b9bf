//go:build unix

package actors

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/osuser/osusertest"
)

// Nothing is left running of a run whose host was killed. The next one starts it again
// where that is wanted (DECISIONS 29).
func TestAHostIsKilledWhileABuiltActorRuns(t *testing.T) {
	t.Parallel()
	for again, want := range map[string]Status{"": Failed, "again": Succeeded} {
		t.Run("restartOnError "+again, func(t *testing.T) {
			t.Parallel()
			dir, work, flag := t.TempDir(), t.TempDir(), osusertest.Shared(t)+"/first"
			id, line := killHostWith(t, "pids ", buildHostEnv+"="+dir, buildWorkEnv+"="+work, builtAgainEnv+"="+again, builtMainEnv+`=import fs from "node:fs"; import { spawn } from "node:child_process";
				const flag = `+strconv.Quote(flag)+`; if (fs.existsSync(flag)) process.exit(0); fs.writeFileSync(flag, "");
				const left = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
				console.log("pids " + process.pid + " " + left.pid); setInterval(() => {}, 1000);`)
			w := yarded(t, yard{dir: dir, work: work})
			r := w.ended(t, must(w.service.Run(t.Context(), id))(t))
			if r.Status != want || want == Failed && !strings.Contains(r.StatusMessage, "died") {
				t.Errorf("%+v\n%s", r, w.said(t, r))
			}
			for pid := range strings.FieldsSeq(strings.TrimPrefix(line, "pids ")) {
				endedProcess(t, "pid "+pid)
			}
			left := must(filepath.Glob(filepath.Join(work, "drover-child-*")))(t)
			if len(left) > 1 { // that of the host which lives, if it has started anything
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
