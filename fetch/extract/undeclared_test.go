package extract

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/internal/corpora"
	"github.com/drover-go/drover/internal/mention"
)

// A declaring is a page that declares an offer, with what of it is to be seen.
type declaring struct {
	id, host, src string
	at            *url.URL
	want          map[string][]any
}

// declaringPages are the product pages of the main-content corpus that declare
// the offer of one product. A price or a number that nobody can see is not asked
// for.
func declaringPages(t *testing.T) (all []declaring) {
	t.Helper()
	for _, p := range corpora.Pages(t, "main-content") {
		var answer struct {
			URL string `json:"url"`
		}
		g := goldOf(t, p.ID)
		if err := json.Unmarshal(corpora.File(t, "main-content/ground-truth/"+p.ID+".json"), &answer); err != nil {
			t.Fatal(err)
		}
		if g.Internal.Kind.Primary != "product" {
			continue
		}
		at, err := url.Parse(answer.URL)
		if err != nil {
			t.Fatal(err)
		}
		src := p.HTML(t)
		doc := parse(t, src)
		o, ok, err := offerOf(context.Background(), doc, at)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		d := declaring{p.ID, strings.TrimPrefix(at.Hostname(), "www."), src, at, map[string][]any{}}
		shown := seenText(doc)
		if showsNumber(shown, o.Price) {
			d.want["price"] = []any{o.Price}
		}
		if o.SKU != "" && slices.Contains(strings.FieldsFunc(shown, func(c rune) bool { return strings.ContainsRune(" \n\t:()#,|", c) }), o.SKU) {
			d.want["sku"] = []any{o.SKU}
		}
		if o.Availability != "" {
			d.want["availability"] = []any{o.Availability}
		}
		all = append(all, d)
	}
	return all
}

// seenText is the text of a page that is not in scripts.
func seenText(doc *html.Node) string {
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && n.Parent != nil && !slices.Contains([]string{"script", "style", "noscript", "template", "title"}, n.Parent.Data) {
			b.WriteString(n.Data)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// showsNumber reports whether a text has a number, however it is written.
func showsNumber(text, number string) bool {
	if number == "" {
		return false
	}
	for line := range strings.Lines(text) {
		for _, word := range append(strings.Fields(line), strings.TrimSpace(line)) {
			if n, ok := mention.Number(strings.Trim(word, "()*"), ""); len(word) < 60 && ok && textOf(number) == textOf(n) {
				return true
			}
		}
	}
	return false
}

// wantUndeclared are the marks that are kept, F1 of what the pages show without
// their declarations: of those that declare an offer, and of those with gold
// answers.
var wantUndeclared = map[string]map[string]float64{
	"declaring": {"price": 0.90, "sku": 0.77, "availability": 0.93},
	"gold":      {"price": 0.85, "sku": 0.93, "availability": 0.97},
}

// TestQualityProductsUndeclared takes what pages declare as the gold answer for
// the same pages without it, and prints F1 with its spread over hosts.
func TestQualityProductsUndeclared(t *testing.T) {
	corpora.Measure(t)
	for set, pages := range map[string][]declaring{"declaring": declaringPages(t), "gold": goldPages(t)} {
		scores := map[string]map[string]*score{"price": {}, "sku": {}, "availability": {}}
		scoreUndeclared(t, pages, scores)
		for name, byHost := range scores {
			all := sumOf(byHost)
			low, high := spreadOf(byHost)
			t.Logf("%-9s %-12s F1 %.3f (%.3f to %.3f), precision %.3f, recall %.3f, of %d pages of %d hosts", set, name, all.f1(), low, high,
				float64(all.right)/float64(max(all.right+all.wrong, 1)), float64(all.right)/float64(max(all.right+all.missed, 1)), all.right+all.missed, len(byHost))
			if all.f1() < wantUndeclared[set][name] {
				t.Errorf("%s %s: F1 is %.3f, the baseline is %.3f", set, name, all.f1(), wantUndeclared[set][name])
			}
		}
	}
}

func scoreUndeclared(t *testing.T, pages []declaring, scores map[string]map[string]*score) {
	t.Helper()
	s := mustCompile(t, productSchema)
	for _, d := range pages {
		doc := parse(t, d.src)
		undeclare(doc)
		r, err := Shape(context.Background(), doc, d.at, s, ShapeOptions{Explain: true})
		if err != nil {
			t.Fatalf("%s: %v", d.id, err)
		}
		var got map[string]any
		if err := json.Unmarshal(r.Content, &got); err != nil {
			t.Fatal(err)
		}
		for name, byHost := range scores {
			want := d.want[name]
			if len(want) == 0 {
				continue
			}
			if byHost[d.host] == nil {
				byHost[d.host] = &score{}
			}
			if !byHost[d.host].count(got[name], want) {
				corpora.Detail(t, "%s %s %s: got %v, want %v %v", d.id, d.host, name, got[name], want, r.Origins)
			}
		}
	}
}

func sumOf(byHost map[string]*score) (all score) {
	for _, s := range byHost {
		all.right, all.wrong, all.missed = all.right+s.right, all.wrong+s.wrong, all.missed+s.missed
	}
	return all
}

// spreadOf is where F1 lies for nine of ten draws of as many hosts.
func spreadOf(byHost map[string]*score) (low, high float64) {
	hosts := make([]string, 0, len(byHost))
	for h := range byHost {
		hosts = append(hosts, h)
	}
	slices.Sort(hosts)
	random := rand.New(rand.NewPCG(1, 1))
	all := make([]float64, 1000)
	for i := range all {
		var sum score
		for range hosts {
			s := byHost[hosts[random.IntN(len(hosts))]]
			sum.right, sum.wrong, sum.missed = sum.right+s.right, sum.wrong+s.wrong, sum.missed+s.missed
		}
		all[i] = sum.f1()
	}
	slices.Sort(all)
	return all[len(all)/20], all[len(all)-1-len(all)/20]
}

// goldPages are the pages with gold answers.
func goldPages(t *testing.T) (all []declaring) {
	t.Helper()
	var gold map[string]map[string]any
	if err := json.Unmarshal(corpora.File(t, "products/ground-truth.json"), &gold); err != nil {
		t.Fatal(err)
	}
	for _, p := range corpora.Pages(t, "products") {
		at := addressOf(t, gold[p.ID])
		d := declaring{p.ID[:8], strings.TrimPrefix(at.Hostname(), "www."), p.HTML(t), at, map[string][]any{}}
		for _, name := range []string{"price", "sku", "availability"} {
			d.want[name], _ = gold[p.ID][name].([]any)
		}
		all = append(all, d)
	}
	return all
}
