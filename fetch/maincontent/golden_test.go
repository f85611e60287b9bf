package maincontent

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/tools/txtar"

	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/markdown"
)

var update = flag.Bool("update", false, "rewrite what the golden files want")

// Each golden file holds pages, name.html, and what is found in them: the type
// and the text in name.txt, the markdown of the same tree in name.md. A line
// "url: ADDRESS" in its comment is the address of its pages.
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
		wants[f.Name] = string(f.Data)
	}
	var out []txtar.File
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".html")
		if !ok {
			continue
		}
		txt, md := describe(t, string(f.Data), urlOf(t, string(archive.Comment)))
		out = append(out, f, txtar.File{Name: name + ".txt", Data: []byte(txt)}, txtar.File{Name: name + ".md", Data: []byte(md)})
		for suffix, got := range map[string]string{".txt": txt, ".md": md} {
			if diff := cmp.Diff(wants[name+suffix], got); diff != "" && !*update {
				t.Errorf("%s%s (-want +got):\n%s", name, suffix, diff)
			}
		}
	}
	if *update {
		archive.Files = out
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func describe(t *testing.T, page string, address *url.URL) (txt, md string) {
	t.Helper()
	r := mustFind(t, page, Options{PageURL: address})
	txt = fmt.Sprintf("type %s, whole page %t\n%s\n", r.Type, r.WholePage, r.Text())
	md, err := markdown.Convert(ctx, r.Tree, markdown.Options{PageURL: address})
	if err != nil {
		t.Fatal(err)
	}
	return txt, md + "\n"
}

func mustFind(t testing.TB, page string, o Options) *Result {
	t.Helper()
	r, err := Find(ctx, parse(t, page), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func parse(t testing.TB, page string) *html.Node {
	t.Helper()
	doc, err := tree.Parse(ctx, page, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func urlOf(t *testing.T, comment string) *url.URL {
	t.Helper()
	for l := range strings.SplitSeq(comment, "\n") {
		if raw, ok := strings.CutPrefix(l, "url: "); ok {
			u, err := url.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			return u
		}
	}
	return nil
}
