package visible

import (
	"cmp"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/effort"
)

// corpora returns the gzipped pages of the given corpus, which is found in the
// directory that DROVER_CORPORA names or beside the repository.
func corpora(t testing.TB, sub string) []string {
	t.Helper()
	root := os.Getenv("DROVER_CORPORA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "..", "shared", "corpora")
	}
	files, _ := filepath.Glob(filepath.Join(root, sub, "html", "*.html.gz"))
	if len(files) == 0 {
		t.Skipf("SKIPPED: no corpus %s; DROVER_CORPORA names the directory of the corpora", sub)
	}
	return files
}

func readGzip(t testing.TB, name string) string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// TestCorpora takes every fifth page, or with DROVER_TORTURE all.
func TestCorpora(t *testing.T) {
	step := 5
	if os.Getenv("DROVER_TORTURE") != "" {
		step = 1
	}
	for _, sub := range []string{"main-content", "products"} {
		files := corpora(t, sub)
		for i := 0; i < len(files); i += step {
			page := readGzip(t, files[i])
			got := read(t, page, Options{})
			check(t, files[i], got)
			if graph.Dump(got...) != graph.Dump(read(t, page, Options{})...) {
				t.Errorf("%s: another graph the second time", files[i])
			}
		}
	}
}

// check holds what is true of every graph.
func check(t testing.TB, name string, entities []*graph.Entity) {
	t.Helper()
	seen := map[*graph.Entity]bool{}
	var walk func(e *graph.Entity)
	walk = func(e *graph.Entity) {
		if seen[e] {
			return
		}
		seen[e] = true
		if e.Element == nil || e.Source == 0 {
			t.Errorf("%s: an entity of nowhere", name)
		}
		for _, f := range e.Fields {
			if f.Name == "" || len(f.Name) > maxName+len(" options") || len(f.Values) == 0 {
				t.Errorf("%s: field %q with %d values", name, f.Name, len(f.Values))
			}
			for _, v := range f.Values {
				checkValue(t, name+" "+f.Name, v)
				if v.Entity != nil {
					walk(v.Entity)
				}
			}
		}
	}
	for _, e := range entities {
		walk(e)
	}
}

func checkValue(t testing.TB, name string, v graph.Value) {
	t.Helper()
	switch {
	case v.Element == nil, (v.Kind == graph.Thing) != (v.Entity != nil), v.Kind != graph.Thing && v.Text == "":
		t.Errorf("%s: %+v", name, v)
	case !utf8.ValidString(v.Text), !utf8.ValidString(v.Shown):
		t.Errorf("%s: %q %q", name, v.Text, v.Shown)
	case v.Kind == graph.Text && v.Text != strings.TrimSpace(v.Text):
		t.Errorf("%s: white space around %q", name, v.Text)
	}
}

// medianPage returns the main-content page of the median size.
func medianPage(b *testing.B) string {
	var pages []string
	for _, f := range corpora(b, "main-content") {
		pages = append(pages, readGzip(b, f))
	}
	slices.SortFunc(pages, func(a, c string) int { return cmp.Compare(len(a), len(c)) })
	return pages[len(pages)/2]
}

func BenchmarkRead(b *testing.B) {
	src := medianPage(b)
	p := parse(b, src)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		p.Meter = effort.NewMeter(b.Context(), "read", 1<<40)
		if len(Read(p)) == 0 {
			b.Fatal("nothing")
		}
	}
}

// BenchmarkCorpus reads every page once: the time a page on average.
func BenchmarkCorpus(b *testing.B) {
	for _, f := range corpora(b, "main-content") {
		p := parse(b, readGzip(b, f))
		b.Run(filepath.Base(f), func(b *testing.B) {
			for b.Loop() {
				p.Meter = effort.NewMeter(b.Context(), "read", 1<<40)
				Read(p)
			}
		})
	}
}
