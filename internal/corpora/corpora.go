// Package corpora finds the pages with gold answers that tests measure with.
//
// They are no part of the repository. The environment variable DROVER_CORPORA
// names their directory, which is else looked for beside the repository.
// Without them a test is skipped, aloud; a measurement (DROVER_QUALITY is set)
// fails, since it would have measured nothing.
package corpora

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
)

// Page is a page of a corpus.
type Page struct {
	// ID is the name of its file, without ".html.gz".
	ID   string
	path string
}

// Pages returns the pages of a set, "main-content" or "products", in the order
// of their names.
func Pages(t testing.TB, set string) []Page {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(root(), set, "html", "*.html.gz"))
	if len(files) == 0 {
		missing(t, set)
	}
	pages := make([]Page, len(files))
	for i, f := range files {
		pages[i] = Page{strings.TrimSuffix(filepath.Base(f), ".html.gz"), f}
	}
	return pages
}

// sparse is how many times fewer pages a quick test takes.
const sparse = 6

// stride is the distance between the pages of a sample: n where nothing is
// left out, one while quality is measured.
func stride(n int) int {
	if measuring() {
		return 1
	}
	return testlevel.Of(sparse*n, n)
}

// Sample returns every nth page of a set: fewer in a quick test, all of them
// while quality is measured.
func Sample(t testing.TB, set string, every int) []Page {
	t.Helper()
	all := Pages(t, set)
	var some []Page
	for i := 0; i < len(all); i += stride(every) {
		some = append(some, all[i])
	}
	return some
}

// SchemaOrg returns pages of the examples of schema.org: their Microdata, their
// RDFa, and their JSON-LD with the text that it describes. They are every nth
// example: fewer in a quick test, all of them while quality is measured.
func SchemaOrg(t testing.TB, every int) (pages []string) {
	t.Helper()
	examples := strings.Split("\n"+string(File(t, "schemaorg/examples.txt")), "\nTYPES:")[1:]
	for i := 0; i < len(examples); i += stride(every) {
		parts := map[string]string{}
		name := ""
		for line := range strings.Lines(examples[i]) {
			if head := strings.TrimSpace(line); head == "PRE-MARKUP:" || head == "MICRODATA:" || head == "RDFA:" || head == "JSON:" {
				name = head
				continue
			}
			parts[name] += line
		}
		for _, body := range []string{parts["MICRODATA:"], parts["RDFA:"], parts["PRE-MARKUP:"] + parts["JSON:"]} {
			if strings.TrimSpace(body) != "" {
				pages = append(pages, "<!DOCTYPE html><html><body>"+body+"</body></html>")
			}
		}
	}
	return pages
}

// Measure skips a test that takes its time over all pages, unless quality is
// measured ("make quality").
func Measure(t testing.TB) {
	t.Helper()
	if !measuring() {
		t.Skip("only with DROVER_QUALITY set")
	}
}

// Detail logs what is to be seen of one page, while quality is measured with
// DROVER_QUALITY_VERBOSE set: hundreds of pages say too much else.
func Detail(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("DROVER_QUALITY_VERBOSE") != "" {
		t.Logf(format, args...)
	}
}

func measuring() bool { return os.Getenv("DROVER_QUALITY") != "" }

// HTML returns the page, in valid UTF-8.
func (p Page) HTML(t testing.TB) string {
	t.Helper()
	f, err := os.Open(p.path)
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
	return strings.ToValidUTF8(string(page), "\uFFFD")
}

// File returns a file of the corpora by its path below their directory.
func File(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(), filepath.FromSlash(name)))
	if os.IsNotExist(err) {
		missing(t, name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func missing(t testing.TB, what string) {
	t.Helper()
	const message = "no corpus %s; DROVER_CORPORA names the directory of the corpora"
	if measuring() {
		t.Fatalf(message, what)
	}
	t.Skipf("SKIPPED: "+message, what)
}

// Dir returns the directory of the corpora, for what reads all of them.
func Dir(t testing.TB) string {
	t.Helper()
	if _, err := os.Stat(root()); err != nil {
		missing(t, root())
	}
	return root()
}

// root is the directory of the corpora.
func root() string {
	testlevel.External()
	if dir := os.Getenv("DROVER_CORPORA"); dir != "" {
		return dir
	}
	_, self, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(self), "..", "..", "..", "shared", "corpora")
}
