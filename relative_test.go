package drover_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/storage/downloads"
)

// A path that is relative to where the host began means that place for good:
// connections that are opened later and browsers have other places.
func TestARelativeDataDirectoryStays(t *testing.T) {
	began := t.TempDir()
	t.Chdir(began)
	d, err := drover.Open(t.Context(), drover.Options{Data: "data", Workers: drover.WorkersNever})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	t.Chdir(t.TempDir())
	if _, err := d.Agents.Create(t.Context(), agents.Create{Name: "a"}); err != nil {
		t.Error(err)
	}
	if _, err := d.Downloads.Store(t.Context(), downloads.New{SessionID: "s", Content: strings.NewReader("x")}); err != nil {
		t.Error(err)
	}
	for _, dir := range []string{"downloads/*", "recordings", "instances/*"} {
		if found, _ := filepath.Glob(filepath.Join(began, "data", dir)); len(found) == 0 {
			t.Errorf("there is no %s where the host began", dir)
		}
	}
	if found, _ := filepath.Glob("*"); len(found) > 0 {
		t.Errorf("%v lies where the host went", found)
	}
}
