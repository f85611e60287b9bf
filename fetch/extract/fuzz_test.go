package extract

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/schema"
)

// FuzzShape takes any page and any schema from the text to the JSON: that is
// valid or says what it lacks, holds no number beyond the guard, and is the same
// twice. What is refused is refused with a reason.
func FuzzShape(f *testing.F) {
	for _, pattern := range []string{"testdata/cases/*.txtar", "testdata/shape/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal(files, err)
		}
		for _, file := range files {
			addSeeds(f, file)
		}
	}
	f.Add(`<table><tr><th>a<td>1e999<tr><th>b<td>`, `{"required":["a"],"properties":{"a":{"type":"number"},"b":{"$ref":"#"}}}`)
	f.Add(`<dl><dt>x<dd>2024-13-40`, `{"properties":{"x":{"type":"string","format":"date-time","pattern":"^(a+)+$"}},"minProperties":1}`)
	at := &url.URL{Scheme: "https", Host: "example.com", Path: "/page"}
	f.Fuzz(func(t *testing.T, page, schemaText string) {
		if len(page)+len(schemaText) > 1<<16 {
			return
		}
		s, err := Compile([]byte(schemaText), CompileOptions{})
		if err != nil {
			return
		}
		once, again := shapeAny(t, page, s, at), shapeAny(t, page, s, at)
		if once == nil {
			return
		}
		if again == nil || string(once.Content) != string(again.Content) {
			t.Errorf("another time it is not %s", once.Content)
		}
		if _, err := s.compiled.ValidateJSON(once.Content); err != nil && len(once.Unsatisfied) == 0 {
			t.Errorf("%s: %v", once.Content, err)
		}
		if _, err := schema.Compile(json.RawMessage(once.Content), schema.Options{}); err != nil && strings.Contains(err.Error(), "is a number that") {
			t.Errorf("a number beyond the guard: %s", once.Content)
		}
	})
}

func addSeeds(f *testing.F, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		f.Fatal(err)
	}
	for _, page := range archive.Files {
		for _, s := range archive.Files {
			if strings.HasSuffix(page.Name, ".html") && strings.HasSuffix(s.Name, ".schema") {
				f.Add(string(page.Data), string(s.Data))
			}
		}
	}
}

// shapeAny returns nil for what is refused.
func shapeAny(t *testing.T, page string, s *Schema, at *url.URL) *Result {
	t.Helper()
	doc, err := tree.Parse(context.Background(), strings.ToValidUTF8(page, "\uFFFD"), tree.Options{})
	if err != nil {
		return nil
	}
	r, err := Shape(context.Background(), doc, at, s, ShapeOptions{MaxWork: 200_000, Explain: true})
	if err != nil {
		if !errtypes.Is(err, errtypes.Invalid) && !errtypes.Is(err, errtypes.BadGateway) {
			t.Fatal(err)
		}
		return nil
	}
	return r
}
