package graphtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
)

// maxFuzzed is the size in bytes above which a page teaches a fuzz test nothing.
const maxFuzzed = 1 << 16

// Fuzz holds that any page can be read within the limits, and gives the same
// things twice. Its corpus begins with the pages of testdata/*.txtar.
func Fuzz(f *testing.F, read func(*page.Page) []*graph.Entity, seeds ...string) {
	for _, seed := range append(seeds, goldenPages(f)...) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > maxFuzzed {
			return
		}
		if a, b := dumpOf(t, src, read), dumpOf(t, src, read); a != b {
			t.Errorf("%s\n%s", a, b)
		}
	})
}

func dumpOf(t *testing.T, src string, read func(*page.Page) []*graph.Entity) (out string) {
	p := Parse(t, src)
	if err := p.Meter.Run(func() error { out = Dump(read(p)); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func goldenPages(f *testing.F) (pages []string) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range txtar.Parse(data).Files {
			if strings.HasSuffix(part.Name, ".html") {
				pages = append(pages, string(part.Data))
			}
		}
	}
	return pages
}
