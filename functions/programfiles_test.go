package functions

import (
	"os"
	"path/filepath"
	"sync"
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

// Two hosts on the same data may find that a program is gone at the same time: the
// one that comes later leaves the other's alone, which may run already.
func TestHostsThatMakeTheSameProgram(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	b := built{id: "b", bundle: "index.mjs"}
	make := func(content string) string {
		dir, err := w.programs.fresh()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, b.bundle), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	if err := w.programs.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(w.programs.built.Path(b.id), "half"), 0o755); err != nil { // without a bundle
		t.Fatal(err)
	}
	if err := w.programs.keep(make("first"), b); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		dir := make("second")
		all.Go(func() {
			if err := w.programs.keep(dir, b); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	said, err := os.ReadFile(filepath.Join(w.programs.built.Path(b.id), b.bundle))
	if err != nil || string(said) != "first" {
		t.Errorf("%s %v", said, err)
	}
	left, err := os.ReadDir(w.programs.path(newDir))
	if err != nil || len(left) != 0 {
		t.Errorf("%d directories are left, %v", len(left), err)
	}
}
