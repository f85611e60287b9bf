package runs

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model/openai"
	"github.com/drover-go/drover/storage/blob"
)

// level is what a process has when nothing is under way.
type level struct {
	goroutines, files, children, left int
	heap, browsers                    float64 // MB
}

func (l level) String() string {
	return fmt.Sprintf("%d goroutines, %.1f MB of heap, %d open files; %d processes of browsers with %.0f MB, %d files of theirs",
		l.goroutines, l.heap, l.files, l.children, l.browsers, l.left)
}

// above says what is more than it was, beyond what varies at rest.
func (l level) above(was level) (all []string) {
	for what, n := range map[string][3]float64{
		"goroutines": {float64(l.goroutines), float64(was.goroutines), 4}, "open files": {float64(l.files), float64(was.files), 4},
		"processes": {float64(l.children), float64(was.children), 1}, "files of browsers": {float64(l.left), float64(was.left), 40},
		"MB of heap": {l.heap, was.heap, 2}, "MB of browsers": {l.browsers, was.browsers, 60},
	} {
		if n[0] > n[1]+n[2] {
			all = append(all, fmt.Sprintf("%s: %.1f after %.1f", what, n[0], n[1]))
		}
	}
	return all
}

// measure waits until two looks, half a second apart, agree: what was closed takes
// a moment to be gone.
func (w *working) measure(b *testing.B, temp string) (now level) {
	b.Helper()
	w.forget(b)
	for range 40 {
		was := now
		now = look(temp)
		if was.goroutines == now.goroutines && was.children == now.children && was.files == now.files {
			return now
		}
		<-time.After(500 * time.Millisecond)
	}
	b.Fatalf("it does not come to rest: %v", now)
	return now
}

// forget drops what the harness alone keeps of each run.
func (w *working) forget(b *testing.B) {
	b.Helper()
	w.sessions.mustBeGone(b)
	w.sessions.mu.Lock()
	w.sessions.opened = nil
	w.sessions.mu.Unlock()
	w.log.mu.Lock()
	w.log.b = bytes.Buffer{}
	w.log.mu.Unlock()
}

func look(temp string) level {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools and finalizers kept through the first
	runtime.ReadMemStats(&m)
	files, _ := filepath.Glob("/proc/self/fd/*")
	l := level{goroutines: runtime.NumGoroutine(), files: len(files), heap: float64(m.HeapAlloc) / 1e6}
	for _, pid := range childrenOf(os.Getpid()) {
		l.children++
		l.browsers += proportional(pid)
	}
	filepath.WalkDir(temp, func(string, os.DirEntry, error) error { l.left++; return nil })
	return l
}

// childrenOf lists the processes that a process has started, and those of them.
func childrenOf(pid int) (all []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range lists {
		raw, _ := os.ReadFile(file)
		for _, text := range strings.Fields(string(raw)) {
			if child, err := strconv.Atoi(text); err == nil {
				all = append(append(all, child), childrenOf(child)...)
			}
		}
	}
	return all
}

// proportional is the memory of a process in MB, with its part of what it shares.
func proportional(pid int) float64 {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	_, rest, _ := strings.Cut(string(raw), "\nPss:")
	if fields := strings.Fields(rest); len(fields) > 0 {
		kb, _ := strconv.ParseFloat(fields[0], 64)
		return kb / 1e3
	}
	return 0
}

// threeSteps is a server of chat completions that says the same three steps in each
// conversation: load a page, read it, end.
func threeSteps(b *testing.B, page string) *openai.Model {
	b.Helper()
	calls := [][2]string{{"navigate", fmt.Sprintf(`{"url":%q}`, page)}, {"read", `{"as":"text"}`}, {"done", `{"success":true,"result":{"read":true}}`}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		n := min(bytes.Count(raw, []byte(`"role":"tool"`)), len(calls)-1)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c%d\",\"function\":{\"name\":%q,\"arguments\":%q}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
			n, calls[n][0], calls[n][1])
	}))
	b.Cleanup(s.Close)
	m, err := openai.New(openai.Options{Model: "m", BaseURL: s.URL + "/v1", Dialect: openai.ChatCompletions})
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// BenchmarkRuns does a thousand runs of three steps, four at a time, with Chromium
// and a model behind HTTP, and fails if what is left behind at rest grows from the
// hundredth run on. Run it with -benchtime=1x. DROVER_BENCH_RUNS is another number.
func BenchmarkRuns(b *testing.B) {
	runs := 1000
	if n, err := strconv.Atoi(os.Getenv("DROVER_BENCH_RUNS")); err == nil {
		runs = max(n, 10)
	}
	site, dir := openSite(b), b.TempDir()
	blobs, err := blob.NewDir(dir+"/blobs", blob.DirOptions{})
	if err != nil {
		b.Fatal(err)
	}
	var temp string
	w, err := openWorking(b.Context(), setup{
		dir: dir, blobs: blobs, model: threeSteps(b, site.URL+"/products"),
		browser: chrometest.Provider(b, func(o *chrome.Options) { temp = o.TempDir }),
	})
	if err != nil {
		b.Fatal(err)
	}
	defer w.shut(context.Background())
	for b.Loop() {
		w.fourAtATime(b, runs/10)
		first := w.measure(b, temp)
		b.Logf("%4d runs: %v", runs/10, first)
		for done := runs / 10; done < runs; {
			n := min(runs/10*3, runs-done)
			w.fourAtATime(b, n)
			done += n
			now := w.measure(b, temp)
			b.Logf("%4d runs: %v", done, now)
			if more := now.above(first); more != nil {
				b.Errorf("after %d runs there are more %s", done, strings.Join(more, "; "))
			}
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(runs*b.N), "ms/run")
	b.ReportMetric(0, "ns/op")
}

// fourAtATime has so many runs done, all of which complete.
func (w *working) fourAtATime(b *testing.B, runs int) {
	b.Helper()
	var under []string
	oldest := func() {
		r, err := w.Wait(b.Context(), under[0])
		if err != nil || r.Status != Completed || string(r.Result) != `{"read":true}` {
			b.Fatalf("%v %s %+v", err, r.Status, r.Cause)
		}
		under = under[1:]
	}
	for range runs {
		if len(under) == 4 {
			oldest()
		}
		under = append(under, w.create(b, Create{Task: "x"}).ID)
	}
	for len(under) > 0 {
		oldest()
	}
}
