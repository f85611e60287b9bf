package downloads

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

// victimEnv makes the test binary a process that stores in the directory it
// names and stands still at a point, to be killed there.
const victimEnv = "DROVER_DOWNLOADS_TEST_VICTIM"

// The points.
const (
	inTheBlob    = "in the blob"
	beforeTheRow = "before the row"
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
	blobs, err := blob.NewDir(filepath.Join(dir, "downloads"), blob.DirOptions{})
	if err != nil {
		return err
	}
	if at == beforeTheRow {
		blobs = halting{blobs}
	}
	s, err := Open(Config{DB: db, Callers: callers, Blobs: blobs})
	if err != nil {
		return err
	}
	content := io.MultiReader(strings.NewReader(strings.Repeat("x", 100_000)))
	if at == inTheBlob {
		content = io.MultiReader(content, standstill{})
	}
	_, err = s.Store(ctx, New{SessionID: session, Content: content})
	return errors.Join(errors.New("it was not killed"), err)
}

// standstill says that it is reached and waits for the end.
type standstill struct{}

func (standstill) Read([]byte) (int, error) {
	fmt.Println("here")
	select {}
}

// halting stands still when a blob is written.
type halting struct{ blob.Store }

func (h halting) Put(ctx context.Context, r io.Reader, limit int64) (blob.Info, error) {
	info, err := h.Store.Put(ctx, r, limit)
	if err == nil {
		_, err = standstill{}.Read(nil)
	}
	return info, err
}

func TestWhatAKilledProcessLeavesIsSwept(t *testing.T) {
	t.Parallel()
	for _, at := range []string{inTheBlob, beforeTheRow} {
		t.Run(at, func(t *testing.T) {
			dir := t.TempDir()
			killAt(t, dir, at)
			left := files(t, dir)
			if len(left) != 1 {
				t.Fatalf("it has left %q", left)
			}
			c := clock.NewManual(time.Now())
			k := open(t, Config{DB: storagetest.OpenWith(t, storage.Options{Dir: dir}), Blobs: dirStore(t, dir), Clock: c})
			before := k.store(t, session, "x", "12")
			k.keeper.Do(t.Context())
			if n := len(files(t, dir)); n != 2 {
				t.Errorf("%d files are left of what might still be written", n)
			}
			age(t, left[0], 2*retention.OrphanSpared)
			c.Advance(retention.SweepRest)
			k.keeper.Do(t.Context())
			k.agree(t, 1, before.Size)
			if k.content(t, before.ID) != "12" {
				t.Error("what was stored is lost")
			}
		})
	}
}

// killAt kills a process that stores, at a point.
func killAt(t *testing.T, dir, at string) {
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
	line, err := bufio.NewReader(out).ReadString('\n')
	if killErr := cmd.Process.Kill(); killErr != nil {
		t.Error(killErr)
	}
	cmd.Wait()
	if line != "here\n" {
		t.Fatalf("%q, %v", line, err)
	}
}

// files are those that hold bytes of downloads.
func files(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "downloads"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

func age(t *testing.T, file string, by time.Duration) {
	t.Helper()
	if err := os.Chtimes(file, time.Time{}, time.Now().Add(-by)); err != nil {
		t.Fatal(err)
	}
}
