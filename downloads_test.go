package drover_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/downloads"
)

func TestDownloadsOutliveTheProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := drover.Options{Data: dir, Workers: drover.WorkersNever, Downloads: downloads.Limits{MaxBytes: 10}}
	reopen := func() *drover.Drover {
		d, err := drover.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		return d
	}
	d := reopen()
	stored, err := d.Downloads.Store(t.Context(), downloads.New{SessionID: "s", Filename: "x.txt", Content: strings.NewReader("12345678")})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Downloads.Store(t.Context(), downloads.New{SessionID: "s"}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("after Close: %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "downloads")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of the files: %v, %v", info, err)
	}
	d = reopen()
	content, again, err := d.Downloads.Open(t.Context(), stored.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	if data, err := io.ReadAll(content); string(data) != "12345678" || again != stored || err != nil {
		t.Errorf("%q of %+v, %v", data, again, err)
	}
	_, err = d.Downloads.Store(t.Context(), downloads.New{SessionID: "s", Content: strings.NewReader("123")})
	if !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("beyond the limit of all processes together: %v", err)
	}
}
