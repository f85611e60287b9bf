// Package goldentest holds what is made of pages against what is wanted.
//
// A golden file, testdata/*.txtar, says in its comment what it is about, and
// holds pages, NAME.html, each with what is wanted of it behind it, NAME.md and
// the like. A line "url: ADDRESS" in the comment is the address of its pages.
// With the flag -update the files are rewritten.
package goldentest

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

var update = flag.Bool("update", false, "rewrite what the golden files want")

// Output is what is made of a page, and the ending of the file that wants it:
// ".md".
type Output struct{ Suffix, Text string }

// Run runs a test for each golden file. The address of the pages is nil where
// the file names none.
func Run(t *testing.T, of func(t *testing.T, page string, at *url.URL) []Output) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { run(t, file, of) })
	}
}

func run(t *testing.T, file string, of func(*testing.T, string, *url.URL) []Output) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wants := map[string]string{}
	for _, f := range archive.Files {
		wants[f.Name] = string(f.Data)
	}
	at := address(t, string(archive.Comment))
	var out []txtar.File
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".html")
		if !ok {
			continue
		}
		out = append(out, f)
		for _, got := range of(t, string(f.Data), at) {
			out = append(out, txtar.File{Name: name + got.Suffix, Data: []byte(got.Text)})
			if diff := cmp.Diff(wants[name+got.Suffix], got.Text); diff != "" && !*update {
				t.Errorf("%s%s (-want +got):\n%s", name, got.Suffix, diff)
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

func address(t *testing.T, comment string) *url.URL {
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
