package markdown

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract"
	"github.com/drover-go/drover/fetch/maincontent"
	"github.com/drover-go/drover/fetch/markdown"
	"github.com/drover-go/drover/internal/corpora"
	"github.com/drover-go/drover/internal/npmtest"
)

// sample is how many pages of the corpus are converted: npm packages take
// seconds for some.
const sample = 60

// pages returns pages of the corpus, as texts and as files.
func pages(b *testing.B) (texts, files []string) {
	b.Helper()
	all := corpora.Pages(b, "main-content")
	dir := b.TempDir()
	for i := 0; i < len(all); i += max(len(all)/sample, 1) {
		text := all[i].HTML(b)
		file := filepath.Join(dir, strconv.Itoa(i)+".html")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		texts, files = append(texts, text), append(files, file)
	}
	return texts, files
}

// BenchmarkCorpus makes of the same pages what each side makes of them, in turn:
// markdown, the main content, JSON. "x-…" is how many times as fast Drover is,
// markdown against converters and main content against go-trafilatura; the goals
// are at least 0.9 beside html-to-markdown and 8 beside go-trafilatura. Parsing
// is included. The goals for the median page are 15 ms for main content and 10 ms
// for JSON.
func BenchmarkCorpus(b *testing.B) {
	npm := peers(b)
	b.Run("60pages", func(b *testing.B) { corpus(b, npm) })
}

func corpus(b *testing.B, npm string) {
	texts, files := pages(b)
	took := map[string]time.Duration{}
	medians := map[string][]time.Duration{}
	for b.Loop() {
		for name, do := range sides(b) {
			for _, text := range texts {
				start := time.Now()
				do(text)
				d := time.Since(start)
				took[name] += d
				medians[name] = append(medians[name], d)
			}
		}
		for _, name := range []string{"turndown", "node-html-markdown"} {
			if npm != "" {
				took[name] += node(b, npm, name, files)
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, d := range medians {
		slices.Sort(d)
		b.ReportMetric(float64(d[len(d)/2])/1e6, "ms-median-"+name)
	}
	for _, name := range []string{"html-to-markdown", "turndown", "node-html-markdown"} {
		if took[name] > 0 {
			b.ReportMetric(float64(took[name])/float64(took["markdown"]), "x-"+name)
		}
	}
	b.ReportMetric(float64(took["go-trafilatura"])/float64(took["main"]), "x-go-trafilatura")
}

var pageURL = &url.URL{Scheme: "https", Host: "example.com", Path: "/page"}

// sides are what is done with a page, by name.
func sides(b *testing.B) map[string]func(text string) {
	plain := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin()))
	schema, err := extract.Compile([]byte(productSchema), extract.CompileOptions{})
	check(b, err)
	return map[string]func(string){
		"markdown": func(text string) {
			_, err := markdown.FromString(b.Context(), text, markdown.Options{PageURL: pageURL})
			check(b, err)
		},
		"main": func(text string) {
			_, err := maincontent.Find(b.Context(), parsed(b, text), maincontent.Options{PageURL: pageURL})
			check(b, err)
		},
		"json": func(text string) {
			_, err := extract.Shape(b.Context(), parsed(b, text), pageURL, schema, extract.ShapeOptions{})
			check(b, err)
		},
		"html-to-markdown": func(text string) {
			_, err := plain.ConvertString(text, converter.WithDomain("https://example.com/page"))
			check(b, err)
		},
		"go-trafilatura": func(text string) {
			_, _ = trafilatura.Extract(strings.NewReader(text), trafilatura.Options{OriginalURL: pageURL, EnableFallback: true, Focus: trafilatura.FavorRecall})
		},
	}
}

// productSchema is a small schema as callers write them.
const productSchema = `{"type": "object", "properties": {"title": {"type": "string"}, "price": {"type": "number"}, "sku": {"type": "string"},
	"author": {"type": "string"}, "published": {"type": "string", "format": "date"}, "items": {"type": "array", "items": {"type": "object",
	"properties": {"name": {"type": "string"}, "url": {"type": "string", "format": "uri"}}}}}}`

func parsed(b *testing.B, text string) *html.Node {
	b.Helper()
	doc, err := markdown.Parse(b.Context(), text, markdown.Options{})
	check(b, err)
	return doc
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// peers is the directory with the converters of npm, installed from the lock
// file, or "" where that cannot be done, which is said aloud.
func peers(b *testing.B) (dir string) {
	b.Helper()
	b.Run("npm", func(b *testing.B) { // skipped by itself, not with all else
		dir = npmtest.Dir(b, "npm", "--ignore-scripts")
		b.ReportMetric(0, "ns/op")
	})
	if dir == "" {
		b.Log("TURNDOWN AND NODE-HTML-MARKDOWN TAKE NO PART: install Node.js 20 or later with npm, and see that npm reaches its registry")
	}
	return dir
}

// node has a converter of npm convert files.
func node(b *testing.B, dir, name string, files []string) time.Duration {
	b.Helper()
	out, err := exec.Command("node", append([]string{filepath.Join(dir, "run.mjs"), name}, files...)...).Output()
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	ms, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		b.Fatalf("%s prints %q", name, out)
	}
	return time.Duration(ms * float64(time.Millisecond))
}
