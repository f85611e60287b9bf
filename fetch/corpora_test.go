package fetch_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/fetch/markdown"
	"github.com/drover-go/drover/internal/corpora"
	"github.com/drover-go/drover/internal/schema"
)

// anySchema asks for something that most pages have, and for much that they
// have not.
const anySchema = `{"type":"object","required":["title","price"],"properties":{
	"title":{"type":"string"},"price":{"type":"number"},"published":{"type":"string","format":"date-time"},"image":{"type":"string","format":"uri"},
	"items":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"url":{"type":"string","format":"uri"},"price":{"type":"number"}}}}}}`

// TestInvariantsOnCorpora takes every tenth page, where quality is measured all:
// what must be true of any page, gold or not.
func TestInvariantsOnCorpora(t *testing.T) {
	compiled, err := schema.Compile([]byte(anySchema), schema.Options{Field: "schema"})
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, fetch.Config{MaxBody: 64 << 20})
	for _, set := range []string{"main-content", "products"} {
		for _, p := range corpora.Sample(t, set, 10) {
			t.Run(set+"/"+p.ID, func(t *testing.T) {
				html := p.HTML(t)
				at := serve(t, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/html; charset=utf-8")
					io.WriteString(w, html)
				})
				checkMarkdown(t, s, at)
				checkMainContent(t, s, at)
				checkJSON(t, s, at, compiled)
			})
		}
	}
}

func checkMarkdown(t *testing.T, s fetch.Service, at string) {
	t.Helper()
	raw := get(t, s, at, fetch.Options{})
	got := twice(t, s, at, fetch.Options{Format: fetch.Markdown})
	u, err := url.Parse(raw.URL)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := markdown.FromString(t.Context(), raw.Content, markdown.Options{PageURL: u}); err != nil || got != want {
		t.Errorf("markdown of the raw page is not the markdown of the page: %v", err)
	}
}

// aPageOfWords is how many words a page has that has something to say.
const aPageOfWords = 50

func checkMainContent(t *testing.T, s fetch.Service, at string) {
	t.Helper()
	whole := get(t, s, at, fetch.Options{Format: fetch.Markdown}).Content
	main := twice(t, s, at, fetch.Options{Format: fetch.Markdown, OnlyMainContent: true})
	if words(whole) >= aPageOfWords && words(main) == 0 {
		t.Errorf("of %d words none is left", words(whole))
	}
	if strings.Count(main, "\n```")%2 != 0 && !strings.Contains(main, "````") && !strings.HasPrefix(main, "```") {
		t.Error("the fences of code are not balanced")
	}
	for _, relative := range []string{"](/", "](./", "](../", "](#", "](javascript:"} {
		if strings.Contains(main, relative) && !strings.Contains(whole, relative) {
			t.Errorf("an address that leads nowhere: %s", relative)
		}
	}
}

func words(s string) int {
	return len(strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) }))
}

// checkJSON holds the content against the schema: only what is required may be
// missing, and is named.
func checkJSON(t *testing.T, s fetch.Service, at string, compiled *schema.Schema) {
	t.Helper()
	o := fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(anySchema)}
	content := twice(t, s, at, o)
	unsatisfied := get(t, s, at, o).Unsatisfied
	_, err := compiled.ValidateJSON([]byte(content))
	mismatch, ok := errors.AsType[*schema.Mismatch](err)
	switch {
	case err == nil && len(unsatisfied) > 0:
		t.Errorf("valid, but unsatisfied: %q: %s", unsatisfied, content)
	case err == nil:
	case !ok:
		t.Error(err)
	default:
		for _, v := range mismatch.Violations {
			for _, name := range v.Missing {
				if at := v.Instance + "/" + name; !slices.Contains(unsatisfied, at) {
					t.Errorf("%s is missing and not named: %q", at, unsatisfied)
				}
			}
			if len(v.Missing) == 0 {
				t.Errorf("%s: %s", v.Instance, v.Message)
			}
		}
	}
}

// twice returns a content that is the same each time.
func twice(t *testing.T, s fetch.Service, at string, o fetch.Options) string {
	t.Helper()
	a, b := get(t, s, at, o).Content, get(t, s, at, o).Content
	if a != b {
		t.Errorf("%s: the second answer differs from the first", o.Format)
	}
	return a
}
