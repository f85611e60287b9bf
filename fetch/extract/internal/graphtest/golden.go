package graphtest

import (
	"context"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/tools/txtar"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

var update = flag.Bool("update", false, "rewrite what the golden files want")

// URL is the address of the pages of tests.
var URL = &url.URL{Scheme: "https", Host: "example.com", Path: "/shop/page.html"}

// Parse returns a page of a test.
func Parse(t testing.TB, src string) *page.Page {
	t.Helper()
	doc, err := tree.Parse(context.Background(), strings.ToValidUTF8(src, "\uFFFD"), tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Open(t, doc)
}

// Open returns the page of a parsed document.
func Open(t testing.TB, doc *html.Node) *page.Page {
	t.Helper()
	p, err := page.New(context.Background(), doc, URL, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Golden holds what is read from the pages of testdata/*.txtar against what
// stands beside them: each file holds pairs of files, name.html and name.txt.
func Golden(t *testing.T, read func(*page.Page) []*graph.Entity) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file, read) })
	}
}

func golden(t *testing.T, file string, read func(*page.Page) []*graph.Entity) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wants := map[string]string{}
	for _, f := range archive.Files {
		wants[f.Name] = string(f.Data)
	}
	var out []txtar.File
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".html")
		if !ok {
			continue
		}
		got := Dump(read(Parse(t, string(f.Data))))
		out = append(out, f, txtar.File{Name: name + ".txt", Data: []byte(got)})
		if diff := cmp.Diff(wants[name+".txt"], got); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if *update {
		archive.Files = out
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
