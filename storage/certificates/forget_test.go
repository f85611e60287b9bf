package certificates

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// holds are the files of a directory in which the text is found.
func holds(t *testing.T, dir string, text []byte) (found []string) {
	t.Helper()
	paths := must(filepath.Glob(filepath.Join(dir, "drover.db*")))(t)
	for _, path := range paths {
		if bytes.Contains(must(os.ReadFile(path))(t), text) {
			found = append(found, filepath.Base(path))
		}
	}
	return found
}

// What was deleted is overwritten in the database, not only given up.
func TestNothingIsLeftOfADeletedCertificate(t *testing.T) {
	t.Parallel()
	f, dir := newFiles(t), t.TempDir()
	db := must(storage.Open(t.Context(), storage.Options{Dir: dir}))(t)
	defer db.Close()
	w := &world{db: db, projects: must(projects.New(t.Context(), db, projects.Options{}))(t)}
	w.service = must(New(Config{DB: db, Callers: w.projects, Keys: seal.NewRing(seal.NewKey())}))(t).(*service)
	file := join(f.cert(), f.key(t))
	kept, gone := w.upload(t, file), w.upload(t, file)
	sealed := map[string][]byte{}
	for _, k := range must(Sealed(t.Context(), db))(t).Keys {
		sealed[k.ID] = k.Key
	}
	if err := w.Delete(t.Context(), gone.ID); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]byte{sealed[gone.ID][10:42], sealed[gone.ID][len(sealed[gone.ID])-32:], []byte(gone.ID)} {
		if found := holds(t, dir, part); len(found) > 0 {
			t.Errorf("%q is left in %v", part, found)
		}
	}
	if found := holds(t, dir, sealed[kept.ID][10:42]); len(found) == 0 {
		t.Error("what is kept is not found, either: the test shows nothing")
	}
}
