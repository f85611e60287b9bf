package extract

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/corpora"
	"github.com/drover-go/drover/internal/schema"
)

// anyPage asks for what many kinds of pages have.
const anyPage = `{"type":"object","required":["title","price"],"properties":{"title":{"type":"string"},"author":{"type":"string"},"publishedAt":{"type":"string","format":"date"},
	"description":{"type":"string","maxLength":2000},"image":{"type":"string","format":"uri"},"price":{"type":"number","minimum":0},"rating":{"type":"object","properties":{"value":{"type":"number"},"count":{"type":"integer"}},"required":["value"]},
	"breadcrumbs":{"type":"array","items":{"type":"string"}},"products":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"},"url":{"type":"string","format":"uri"}},"required":["name","price"]}},
	"comments":{"type":"array","items":{"type":"object","properties":{"author":{"type":"string"},"text":{"type":"string"}}}}}}`

// TestInvariantsOnCorpora takes every eighth page, where quality is measured all.
// It holds on any page, with no gold: the content is
// valid or what is not is said, no address in it is relative, and the same page
// gives the same bytes.
func TestInvariantsOnCorpora(t *testing.T) {
	s := mustCompile(t, anyPage)
	strict, err := schema.Compile([]byte(anyPage), schema.Options{AssertFormat: true})
	if err != nil {
		t.Fatal(err)
	}
	at, _ := url.Parse("https://site.example/page")
	for _, p := range append(corpora.Sample(t, "main-content", 8), corpora.Sample(t, "products", 8)...) {
		f, page := p.ID, p.HTML(t)
		r, err := Shape(context.Background(), parse(t, page), at, s, ShapeOptions{})
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		_, err = strict.ValidateJSON(r.Content)
		if (err == nil) != (len(r.Unsatisfied) == 0) {
			t.Errorf("%s: unsatisfied %q, and %s", f, r.Unsatisfied, errtypes.Public(err).Message)
		}
		var got struct{ Image string }
		if err := json.Unmarshal(r.Content, &got); err != nil || got.Image != "" && !strings.Contains(got.Image, "://") {
			t.Errorf("%s: image %q, %v", f, got.Image, err)
		}
		again, err := Shape(context.Background(), parse(t, page), at, s, ShapeOptions{})
		if err != nil || string(again.Content) != string(r.Content) {
			t.Errorf("%s: another time\n%s\n%s", f, again.Content, r.Content)
		}
	}
}
