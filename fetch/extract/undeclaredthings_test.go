package extract

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/corpora"
	"github.com/drover-go/drover/internal/mention"
)

// A declaredThing is the thing that a page says for machines that it is about, with
// those of its members that are also to be seen.
type declaredThing struct {
	id, host, src string
	at            *url.URL
	kind          string
	want          map[string]string
}

// wantUndeclaredThings are the marks that are kept, F1 of all that is asked for and of some of
// it. Descriptions and categories are often said for people in other words.
var wantUndeclaredThings = map[string]float64{"all": 0.71, "headline": 0.92, "name": 0.775, "author": 0.80, "datePublished": 0.90, "dateModified": 0.72, "publisher": 0.665}

// TestQualityUndeclaredThings takes what pages of any kind declare of what they are
// about as the gold answer for the same pages without it. Nobody has written these
// pairs of a schema and a page by hand.
func TestQualityUndeclaredThings(t *testing.T) {
	corpora.Measure(t)
	byName := map[string]map[string]*score{}
	for _, set := range []string{"main-content", "recipes", "products"} {
		for _, p := range corpora.Pages(t, set) {
			d, ok := declaredThingOf(t, p)
			if !ok {
				continue
			}
			got := undeclaredThing(t, d)
			for name, want := range d.want {
				for _, of := range []string{name, d.kind + " " + name, "all"} {
					if byName[of] == nil {
						byName[of] = map[string]*score{}
					}
					s := byName[of][d.host]
					if s == nil {
						s = &score{}
						byName[of][d.host] = s
					}
					switch {
					case sameAs(got[name], want):
						s.right++
					case got[name] == nil:
						s.missed++
					default:
						s.missed++
						s.wrong++
					}
				}
				if !sameAs(got[name], want) {
					corpora.Detail(t, "%s %s %s: got %.80q, want %.80q", d.id, d.kind, name, got[name], want)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all := sumOf(byName[name])
		if n := all.right + all.missed; n >= 15 {
			low, high := spreadOf(byName[name])
			t.Logf("%-34s F1 %.3f (%.3f to %.3f), precision %.3f, recall %.3f, of %d values of %d hosts", name, all.f1(), low, high,
				float64(all.right)/float64(max(all.right+all.wrong, 1)), float64(all.right)/float64(n), n, len(byName[name]))
		}
		if all.f1() < wantUndeclaredThings[name] {
			t.Errorf("%s: F1 is %.3f, the baseline is %.3f", name, all.f1(), wantUndeclaredThings[name])
		}
	}
}

func declaredThingOf(t *testing.T, p corpora.Page) (d declaredThing, ok bool) {
	t.Helper()
	d = declaredThing{id: p.ID, src: p.HTML(t), at: &url.URL{Scheme: "https", Host: "example.com", Path: "/"}, want: map[string]string{}}
	d.host = p.ID
	doc := parse(t, d.src)
	pg, err := Open(context.Background(), doc, d.at, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var main *graph.Entity
	if err := pg.page.Meter.Run(func() error { main = newBelief(pg.page).places["main"]; return nil }); err != nil {
		t.Fatal(err)
	}
	if main == nil || len(main.Types) == 0 {
		return d, false
	}
	d.kind = main.Types[0]
	undeclareThings(doc)
	shown := seenText(doc)
	keys, days := mention.Key(shown), daysIn(doc, shown)
	for _, f := range main.Fields {
		v := f.Values[0]
		if v.Entity != nil && slices.Contains([]string{"author", "brand", "publisher", "hiringOrganization"}, f.Name) {
			if name := v.Entity.Get("name"); len(name) > 0 {
				v = name[0]
			}
		}
		if len(f.Values) > 1 || v.Entity != nil || v.Kind == graph.URL || strings.HasPrefix(f.Name, "@") {
			continue
		}
		text := strings.TrimSpace(v.Text)
		key := mention.Key(text)
		at, isDate := mention.ParseMoment(text, "")
		switch {
		case strings.HasPrefix(f.Name, "date") && isDate:
			if days[at.Date] {
				d.want[f.Name] = at.Date
			}
		case len(key) < 3 || len(text) > 300 || strings.Contains(text, "://"):
		case strings.Contains(keys, key):
			d.want[f.Name] = text
		}
	}
	if d.want["dateModified"] == d.want["datePublished"] {
		delete(d.want, "dateModified") // people see one date
	}
	return d, len(d.want) > 0
}

// daysIn are the days that a page shows.
func daysIn(doc *html.Node, shown string) map[string]bool {
	days := map[string]bool{}
	for line := range strings.Lines(shown) {
		if line = strings.TrimSpace(line); len(line) > maxOpeningText {
			continue
		}
		for _, at := range []string{dateIn(line, ""), updateIn(line, "")} {
			if m, ok := mention.ParseMoment(at, ""); ok {
				days[m.Date] = true
			}
		}
	}
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "datetime" {
				if m, ok := mention.ParseMoment(a.Val, ""); ok {
					days[m.Date] = true
				}
			}
		}
	}
	return days
}

func undeclaredThing(t *testing.T, d declaredThing) (got map[string]any) {
	t.Helper()
	properties := map[string]any{}
	for name := range d.want {
		properties[name] = map[string]any{"type": "string"}
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "title": d.kind, "properties": properties})
	if err != nil {
		t.Fatal(err)
	}
	doc := parse(t, d.src)
	undeclareThings(doc)
	r, err := Shape(context.Background(), doc, d.at, mustCompile(t, string(raw)), ShapeOptions{})
	if err != nil {
		t.Fatalf("%s: %v", d.id, err)
	}
	if err := json.Unmarshal(r.Content, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// sameAs reports whether a value says what is wanted, or holds it as a whole.
func sameAs(got any, want string) bool {
	text, _ := got.(string)
	a, b := mention.Key(text), mention.Key(want)
	if at, ok := mention.ParseMoment(text, ""); ok && len(want) == len("2006-01-02") && at.Date == want {
		return true
	}
	return a != "" && (a == b || len(b) > 8 && len(a) < 2*len(b) && strings.Contains(a, b))
}

// undeclareThings takes away what a page declares of things, and leaves what it says
// of itself in meta elements.
func undeclareThings(doc *html.Node) {
	for n := range doc.Descendants() {
		for i := range n.Attr {
			if n.DataAtom == atom.Meta && n.Attr[i].Key == "property" {
				n.Attr[i].Key = "name"
			}
		}
	}
	undeclare(doc)
}
