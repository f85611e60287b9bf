package platform_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/actors"
)

func read(r io.Reader) []byte {
	body, _ := io.ReadAll(r)
	return body
}

// BenchmarkCrawl has the Cheerio crawler go through 1,000 local pages: as a run of
// Drover on a database in a file; as the same process that asks a stub in memory for
// its stores; and as the same process that keeps them in files of its own. Goal: at
// least 0.9 of the pages a second of the stub.
func BenchmarkCrawl(b *testing.B) {
	h := newHost(b, func(o *drover.Options) { o.Data = b.TempDir() })
	c := crawlers{host: h, start: tree(b) + "/0", stub: newStub(b)}
	for _, atOnce := range []int{2, 20} {
		b.Run(fmt.Sprintf("%d at a time", atOnce), func(b *testing.B) { c.race(b, atOnce) })
	}
}

// treePages is how many pages the site of the measurement has.
const treePages = 1000

// tree is a site of pages that link to ten others each.
func tree(b *testing.B) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%s</title>%s", r.URL.Path, strings.Repeat("<p>Some text of a page.</p>", 50))
		var at int
		fmt.Sscanf(r.URL.Path, "/%d", &at)
		for to := at*10 + 1; to <= at*10+10 && to < treePages; to++ {
			fmt.Fprintf(w, "<a href='/%d'>next</a>", to)
		}
	}))
	b.Cleanup(s.Close)
	return s.URL
}

// crawlers are those that are compared.
type crawlers struct {
	host  host
	start string
	stub  *stub
}

// race runs each kind of crawler in turn and reports the medians of their times.
func (c crawlers) race(b *testing.B, atOnce int) {
	in := string(must(json.Marshal(map[string]any{"start": c.start, "least": atOnce, "most": atOnce}))(b))
	kinds := []struct {
		name  string
		env   []actors.EnvVar
		actor actors.Actor
		times []time.Duration
	}{{name: "drover"}, {name: "stub", env: []actors.EnvVar{{Name: "ASK_ANOTHER", Value: c.stub.URL}}}, {name: "files", env: []actors.EnvVar{{Name: "ASK_NOBODY", Value: in}}}}
	for i, k := range kinds {
		kinds[i].actor = c.host.packed(b, fmt.Sprint(k.name, "-", atOnce), "npm-cheerio", k.env...)
	}
	for b.Loop() {
		for i, k := range kinds {
			c.stub.begin(in)
			r := c.once(b, k.actor, in)
			if k.name == "drover" && r.StatusMessage != fmt.Sprint(treePages, " pages") || k.name == "stub" && c.stub.items != treePages {
				b.Fatalf("%s: %s\n%s", k.name, r.StatusMessage, c.host.said(b, r))
			}
			kinds[i].times = append(k.times, r.FinishedAt.Sub(r.StartedAt))
		}
	}
	var medians []float64
	for _, k := range kinds {
		medians = append(medians, median(k.times))
		b.Logf("%s: %v", k.name, k.times)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(treePages/medians[0], "pages/s")
	b.ReportMetric(medians[1]/medians[0], "of-stub")
	b.ReportMetric(medians[2]/medians[0], "of-files")
}

func (c crawlers) once(b *testing.B, a actors.Actor, in string) actors.RunInfo {
	r := must(c.host.Actors.Start(b.Context(), a.ID, actors.Start{Input: &actors.Input{Body: []byte(in), ContentType: "application/json"}, Options: actors.RunOptions{Memory: 1024}}))(b)
	return c.host.crawlEnds(b, r)
}

// BenchmarkRunSyncOfNodeJS is a synchronous run of a program of Node.js that writes its
// output, beside the bare start of the same program, which writes it to a stub.
func BenchmarkRunSyncOfNodeJS(b *testing.B) {
	const program = `
		const e = process.env, at = e.APIFY_API_BASE_URL + "/v2/key-value-stores/" + e.ACTOR_DEFAULT_KEY_VALUE_STORE_ID + "/records/OUTPUT";
		await fetch(at, { method: "PUT", headers: { authorization: "Bearer " + e.APIFY_TOKEN, "content-type": "application/json" }, body: "1" });`
	h, other := newHost(b, func(o *drover.Options) { o.Data = b.TempDir() }), newStub(b)
	a := h.builtOf(b, "starts", "", []actors.SourceFile{{Name: "main.mjs", Content: program}, {Name: "package.json", Content: `{"main":"main.mjs"}`}})
	file := filepath.Join(b.TempDir(), "main.mjs")
	must(0, os.WriteFile(file, []byte(program), 0o600))(b)
	bare := func() {
		c := exec.CommandContext(b.Context(), "node", file)
		// As a run has it: certificates that a user's environment names would be read at each start.
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "NODE_ENV=production", "NODE_OPTIONS=--max-old-space-size=384", "APIFY_API_BASE_URL=" + other.URL, "ACTOR_DEFAULT_KEY_VALUE_STORE_ID=a"}
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	run := func() {
		out := must(h.Actors.RunSync(b.Context(), a.ID, actors.Start{Options: actors.RunOptions{Memory: 512}}, ""))(b)
		if got := string(read(out)); got != "1" {
			b.Fatal(got)
		}
		out.Close()
	}
	run()
	bare()
	var runs, bares []time.Duration
	for b.Loop() {
		runs, bares = append(runs, timed(run)), append(bares, timed(bare))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(runs)*1000, "run-p50-ms")
	b.ReportMetric(median(bares)*1000, "bare-p50-ms")
	b.ReportMetric((median(runs)-median(bares))*1000, "more-ms")
	b.ReportMetric(median(runs)/median(bares), "of-bare")
}

func timed(f func()) time.Duration {
	from := time.Now()
	f()
	return time.Since(from)
}

// median is in seconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return times[len(times)/2].Seconds()
}
