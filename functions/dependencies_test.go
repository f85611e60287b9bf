package functions

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/internal/workdir"
)

// writableArchive serves a package, the files of which all may write to as they are packed,
// and returns its address.
func writableArchive(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for name, text := range map[string]string{
		"package/package.json": `{"name":"dep","version":"1.0.0","main":"index.js"}`, "package/index.js": `module.exports = "as it was published";`, "package/lib/more.js": "",
	} {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o666, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{w.Close(), zipped.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(b.Bytes()) }))
	t.Cleanup(s.Close)
	return s.URL + "/dep-1.0.0.tgz"
}

// A program cannot change the dependencies that it shares with others.
func TestAProgramCannotChangeSharedDependencies(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	address := writableArchive(t)
	files := map[string]string{
		"runtime.mjs": runtimeFile(t), "package.json": `{"name":"p","version":"1.0.0","dependencies":{"dep":"1.0.0"}}`,
		"package-lock.json": fmt.Sprintf(`{"name":"p","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{
			"":{"name":"p","version":"1.0.0","dependencies":{"dep":"1.0.0"}}, "node_modules/dep":{"version":"1.0.0","resolved":%q}}}`, address),
		"index.ts": `
			import { define } from "./runtime.mjs"; import fs from "node:fs"; import dep from "dep";
			const attempt = (what) => { try { what(); return "done"; } catch (err) { return err.code; } };
			const at = fs.realpathSync("node_modules"), set = at + "/..";
			define("vandal", async () => ({
				write: attempt(() => fs.writeFileSync(at + "/dep/index.js", "module.exports = 'changed';")),
				append: attempt(() => fs.appendFileSync(at + "/dep/package.json", " ")),
				remove: attempt(() => fs.unlinkSync(at + "/dep/index.js")),
				"remove all": attempt(() => fs.rmSync(at + "/dep/lib", { recursive: true })),
				add: attempt(() => fs.writeFileSync(at + "/dep/new.js", "")),
				"add a package": attempt(() => fs.mkdirSync(at + "/other")),
				rename: attempt(() => fs.renameSync(at + "/dep", at + "/gone")),
				"rename all": attempt(() => fs.renameSync(at, set + "/gone")),
				lock: attempt(() => fs.writeFileSync(set + "/package-lock.json", "{}")),
				...(process.getuid() === fs.statSync(at).uid ? {} : { chmod: attempt(() => fs.chmodSync(at + "/dep/index.js", 0o666)) }),
			}));`,
	}
	vandal := w.build(t, files)
	files["index.ts"] = `import { define } from "./runtime.mjs"; import dep from "dep"; define("victim", async () => dep);`
	if victim := w.build(t, files); vandal.Status != builds.Succeeded || victim.Status != builds.Succeeded {
		t.Fatalf("%s%s", w.buildLog(t, vandal), w.buildLog(t, victim))
	}
	inv := w.do(t, "vandal", Invoke{})
	var got map[string]string
	if err := json.Unmarshal(inv.Result, &got); err != nil || len(got) < 9 {
		t.Fatalf("%v %+v %s\n%s", err, inv.Cause, inv.Result, w.log(t, inv))
	}
	for what, code := range got {
		if code != "EACCES" && code != "EPERM" {
			t.Errorf("%s: %s", what, code)
		}
	}
	if os.Getuid() == 0 && got["chmod"] == "" {
		t.Error("the program owns its dependencies")
	}
	if inv := w.do(t, "victim", Invoke{}); string(inv.Result) != `"as it was published"` {
		t.Errorf("%+v %s", inv.Cause, inv.Result)
	}
	// They can be removed for all that.
	sets, err := filepath.Glob(w.programs.path(dependenciesDir, "[0-9a-f]*"))
	if err != nil || len(sets) != 1 {
		t.Fatalf("%v %v", sets, err)
	}
	if err := workdir.RemoveAll(sets[0]); err != nil {
		t.Error(err)
	}
	if inv := w.do(t, "victim", Invoke{}); inv.Status != Completed {
		t.Errorf("%+v", inv.Cause)
	}
}
