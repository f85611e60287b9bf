package extract

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/read"
	"github.com/drover-go/drover/internal/corpora"
	"github.com/drover-go/drover/internal/mention"
)

// A declaredList is a kind of lists that pages declare for machines and show to people.
type declaredList struct {
	schema     string
	of         string // the type of the list
	field, key string // where its items are, and the member of an item that is compared
	names      []string
	baseline   float64
}

var declaredLists = map[string]declaredList{
	"questions": {`{"type":"object","properties":{"faq":{"type":"array","items":{"type":"object","required":["question","answer"],"properties":{"question":{"type":"string"},"answer":{"type":"string"}}}}}}`,
		"FAQPage", "mainEntity", "question", []string{"name"}, 0.72},
	"breadcrumbs": {`{"type":"object","properties":{"breadcrumbs":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"url":{"type":"string"}}}}}}`,
		"BreadcrumbList", "itemListElement", "name", []string{"name"}, 0.735},
}

// TestQualityUndeclaredLists takes lists that pages declare as the gold answer for the same
// pages without them. What a page shows beyond its declaration counts as wrong.
func TestQualityUndeclaredLists(t *testing.T) {
	corpora.Measure(t)
	for name, l := range declaredLists {
		s, byHost := mustCompile(t, l.schema), map[string]*score{}
		for _, p := range append(corpora.Pages(t, "main-content"), corpora.Pages(t, "recipes")...) {
			src := p.HTML(t)
			want := l.declaredOn(t, src)
			if len(want) < 2 {
				continue
			}
			doc := parse(t, src)
			undeclareThings(doc)
			r, err := Shape(context.Background(), doc, pageURL, s, ShapeOptions{})
			if err != nil {
				t.Fatal(p.ID, err)
			}
			var got map[string][]map[string]any
			if err := json.Unmarshal(r.Content, &got); err != nil {
				t.Fatal(p.ID, err)
			}
			sc := &score{missed: len(want)}
			byHost[p.ID] = sc
			for _, items := range got {
				for _, item := range items {
					text, _ := item[l.key].(string)
					if key := mention.Key(text); want[key] {
						delete(want, key)
						sc.right++
						sc.missed--
					} else {
						sc.wrong++
						corpora.Detail(t, "%s %s: not declared: %.90q", p.ID, name, text)
					}
				}
			}
			for key := range want {
				corpora.Detail(t, "%s %s: missed: %.90q", p.ID, name, key)
			}
		}
		all := sumOf(byHost)
		low, high := spreadOf(byHost)
		t.Logf("%-12s F1 %.3f (%.3f to %.3f), precision %.3f, recall %.3f, of %d items of %d pages", name, all.f1(), low, high,
			float64(all.right)/float64(max(all.right+all.wrong, 1)), float64(all.right)/float64(max(all.right+all.missed, 1)), all.right+all.missed, len(byHost))
		if all.f1() < l.baseline {
			t.Errorf("%s: F1 is %.3f, the baseline is %.3f", name, all.f1(), l.baseline)
		}
	}
}

// declaredOn returns the items of the first such list of a page that are to be seen on it.
func (l declaredList) declaredOn(t *testing.T, src string) map[string]bool {
	t.Helper()
	want := map[string]bool{}
	doc := parse(t, src)
	pg, err := Open(context.Background(), doc, pageURL, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var f read.Forms
	if err := pg.page.Meter.Run(func() error { f = read.FormsOf(pg.page); return nil }); err != nil {
		t.Fatal(err)
	}
	undeclareThings(doc)
	shown := mention.Key(seenText(doc))
	list := firstOf(append(f.JSONLD, f.Microdata...), l.of)
	for _, v := range list.Get(l.field) {
		e := v.Entity
		if item := e.Get("item"); e != nil && len(e.Get("name")) == 0 && len(item) > 0 && item[0].Entity != nil {
			e = item[0].Entity
		}
		for _, n := range l.names {
			for _, text := range e.Get(n) {
				if key := mention.Key(text.Text); text.Kind == graph.Text && key != "" && strings.Contains(shown, key) {
					want[key] = true
				}
			}
		}
	}
	return want
}

// TestOnlyTrailsAreBreadcrumbs has pages on which much is called after breadcrumbs, and little
// is a trail.
func TestOnlyTrailsAreBreadcrumbs(t *testing.T) {
	const (
		menu  = `<nav><ul><li><a href=/a>Lamps</a><li><a href=/b>Kettles</a><li><a href=/c>Stools</a></ul></nav>`
		trail = `<div class=breadcrumbs><span class=sr-only>Breadcrumb</span> You are here: <a href=/>Home</a> / <a href=/lamps>Lamps</a> / <span>Desk lamp</span></div>`
		want  = `{"breadcrumbs":[{"name":"Home","url":"https://example.com/"},{"name":"Lamps","url":"https://example.com/lamps"},{"name":"Desk lamp"}]}`
	)
	for name, c := range map[string]struct{ page, want string }{
		"none":           {"<body>" + menu + "<h1>Desk lamp</h1><p>It is bright.</p>", `{}`},
		"a hidden one":   {`<body class="page site-breadcrumbs-hidden">` + menu + "<h1>Desk lamp</h1><p>It is bright.</p>", `{}`},
		"one":            {`<body class="page has-breadcrumbs">` + menu + trail + "<h1>Desk lamp</h1>", want},
		"the same twice": {"<body>" + menu + trail + "<h1>Desk lamp</h1>" + trail, want},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(shaped(t, c.page, declaredLists["breadcrumbs"].schema, ShapeOptions{}).Content); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
