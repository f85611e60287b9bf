package sessions

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// regions are ways to damage an archive, one for each part of it as the package
// archive lays it out, whose tests take every byte; nil is for one that is gone.
func regions(whole []byte) map[string][]byte {
	const start, iv, mac = 10, 16, 32
	wrapped := int(binary.BigEndian.Uint16(whole[8:start]))
	flip := func(at int) []byte {
		p := bytes.Clone(whole)
		p[at] ^= 1
		return p
	}
	n := len(whole)
	return map[string][]byte{
		"the head": flip(0), "the wrapped key": flip(start + wrapped/2), "the vector": flip(start + wrapped),
		"the text": flip(start + wrapped + iv), "the code": flip(n - 1), "cut": whole[:n-mac], "gone": nil,
	}
}

// newest is the file of the version that was saved after those before.
func (w *world) newest(t *testing.T, before []string) string {
	t.Helper()
	after := slices.DeleteFunc(filesIn(t, w.archives), func(f string) bool { return slices.Contains(before, f) })
	if len(after) != 1 {
		t.Fatalf("not one new version: %v", after)
	}
	return after[0]
}

// become replaces a file; nil removes it.
func become(t *testing.T, file string, content []byte) {
	t.Helper()
	err := os.Remove(file)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if content != nil {
		err = errors.Join(err, os.WriteFile(file, content, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Wherever an archive is damaged, the session has the version before, and its
// log says why. A quick test takes two of the parts.
func TestAContextDamagedAnywhereIsTheOneBefore(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site := rememberingSite(t)
	w := start(t, setup{dir: t.TempDir(), contexts: true, browser: chrometest.Provider(t)})
	id := w.newContext(t)
	reading, saving := &ContextRef{ID: id}, &ContextRef{ID: id, Persist: true}
	w.once(t, saving, site.URL+"/set/one")
	before := filesIn(t, w.archives)
	w.once(t, saving, site.URL+"/set/two")
	last := w.newest(t, before)
	whole := must(os.ReadFile(last))(t)
	for region, damaged := range regions(whole) {
		if damaged != nil && region != "the text" && !testlevel.Full() {
			continue
		}
		become(t, last, damaged)
		title, s := w.once(t, reading, site.URL)
		why := "is damaged, so the one before it is used"
		if damaged == nil {
			why = "is gone, so the one before it is used"
		}
		if title != remembers("one") || s.Status != Completed || !w.says(t, s.ID, why) {
			t.Errorf("%s: %q, %s, %+v", region, title, s.Status, must(w.Logs(t.Context(), s.ID))(t))
		}
	}
	become(t, last, whole)
	if title, s := w.once(t, reading, site.URL); title != remembers("two") || w.says(t, s.ID, "one before") {
		t.Errorf("put back: %q", title)
	}
}

// A context of which nothing is whole begins no session, which would save an
// empty profile in its place; the answer says what to do, and that helps.
func TestAContextWithoutAWholeVersionIsRefusedUntilImported(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	site := rememberingSite(t)
	w := start(t, setup{dir: t.TempDir(), contexts: true, browser: chrometest.Provider(t)})
	other, id := w.newContext(t), w.newContext(t)
	w.once(t, &ContextRef{ID: other, Persist: true}, site.URL+"/set/imported")
	var profile bytes.Buffer
	if _, err := w.contexts.Export(t.Context(), other, &profile); err != nil {
		t.Fatal(err)
	}
	before := filesIn(t, w.archives)
	saving := &ContextRef{ID: id, Persist: true}
	w.once(t, saving, site.URL+"/set/one")
	become(t, w.newest(t, before), []byte("DROVCTX1 and nothing else"))
	for _, use := range []*ContextRef{saving, {ID: id}} {
		_, err := w.Create(t.Context(), Create{Settings: Settings{Context: use}})
		e := errtypes.Public(err)
		want := `context "` + id + `" cannot be used: each version that was saved of it is damaged or gone; delete it, or import a profile over it`
		if e.Kind != errtypes.Unavailable || e.Message != want {
			t.Errorf("persist %t: %v", use.Persist, err)
		}
	}
	if c := must(w.contexts.Get(t.Context(), id))(t); c.InUseBy != "" {
		t.Errorf("who was refused holds it: %+v", c)
	}
	if err := w.contexts.Import(t.Context(), id, &profile); err != nil {
		t.Fatal(err)
	}
	if title, s := w.once(t, saving, site.URL); title != remembers("imported") || !w.says(t, s.ID, "the context was saved") {
		t.Errorf("after the import: %q", title)
	}
}
