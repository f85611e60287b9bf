package extract

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/tools/txtar"

	"github.com/drover-go/drover/fetch/internal/tree"
)

func parse(t testing.TB, src string) *html.Node {
	t.Helper()
	doc, err := tree.Parse(context.Background(), src, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func mustCompile(t testing.TB, raw string) *Schema {
	t.Helper()
	s, err := Compile([]byte(raw), CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func shaped(t testing.TB, page, schemaText string, o ShapeOptions) *Result {
	t.Helper()
	at, _ := url.Parse("https://example.com/page")
	r, err := Shape(context.Background(), parse(t, page), at, mustCompile(t, schemaText), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// asGolden writes a result as the golden files have it.
func asGolden(r *Result) string {
	text := string(r.Content) + "\n"
	if len(r.Unsatisfied) > 0 {
		text += "unsatisfied: " + strings.Join(r.Unsatisfied, " ") + "\n"
	}
	return text
}

// forms are the ways to say a thing on a page.
var forms = []string{"jsonld", "microdata", "rdfa", "microformats", "state", "visible"}

// noForm are the forms that have no words for a thing, and why.
var noForm = map[string]string{
	"job/microformats":         "microformats2 has h-resume for who looks for work, and nothing for who offers it",
	"faq/microformats":         "microformats2 has no class for questions",
	"breadcrumbs/microformats": "microformats2 has no class for the path to a page",
}

// TestShapeOfEveryFormIsTheSame shapes pages that say one thing in JSON-LD, in
// Microdata, in RDFa, in microformats, in the state of scripts and only to the
// eye, by schemas with plain, described and foreign names. A golden file is for
// all forms, unless one has its own.
func TestShapeOfEveryFormIsTheSame(t *testing.T) {
	files, err := filepath.Glob("testdata/shape/*.txtar")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := map[string]string{}
		for _, f := range archive.Files {
			parts[f.Name] = string(f.Data)
		}
		thing := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, form := range forms {
			if why, none := noForm[thing+"/"+form]; none == (parts[form+".html"] != "") {
				t.Errorf("%s in %s: a page is there, or is missing: %s", thing, form, why)
			} else if none {
				t.Logf("%s in %s: none, for %s", thing, form, why)
				continue
			}
			for _, kind := range []string{"plain", "described", "foreign"} {
				t.Run(thing+"/"+kind+"/"+form, func(t *testing.T) {
					want, own := parts[kind+".json@"+form]
					if !own {
						want = parts[kind+".json"]
					}
					got := asGolden(shaped(t, parts[form+".html"], parts[kind+".schema"], ShapeOptions{}))
					if diff := cmp.Diff(want, got); diff != "" {
						t.Error(diff)
					}
				})
			}
		}
	}
}

// TestLabelOfAList says that a label has all items of the list behind it.
func TestLabelOfAList(t *testing.T) {
	const list = `<ul><li>1 egg<li>200 g flour<li>3 dl milk<li>butter<li>sugar<li>salt</ul>`
	const want = `{"ingredients":["1 egg","200 g flour","3 dl milk","butter","sugar","salt"]}`
	for name, src := range map[string]string{
		"a line with a colon":     `<p>Ingredients:</p>` + list,
		"a line in bold":          `<b>Ingredients</b>` + list,
		"a paragraph in bold":     `<p><strong>Ingredients:</strong></p>` + list,
		"a term":                  `<dl><dt>Ingredients<dd>` + list + `</dl>`,
		"a cell":                  `<table><tr><th>Ingredients<td>` + list + `<tr><th>Time<td>20 minutes<tr><th>Serves<td>4</table>`,
		"a heading with a number": `<h2>Ingredients for 4 people</h2>` + list,
		"in German":               `<h2>Zutaten für 4 Personen</h2>` + list,
	} {
		t.Run(name, func(t *testing.T) {
			r := shaped(t, `<body><h1>Pancakes</h1>`+src+`<p>Preparation: mix and fry.</p>`, `{"type":"object","properties":{"ingredients":{"type":"array","items":{"type":"string"}}}}`, ShapeOptions{})
			if got := string(r.Content); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
