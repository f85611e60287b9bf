package markdown

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"

	"github.com/drover-go/drover/fetch/markdown"
	"github.com/drover-go/drover/internal/corpora"
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

// BenchmarkCorpus converts the same pages with each converter in turn. "x-…" is
// how many times as fast Drover is; the goal beside html-to-markdown is at
// least 0.9.
func BenchmarkCorpus(b *testing.B) {
	texts, files := pages(b)
	took := map[string]time.Duration{}
	rounds := 0
	for b.Loop() {
		rounds++
		took["drover"] += drover(b, texts)
		took["html-to-markdown"] += plain(b, texts)
		for _, name := range []string{"turndown", "node-html-markdown"} {
			if d, ok := node(b, name, files); ok {
				took[name] += d
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, d := range took {
		b.ReportMetric(float64(len(texts)*rounds)/d.Seconds(), name+"-pages/s")
		if name != "drover" {
			b.ReportMetric(float64(d)/float64(took["drover"]), "x-"+name)
		}
	}
}

func drover(b *testing.B, texts []string) time.Duration {
	u := &url.URL{Scheme: "https", Host: "example.com", Path: "/page"}
	start := time.Now()
	for _, text := range texts {
		if _, err := markdown.FromString(b.Context(), text, markdown.Options{PageURL: u}); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(start)
}

func plain(b *testing.B, texts []string) time.Duration {
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin()))
	start := time.Now()
	for _, text := range texts {
		if _, err := c.ConvertString(text, converter.WithDomain("https://example.com/page")); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(start)
}

// node runs a converter of npm, if it is installed; see README.md.
func node(b *testing.B, name string, files []string) (time.Duration, bool) {
	if _, err := os.Stat(filepath.Join("npm", "node_modules", name)); err != nil {
		b.Logf("SKIPPED %s: run npm ci in bench/markdown/npm", name)
		return 0, false
	}
	out, err := exec.Command("node", append([]string{filepath.Join("npm", "run.mjs"), name}, files...)...).Output()
	if err != nil {
		b.Logf("SKIPPED %s: %v", name, err)
		return 0, false
	}
	ms, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		b.Fatalf("%s prints %q", name, out)
	}
	return time.Duration(ms * float64(time.Millisecond)), true
}
