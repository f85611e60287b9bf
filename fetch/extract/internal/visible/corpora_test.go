package visible

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/effort"
	"github.com/drover-go/drover/internal/corpora"
)

// TestInvariantsOnCorpora takes every eighth page, where quality is measured all.
func TestInvariantsOnCorpora(t *testing.T) {
	for _, sub := range []string{"main-content", "products"} {
		for _, p := range corpora.Sample(t, sub, 8) {
			page := p.HTML(t)
			got := read(t, page, Options{})
			check(t, p.ID, got)
			if dumped(got...) != dumped(read(t, page, Options{})...) {
				t.Errorf("%s: another graph the second time", p.ID)
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
	for _, p := range corpora.Pages(b, "main-content") {
		pages = append(pages, p.HTML(b))
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
	for _, corpus := range corpora.Pages(b, "main-content") {
		p := parse(b, corpus.HTML(b))
		b.Run(corpus.ID, func(b *testing.B) {
			for b.Loop() {
				p.Meter = effort.NewMeter(b.Context(), "read", 1<<40)
				Read(p)
			}
		})
	}
}
