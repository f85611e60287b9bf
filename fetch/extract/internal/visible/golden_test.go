package visible

import (
	"context"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

var update = flag.Bool("update", false, "rewrite the wanted graphs of the golden files")

var pageURL = &url.URL{Scheme: "https", Host: "example.com", Path: "/shop/page"}

func parse(t testing.TB, src string) *page.Page {
	t.Helper()
	doc, err := tree.Parse(context.Background(), src, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.New(context.Background(), doc, pageURL, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func read(t testing.TB, src string, o Options) (entities []*graph.Entity) {
	t.Helper()
	p := parse(t, src)
	if err := p.Meter.Run(func() error { entities = o.Read(p); return nil }); err != nil {
		t.Fatal(err)
	}
	return entities
}

// Each golden file holds pairs of files, name.html and name.graph, and says in
// its comment what they are about.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wants := map[string]string{}
	for _, f := range archive.Files {
		if name, ok := strings.CutSuffix(f.Name, ".graph"); ok {
			wants[name] = string(f.Data)
		}
	}
	var out []txtar.File
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".html")
		if !ok {
			continue
		}
		got := graph.Dump(read(t, string(f.Data), Options{})...)
		out = append(out, f, txtar.File{Name: name + ".graph", Data: []byte(got)})
		if diff := cmp.Diff(wants[name], got); diff != "" && !*update {
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
