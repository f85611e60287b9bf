package markdown

import (
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted markdown of the golden files")

// Each golden file holds pairs of files, name.html and name.md, and says in
// its comment what they are about. A line "url: ADDRESS" in the comment is the
// address of its pages; without one they have none.
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
	o := Options{PageURL: urlOf(t, string(archive.Comment))}
	wants := map[string]string{}
	for _, f := range archive.Files {
		if name, ok := strings.CutSuffix(f.Name, ".md"); ok {
			wants[name] = string(f.Data)
		}
	}
	var out []txtar.File
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".html")
		if !ok {
			continue
		}
		md, err := FromString(ctx, string(f.Data), o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, f, txtar.File{Name: name + ".md", Data: []byte(md + "\n")})
		if diff := cmp.Diff(wants[name], md+"\n"); diff != "" && !*update {
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
