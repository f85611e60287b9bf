package conformance

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
	"strconv"
	"strings"
	"testing"
	"time"
)

// installed returns a directory with what stands in a folder here and the
// packages that it needs. It is kept between runs and named by its contents.
func installed(t *testing.T, folder string, flags ...string) string {
	t.Helper()
	version, err := exec.Command("node", "--version").Output()
	major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
	if n, _ := strconv.Atoi(major); err != nil || n < 20 {
		t.Skipf("SKIPPED, THIS TEST NEEDS NODE 20 OR LATER: found %q, %v", version, err)
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skipf("SKIPPED, THIS TEST NEEDS NPM: %v", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "drover-test-npm", contents(t, folder))
	if _, err := os.Stat(dir); err != nil {
		install(t, dir, folder, flags)
	}
	return dir
}

// install lets a half-made directory never have the name of a whole one.
func install(t *testing.T, dir, folder string, flags []string) {
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
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", append([]string{"ci"}, flags...)...)
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, THIS TEST NEEDS PACKAGES THAT NPM CANNOT GET HERE: %v\n%s", err, out)
	}
	if err := os.Rename(work, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
}

// contents is a name for what stands in a folder.
func contents(t *testing.T, folder string) string {
	t.Helper()
	var all bytes.Buffer
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, path))
		all.WriteString(path)
		all.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(all.Bytes())
	return hex.EncodeToString(sum[:8])
}
