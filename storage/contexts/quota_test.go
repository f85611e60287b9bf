package contexts

import (
	"crypto/rand"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/projects"
)

// noise is content that does not get smaller when it is packed.
func noise(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(rand.Text())
	}
	return b.String()[:n]
}

// try saves a profile, and returns what came of it.
func (w *world) try(t *testing.T, id string, size int) error {
	t.Helper()
	l := w.use(t, id, "session", true)
	defer l.Free(t.Context())
	must(l.Restore(t.Context(), t.TempDir()))(t)
	_, err := l.Save(t.Context(), folder(t, noise(size)))
	return err
}

func TestTheContextsOfAProjectHaveABound(t *testing.T) {
	t.Parallel()
	each(t, Config{Limits: Limits{MaxTotal: 100_000}}, func(t *testing.T, w *world) {
		one, two := w.create(t, ""), w.create(t, "")
		const size = 40_000 // about 26,000 when it is packed
		for range 2 {
			if err := w.try(t, one.ID, size); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.try(t, two.ID, size); err != nil {
			t.Fatal(err)
		}
		before := w.count(t)
		err := w.try(t, two.ID, size)
		fails(t, err, errtypes.TooLarge)
		if !strings.Contains(errtypes.Public(err).Message, "the contexts of the project") {
			t.Error(err)
		}
		fails(t, w.Import(t.Context(), two.ID, strings.NewReader(tarOf(t, [2]string{cookies, noise(size)}))), errtypes.TooLarge)
		if n := w.count(t); n != before {
			t.Errorf("%d versions are kept, %d before", n, before)
		}
		if content, got := w.saved(t, two.ID); len(content) != size || got.Fault != nil {
			t.Errorf("%d bytes, %+v", len(content), got)
		}
		// One that is in the place of a larger one fits, and so does one of
		// another project.
		if err := w.try(t, one.ID, size/4); err != nil {
			t.Error(err)
		}
		must(w.projects.Create(t.Context(), projects.Create{Name: "other"}))(t)
		other := must(w.projects.In(t.Context(), "other"))(t)
		theirs := must(w.Create(other, Create{}))(t)
		if err := w.Import(other, theirs.ID, strings.NewReader(tarOf(t, [2]string{cookies, noise(2 * size)}))); err != nil {
			t.Error(err)
		}
		// What is deleted makes room.
		if err := w.Delete(t.Context(), one.ID); err != nil {
			t.Fatal(err)
		}
		if err := w.try(t, two.ID, size); err != nil {
			t.Error(err)
		}
	})
}

func TestNoBoundOfAProject(t *testing.T) {
	t.Parallel()
	w := open(t, "", Config{Limits: Limits{MaxTotal: -1}})
	if err := w.try(t, w.create(t, "").ID, 1000); err != nil {
		t.Error(err)
	}
}
