package drover_test

import (
	"database/sql"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/disktest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// serveHealth opens Drover in dir and returns the status of its /healthz.
func serveHealth(t *testing.T, dir string) (d *drover.Drover, status func() int) {
	t.Helper()
	d, err := drover.Open(t.Context(), drover.Options{Data: dir, Workers: drover.WorkersNever, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	h := httpadapter.New(d, httpadapter.Options{Logger: slog.New(slog.DiscardHandler), HealthTimeout: 200 * time.Millisecond})
	return d, func() int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
		return w.Code
	}
}

// becomes waits until /healthz says so: it may repeat itself for a second.
func becomes(t *testing.T, status func() int, want int) {
	t.Helper()
	for end := time.Now().Add(testlevel.Loaded(10 * time.Second)); status() != want; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("/healthz does not become %d", want)
		}
	}
}

func TestHealthTellsOfAFullDisk(t *testing.T) {
	t.Parallel()
	disk := disktest.Small(t, 4)
	d, status := serveHealth(t, filepath.Join(disk, "data"))
	becomes(t, status, http.StatusOK)
	db := storagetest.OpenWith(t, storage.Options{Dir: filepath.Join(disk, "data")})
	free := disktest.Fill(t, filepath.Join(disk, "filler"))
	if err := d.Health(t.Context()); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("on a full disk: %v", err)
	}
	if err := db.TryWrite(t.Context()); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("rows on a full disk: %v", err)
	}
	becomes(t, status, http.StatusServiceUnavailable)
	free()
	becomes(t, status, http.StatusOK)
}

func TestHealthTellsOfAWriterThatHoldsOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, status := serveHealth(t, dir)
	becomes(t, status, http.StatusOK)
	other, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "drover.db")+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	becomes(t, status, http.StatusServiceUnavailable)
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	becomes(t, status, http.StatusOK)
}

func TestHealthTellsOfFilesThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, status := serveHealth(t, dir)
	becomes(t, status, http.StatusOK)
	folder := filepath.Join(dir, "downloads", "unfinished")
	if err := os.Rename(folder, folder+".away"); err != nil {
		t.Fatal(err)
	}
	becomes(t, status, http.StatusServiceUnavailable)
	if err := os.Rename(folder+".away", folder); err != nil {
		t.Fatal(err)
	}
	becomes(t, status, http.StatusOK)
}
