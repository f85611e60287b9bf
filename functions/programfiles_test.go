package functions

import (
	"os"
	"testing"
)

// A process that waits for invocations while its program is removed and made again
// handles no more of them: what lies there now it may not read.
func TestAProgramThatIsMadeAgainHasNewProcesses(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	b := w.build(t, map[string]string{"runtime.mjs": runtimeFile(t), "data.txt": "what it reads", "index.ts": `
		import { define } from "./runtime.mjs"; import fs from "node:fs";
		define("pid", async () => process.pid);
		define("read", async () => fs.readFileSync(new URL("./data.txt", import.meta.url), "utf8"));`})
	before := w.do(t, "pid", Invoke{})
	w.do(t, "read", Invoke{})
	if err := os.RemoveAll(w.programs.path(builtDir, b.ID)); err != nil {
		t.Fatal(err)
	}
	if after := w.do(t, "pid", Invoke{}); after.Status != Completed || string(after.Result) == string(before.Result) {
		t.Errorf("%+v %s, before it was %s", after.Cause, after.Result, before.Result)
	}
	if inv := w.do(t, "read", Invoke{}); string(inv.Result) != `"what it reads"` {
		t.Errorf("%+v %s", inv.Cause, inv.Result)
	}
}
