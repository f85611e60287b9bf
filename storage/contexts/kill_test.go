package contexts

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
)

// victimEnv makes the test binary a process that saves the context there is in
// the directory it names, and stands still at a point, to be killed there.
const victimEnv = "DROVER_CONTEXTS_TEST_VICTIM"

// The points.
const (
	holding   = "holding"
	packing   = "packing"
	unnamed   = "unnamed"
	named     = "named"
	keyOfTest = "7f3a0c51e2b94d6890aa1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f61"
)

func victimMain(dir, at string) error {
	ctx := context.Background()
	db, err := storage.Open(ctx, storage.Options{Dir: dir})
	if err != nil {
		return err
	}
	callers, err := projects.New(ctx, db, projects.Options{})
	if err != nil {
		return err
	}
	blobs, err := blob.NewDir(filepath.Join(dir, "contexts"), blob.DirOptions{})
	if err != nil {
		return err
	}
	key, err := seal.ParseKey(keyOfTest)
	if err != nil {
		return err
	}
	s, err := New(Config{DB: db, Callers: callers, Blobs: halting{blobs, at}, Keys: seal.NewRing(key), Reaper: reaper.New(db, reaper.Options{})})
	if err != nil {
		return err
	}
	return errors.Join(errors.New("it was not killed"), victimSaves(ctx, s, dir, at))
}

func victimSaves(ctx context.Context, s Service, dir, at string) error {
	all, err := s.List(ctx)
	if err != nil {
		return err
	}
	l, err := s.Open(ctx, Use{ContextID: all[0].ID, Holder: "victim", Persist: true})
	if err != nil {
		return err
	}
	if at == holding {
		stand()
	}
	if _, err := l.Restore(ctx, filepath.Join(dir, "restored")); err != nil {
		return err
	}
	if _, err := l.Save(ctx, filepath.Join(dir, "next")); err != nil {
		return err
	}
	stand()
	return nil
}

// stand says that the point is reached, and waits for the end.
func stand() {
	fmt.Println("here")
	select {}
}

// halting stands still where a blob is written.
type halting struct {
	blob.Store
	at string
}

func (h halting) Put(ctx context.Context, r io.Reader, limit int64) (blob.Info, error) {
	if h.at == packing {
		r = io.MultiReader(io.LimitReader(r, 1000), standing{})
	}
	info, err := h.Store.Put(ctx, r, limit)
	if h.at == unnamed && err == nil {
		stand()
	}
	return info, err
}

type standing struct{}

func (standing) Read([]byte) (int, error) {
	stand()
	return 0, io.EOF
}

// Whoever is killed while it saves leaves the version before or the new one, and
// a context that others can use.
func TestKilledWhileSaving(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{holding: "before", packing: "before", unnamed: "before", named: "after"} {
		t.Run(at, func(t *testing.T) {
			dir := t.TempDir()
			key := must(seal.ParseKey(keyOfTest))(t)
			w := open(t, dir, Config{Keys: seal.NewRing(key)})
			c := w.create(t, "")
			w.save(t, c.ID, "before")
			prepare(t, dir)
			cmd := started(t, dir, at)
			_, err := w.service.Open(t.Context(), Use{ContextID: c.ID, Holder: "mine", Persist: true})
			fails(t, err, errtypes.Conflict) // while it lives
			kill(t, cmd)
			l := w.use(t, c.ID, "mine", true)
			found := t.TempDir()
			if got := must(l.Restore(t.Context(), found))(t); got.Fault != nil {
				t.Error(got.Fault)
			}
			if content, err := os.ReadFile(filepath.Join(found, cookies)); err != nil || strings.TrimRight(string(content), "x") != want {
				t.Errorf("%.20q, %v, want %q", content, err, want)
			}
			must(l.Save(t.Context(), folder(t, "mine")))(t)
			if content, _ := w.saved(t, c.ID); content != "mine" {
				t.Errorf("%q", content)
			}
		})
	}
}

// prepare makes the folders of the victim.
func prepare(t *testing.T, dir string) {
	t.Helper()
	content := []byte("after" + strings.Repeat("x", 10_000))
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "restored"), 0o700), os.MkdirAll(filepath.Join(dir, "next", "Default"), 0o700),
		os.WriteFile(filepath.Join(dir, "next", cookies), content, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// started is a victim that has reached its point.
func started(t *testing.T, dir, at string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"="+dir, victimEnv+"_AT="+at)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "here\n" {
		t.Fatalf("%q, %v, %v", line, err, cmd.Wait())
	}
	return cmd
}

func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
}

func TestWhatNobodyNamesIsSwept(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), Config{})
	c := w.create(t, "")
	w.save(t, c.ID, "one")
	lost := must(w.blobs.Put(t.Context(), strings.NewReader("lost"), 0))(t)
	old := noon.Add(-2 * retention.OrphanSpared)
	for _, path := range w.files(t) {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	young := must(w.blobs.Put(t.Context(), strings.NewReader("young"), 0))(t)
	now := noon.Add(time.Minute)
	if err := os.Chtimes(w.file(t, young.Key), now, now); err != nil {
		t.Fatal(err)
	}
	w.keeper.Do(t.Context())
	_, err := w.blobs.Open(t.Context(), lost.Key)
	fails(t, err, errtypes.NotFound)
	if content, _ := w.saved(t, c.ID); content != "one" || w.count(t) != 2 {
		t.Errorf("%q, %d are left", content, w.count(t))
	}
}
