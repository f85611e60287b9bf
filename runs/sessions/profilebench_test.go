package sessions

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage/contexts"
)

// BenchmarkContextColdStart opens sessions with a stored context, beside browser
// processes of their own without one, in turn. The ratio is that of the two;
// saving is what the end of a session that persists takes beside the end of one
// that only reads.
func BenchmarkContextColdStart(b *testing.B) {
	for _, megabytes := range []int{0, 20} {
		b.Run(fmt.Sprintf("%dMB", megabytes), func(b *testing.B) { benchmarkColdStart(b, megabytes) })
	}
}

func benchmarkColdStart(b *testing.B, megabytes int) {
	site := rememberingSite(b)
	provider := chrometest.Provider(b)
	w := start(b, setup{dir: b.TempDir(), contexts: true, browser: provider})
	id := w.newContext(b)
	saving, reading := &ContextRef{ID: id, Persist: true}, &ContextRef{ID: id}
	w.once(b, saving, site.URL+"/set/one")
	w.grow(b, id, megabytes<<20)
	var with, without, saved, left time.Duration
	for b.Loop() {
		open, end := w.timed(b, reading)
		with, left = with+open, left+end
		_, end = w.timed(b, saving)
		saved += end
		began := time.Now()
		s := must(provider.Open(b.Context(), browser.Options{OwnProcess: true}))(b)
		without += time.Since(began)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	ms := func(d time.Duration) float64 { return float64(d.Milliseconds()) / float64(b.N) }
	b.ReportMetric(ms(with), "ms/with")
	b.ReportMetric(ms(without), "ms/without")
	b.ReportMetric(float64(with)/float64(without), "ratio")
	b.ReportMetric(ms(saved-left), "ms/saving")
}

// timed is how long a session with a context takes to open, and to end.
func (w *world) timed(b *testing.B, use *ContextRef) (open, end time.Duration) {
	b.Helper()
	began := time.Now()
	s := w.create(b, Create{KeepAlive: true, Settings: Settings{Context: use}})
	open, began = time.Since(began), time.Now()
	must(w.Release(b.Context(), s.ID))(b)
	return open, time.Since(began)
}

// grow adds a file of that size, which cannot be compressed, to a context.
func (w *world) grow(b *testing.B, id string, size int) {
	b.Helper()
	if size == 0 {
		return
	}
	lease := must(w.contexts.Open(b.Context(), contexts.Use{ContextID: id, Holder: "benchmark", Persist: true}))(b)
	dir := b.TempDir()
	must(lease.Restore(b.Context(), dir))(b)
	data := make([]byte, size)
	rand.Read(data)
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "Default", "File System"), 0o700),
		os.WriteFile(filepath.Join(dir, "Default", "File System", "large"), data, 0o600)); err != nil {
		b.Fatal(err)
	}
	must(lease.Save(b.Context(), dir))(b)
	if err := lease.Free(b.Context()); err != nil {
		b.Fatal(err)
	}
}
