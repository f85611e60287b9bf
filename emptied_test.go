package drover_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
)

// A database that has lost its content is not made anew beside what belongs to
// it; without it, on purpose, it is.
func TestAnEmptiedDatabaseIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	dir := newSealedData(t, "").dir
	if err := os.Truncate(filepath.Join(dir, "drover.db"), 0); err != nil {
		t.Fatal(err)
	}
	o := drover.Options{Data: dir, Workers: drover.WorkersNever}
	_, err := drover.Open(t.Context(), o)
	if !errtypes.Is(err, errtypes.Conflict) || !strings.Contains(err.Error(), "master.key") {
		t.Fatalf("error %v", err)
	}
	if _, err := drover.RotateMasterKey(t.Context(), o); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("rotation: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "drover.db")); err != nil {
		t.Fatal(err)
	}
	d, err := drover.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
