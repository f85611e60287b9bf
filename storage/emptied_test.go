package storage_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

func TestAnEmptiedDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		beside  string // a file that is there, with content
		refused bool
	}{
		"nothing":              {"", false},
		"a file of others":     {"notes.txt", false},
		"a marker":             {"instances/x.lock", false},
		"the master key":       {"master.key", true},
		"a blob":               {"downloads/ab/abcdefgh", true},
		"an unfinished blob":   {"downloads/unfinished/1", true},
		"the write-ahead log":  {"drover.db-wal", true},
		"a folder of no trace": {"other/ab/abcdefgh", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeBeside(t, filepath.Join(dir, "drover.db"), "")
			if err := os.MkdirAll(filepath.Join(dir, "downloads", "unfinished"), 0o700); err != nil { // which is no trace
				t.Fatal(err)
			}
			if test.beside != "" {
				writeBeside(t, filepath.Join(dir, test.beside), "content")
			}
			db, err := storage.Open(t.Context(), storage.Options{Dir: dir, Traces: []string{"master.key", "downloads"}})
			if err == nil {
				t.Cleanup(func() { db.Close() })
			}
			if !test.refused {
				if err != nil {
					t.Error(err)
				}
				return
			}
			trace, _, _ := strings.Cut(test.beside, "/")
			if !errtypes.Is(err, errtypes.Conflict) || !strings.Contains(err.Error(), "is empty") || !strings.Contains(err.Error(), trace) {
				t.Errorf("error %v", err)
			}
			if info, err := os.Stat(filepath.Join(dir, "drover.db")); err != nil || info.Size() > 0 {
				t.Errorf("the file was touched: %v, %v", info, err)
			}
		})
	}
}

func writeBeside(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
