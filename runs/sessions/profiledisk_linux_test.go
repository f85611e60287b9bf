package sessions

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/disktest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// enlarge puts a file into the profile of a session that is open.
func (w *world) enlarge(t *testing.T, id string, megabytes int64) {
	t.Helper()
	dir := filepath.Join(w.find(id).profile.path(), "Default", "File System")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f := must(os.Create(filepath.Join(dir, "large")))(t)
	_, err := io.CopyN(f, rand.Reader, megabytes<<20)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// The disk of the data, which has the database, too, is full before a profile is
// written: the session ends, says why, and leaves the version before and nothing
// else.
func TestADiskThatIsFullBeforeAContextIsSaved(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a disk is filled")
	site := rememberingSite(t)
	var log bytes.Buffer
	w := start(t, setup{dir: disktest.Small(t, 24), contexts: true, browser: chrometest.Provider(t), log: &log})
	id := w.newContext(t)
	saving := &ContextRef{ID: id, Persist: true}
	w.once(t, saving, site.URL+"/set/one")
	before := filesIn(t, w.archives)
	for range 2 {
		s, _ := w.visit(t, saving, site.URL+"/set/two")
		w.enlarge(t, s.ID, 32)
		if s := must(w.Release(t.Context(), s.ID))(t); s.Status != Completed {
			t.Errorf("%s, %+v", s.Status, s.Cause)
		}
		if !w.says(t, s.ID, "the context was not saved, and is what it was before: no space is left on the disk") {
			t.Errorf("%+v", must(w.Logs(t.Context(), s.ID))(t))
		}
		if after := filesIn(t, w.archives); !slices.Equal(after, before) {
			t.Errorf("left in the data: %v, before %v", after, before)
		}
	}
	if !bytes.Contains(log.Bytes(), []byte("no space left on device")) {
		t.Errorf("the host is not told of the cause: %s", log.Bytes())
	}
	if title, s := w.once(t, saving, site.URL+"/"); title != remembers("one") || !w.says(t, s.ID, "the context was saved") {
		t.Errorf("afterwards: %q, %+v", title, must(w.Logs(t.Context(), s.ID))(t))
	}
}

// endOnFullDisk releases a session until its end is given up to be written.
func (w *world) endOnFullDisk(id string, c *clock.Manual) {
	l := w.find(id)
	l.end(released)
	<-l.browser.Done()
	for {
		select {
		case <-l.done:
			return
		default:
			c.Advance(endPause) // between two tries
		}
	}
}

// With no room left for a single page of the database the end of the session
// cannot be written, either: it is, as it was and with its log, when there is
// room, and the context is not held any more.
func TestADiskThatIsFullToTheLastByte(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a disk is filled")
	site, dir := rememberingSite(t), disktest.Small(t, 24)
	c := clock.NewManual(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	w := start(t, setup{dir: dir, contexts: true, browser: chrometest.Provider(t), clock: c, retention: -1})
	id := w.newContext(t)
	saving := &ContextRef{ID: id, Persist: true}
	w.once(t, saving, site.URL+"/set/one")
	before := filesIn(t, w.archives)
	s, _ := w.visit(t, saving, site.URL+"/set/two")
	free := disktest.Fill(t, filepath.Join(dir, "filler"))
	w.endOnFullDisk(s.ID, c)
	if _, err := w.Get(t.Context(), s.ID); err == nil {
		t.Error("there was room for the end: the test shows nothing")
	}
	free()
	w.ended(t, s.ID, Completed, "")
	if !w.says(t, s.ID, "was not saved, and is what it was before: no space is left") {
		t.Errorf("%+v", must(w.Logs(t.Context(), s.ID))(t))
	}
	if after := filesIn(t, w.archives); !slices.Equal(after, before) {
		t.Errorf("left in the data: %v, before %v", after, before)
	}
	for range 2 {
		if title, s := w.once(t, saving, site.URL); title != remembers("one") || !w.says(t, s.ID, "the context was saved") {
			t.Errorf("afterwards: %q, %+v", title, must(w.Logs(t.Context(), s.ID))(t))
		}
	}
}

// An end that nobody has looked for is written when the service closes.
func TestAnEndIsWrittenAtTheLastMoment(t *testing.T) {
	t.Parallel()
	dir := disktest.Small(t, 24)
	c := clock.NewManual(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	w := must(open(t.Context(), setup{dir: dir, browser: &quickBrowser{}, clock: c, retention: -1}))(t)
	s := w.create(t, Create{KeepAlive: true})
	free := disktest.Fill(t, filepath.Join(dir, "filler"))
	w.endOnFullDisk(s.ID, c)
	free()
	if err := w.shut(); err != nil {
		t.Fatal(err)
	}
	start(t, setup{dir: dir, browser: &quickBrowser{}, clock: c, retention: -1}).ended(t, s.ID, Completed, "")
}
