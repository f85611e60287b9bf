package fetch_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/fetch/internal/mdtest"
	"github.com/drover-go/drover/fetch/markdown"
	"github.com/drover-go/drover/internal/corpora"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/internal/testlevel"
)

// anySchema asks for something that most pages have, and for much that they
// have not.
const anySchema = `{"type":"object","required":["title","price"],"properties":{
	"title":{"type":"string"},"price":{"type":"number"},"published":{"type":"string","format":"date-time"},"image":{"type":"string","format":"uri"},
	"description":{"type":"string"},"links":{"type":"array","items":{"type":"string","format":"uri"}},
	"items":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"url":{"type":"string","format":"uri"},"price":{"type":"number"}}}}}}`

// TestInvariantsOnCorpora takes every tenth page, where quality is measured all:
// what must be true of any page, gold or not. The pages come from a server.
func TestInvariantsOnCorpora(t *testing.T) {
	compiled, err := schema.Compile([]byte(anySchema), schema.Options{Field: "schema"})
	if err != nil {
		t.Fatal(err)
	}
	c := checker{s: open(t, fetch.Config{MaxBody: 64 << 20}), schema: compiled}
	for _, set := range []string{"main-content", "products"} {
		for _, p := range corpora.Sample(t, set, testlevel.Of(40, 10)) {
			t.Run(set+"/"+p.ID, func(t *testing.T) { c.check(t, p.HTML(t)) })
		}
	}
	for i, page := range corpora.SchemaOrg(t, testlevel.Of(40, 10)) {
		t.Run("schemaorg/"+strconv.Itoa(i), func(t *testing.T) { c.check(t, page) })
	}
}

// A checker fetches pages in every form.
type checker struct {
	s      fetch.Service
	schema *schema.Schema
}

func (c checker) check(t *testing.T, html string) {
	at := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, html)
	})
	seen := sightOf(t, html)
	raw := get(t, c.s, at, fetch.Options{})
	if raw.Content != html {
		t.Error("the raw page is another than was served")
	}
	whole := c.markdown(t, at, raw)
	main := twice(t, c.s, at, fetch.Options{Format: fetch.Markdown, OnlyMainContent: true})
	for form, text := range map[string]string{"markdown": whole, "main content": main} {
		seen.check(t, form, text)
		for _, fault := range mdtest.Faults(text) {
			t.Errorf("%s: %s", form, fault)
		}
	}
	if words(whole) >= aPageOfWords && words(main) == 0 {
		t.Errorf("of %d words none is left", words(whole))
	}
	c.json(t, at, seen)
}

// markdown holds that the markdown of the raw page is that of the page.
func (c checker) markdown(t *testing.T, at string, raw *fetch.Answer) string {
	t.Helper()
	got := twice(t, c.s, at, fetch.Options{Format: fetch.Markdown})
	u, err := url.Parse(raw.URL)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := markdown.FromString(t.Context(), raw.Content, markdown.Options{PageURL: u}); err != nil || got != want {
		t.Errorf("markdown of the raw page is not the markdown of the page: %v", err)
	}
	return got
}

// json holds the content against the schema: only what is required may be
// missing, and is named.
func (c checker) json(t *testing.T, at string, seen sight) {
	t.Helper()
	o := fetch.Options{Format: fetch.JSON, Schema: json.RawMessage(anySchema)}
	content := twice(t, c.s, at, o)
	unsatisfied := get(t, c.s, at, o).Unsatisfied
	checkMissing(t, c.schema, content, unsatisfied)
	if seen.title && slices.Contains(unsatisfied, "/title") {
		t.Errorf("a page with a title has none: %s", content)
	}
	var v any
	if err := json.Unmarshal([]byte(content), &v); err != nil {
		t.Fatal(err)
	}
	seen.checkValue(t, "", v)
}

func checkMissing(t *testing.T, compiled *schema.Schema, content string, unsatisfied []string) {
	t.Helper()
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

// aPageOfWords is how many words a page has that has something to say.
const aPageOfWords = 50

func words(s string) int { return len(strings.FieldsFunc(s, isNoLetter)) }
