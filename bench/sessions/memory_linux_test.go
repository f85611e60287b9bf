package sessions

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/sessions"
)

// BenchmarkMemory is what a session with a small page adds to the memory of all
// processes of the browser: their proportional set sizes.
func BenchmarkMemory(b *testing.B) {
	if _, _, err := chrome.Find(); err != nil {
		b.Skipf("SKIPPED, THIS BENCHMARK NEEDS CHROMIUM: %v", err)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>Small</title><p>page</p>`)
	}))
	b.Cleanup(site.Close)
	const more = 5
	var added int64
	for b.Loop() {
		h := newHost(b)
		h.keep(b, site.URL, spares) // so that the spares are made
		before := memory(b)
		h.keep(b, site.URL, more)
		added += memory(b) - before
		must(b, h.Close())
	}
	b.ReportMetric(float64(added)/float64(b.N*more)/(1<<20), "MB/session")
}

// keep opens sessions that stay open.
func (h host) keep(b *testing.B, url string, n int) {
	b.Helper()
	for range n {
		s, err := h.Sessions.Create(context.Background(), sessions.Create{KeepAlive: true})
		must(b, err)
		c, err := connect(b.Context(), s.ConnectURL)
		must(b, err)
		must(b, c.load(b.Context(), url))
	}
}

// memory is that of the processes below this one, in bytes.
func memory(b *testing.B) (sum int64) {
	b.Helper()
	for _, pid := range below(b, os.Getpid()) {
		raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "smaps_rollup"))
		if err != nil {
			continue // it has ended
		}
		for line := range strings.Lines(string(raw)) {
			if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
				kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
				must(b, err)
				sum += kb << 10
			}
		}
	}
	return sum
}

// below lists the processes that a process has started, and those of them.
func below(b *testing.B, pid int) (all []int) {
	b.Helper()
	tasks, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task", "*", "children"))
	must(b, err)
	for _, file := range tasks {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for _, word := range strings.Fields(string(raw)) {
			child, err := strconv.Atoi(word)
			must(b, err)
			all = append(append(all, child), below(b, child)...)
		}
	}
	return all
}
