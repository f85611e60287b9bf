package npmtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"testing/fstest"
)

// A directory is named by what it was made from: another script is another
// directory, an installation beside it is none.
func TestTheNameIsThatOfTheContents(t *testing.T) {
	name := func(files map[string]string) string {
		folder := fstest.MapFS{}
		for path, text := range files {
			folder[path] = &fstest.MapFile{Data: []byte(text)}
		}
		n, err := nameOf(folder)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := name(map[string]string{"a.mjs": "1", "package.json": "{}"})
	if again := name(map[string]string{"a.mjs": "1", "package.json": "{}", "node_modules/x/y.js": "2"}); again != first {
		t.Errorf("%s and %s", first, again)
	}
	for _, other := range []map[string]string{{"a.mjs": "2", "package.json": "{}"}, {"b.mjs": "1", "package.json": "{}"}, {"a.mjs": "1"}} {
		if name(other) == first {
			t.Errorf("%v has the same name", other)
		}
	}
}

// A folder that needs no package is installed without a registry, once.
func TestAFolderIsInstalledOnce(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for name, text := range map[string]string{
		"package.json":      `{"name":"none","version":"1.0.0","private":true}`,
		"package-lock.json": `{"name":"none","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"none","version":"1.0.0"}}}`,
		"say.mjs":           `console.log("said")`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir := Dir(t, folder, "--ignore-scripts")
	cmd := exec.CommandContext(t.Context(), "node", "say.mjs")
	cmd.Dir = dir
	if out, err := cmd.Output(); err != nil || string(out) != "said\n" {
		t.Errorf("%q, %v", out, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mark"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	again := Dir(t, folder)
	if _, err := os.Stat(filepath.Join(again, "mark")); err != nil {
		t.Errorf("it was made anew: %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// A Node.js that came with the packages is taken rather than the machine's.
func TestTheNodeOfThePackages(t *testing.T) {
	dir := t.TempDir()
	if got := Node(t, dir, 1); got != "node" {
		t.Errorf("%s", got)
	}
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	packed := filepath.Join(dir, "node_modules", "node-"+runtime.GOOS+"-"+arch, "bin", "node")
	if err := os.MkdirAll(filepath.Dir(packed), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(packed, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := Node(t, dir, 1); got != packed {
		t.Errorf("%s", got)
	}
}
