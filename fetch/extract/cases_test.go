package extract

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestShapeOfPagesAsSitesMakeThem shapes pages with the markup of real sites:
// what their editors and templates do to it. Every page of a file says the same
// and is shaped by each of its schemas; a page that says less has a golden
// answer of its own, NAME.json@PAGE.
func TestShapeOfPagesAsSitesMakeThem(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { shapeCases(t, archive) })
	}
}

func shapeCases(t *testing.T, archive *txtar.Archive) {
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	for _, page := range archive.Files {
		form, isPage := strings.CutSuffix(page.Name, ".html")
		for _, f := range archive.Files {
			kind, isSchema := strings.CutSuffix(f.Name, ".schema")
			if !isPage || !isSchema {
				continue
			}
			t.Run(kind+"/"+form, func(t *testing.T) {
				want, own := parts[kind+".json@"+form]
				if !own {
					want = parts[kind+".json"]
				}
				got := asGolden(shaped(t, string(page.Data), string(f.Data), ShapeOptions{}))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}
