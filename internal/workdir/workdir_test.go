package workdir_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/drover-go/drover/internal/workdir"
)

const prefix = "own-"

func TestSweepTakesOnlyWhatIsOursAndDead(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	dead := mkdir(t, dir, "own-1", "1", "profile")
	write(t, filepath.Join(dir, "own-1", "owner.lock"))
	noLock := mkdir(t, dir, "own-2")
	foreign := mkdir(t, dir, "other-1")
	victim := mkdir(t, elsewhere, "own-victim", "data")
	if err := os.Symlink(filepath.Dir(victim), filepath.Join(dir, "own-3")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "own-4")
	write(t, file)
	live, err := workdir.New(dir, prefix)
	if err != nil {
		t.Fatal(err)
	}
	ended := map[string]bool{}
	workdir.Sweep(dir, prefix, slog.New(slog.DiscardHandler), func(path string) { ended[filepath.Base(path)] = true })
	for path, want := range map[string]bool{dead: false, noLock: false, foreign: true, victim: true, live.Path(): true, file: true} {
		if there(path) != want {
			t.Errorf("%s is there: %t, want %t", path, !want, want)
		}
	}
	if len(ended) != 2 || !ended["own-1"] || !ended["own-2"] {
		t.Errorf("what used %v was ended", ended)
	}
	if err := live.Remove(); err != nil || there(live.Path()) {
		t.Errorf("a removed directory: %v", err)
	}
}

func TestADirectoryWhoseNameLooksLikeAPattern(t *testing.T) {
	dir := mkdir(t, t.TempDir(), "a[b]*?")
	left := mkdir(t, dir, "own-1")
	workdir.Sweep(dir, prefix, slog.New(slog.DiscardHandler), nil)
	if there(left) {
		t.Error("what is below it is left")
	}
}

func mkdir(t *testing.T, parts ...string) string {
	t.Helper()
	path := filepath.Join(parts...)
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
