package quality

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/url"
	"strings"
	"testing"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	mdtable "github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/maincontent"
	"github.com/drover-go/drover/internal/corpora"
)

// A page is one of the main-content corpus with its answer.
type page struct {
	id, kind, text, gold string
	url                  *url.URL
}

var kinds = []string{"article", "service", "listing", "forum", "product", "documentation", "collection"}

func mainContentPages(t testing.TB) []page {
	t.Helper()
	var pages []page
	for _, c := range corpora.Pages(t, "main-content") {
		p := readAnswer(t, c.ID)
		p.id, p.text = c.ID, c.HTML(t)
		pages = append(pages, p)
	}
	return pages
}

func readAnswer(t testing.TB, id string) (p page) {
	t.Helper()
	var answer struct {
		URL      string `json:"url"`
		Internal struct {
			Type struct {
				Primary string `json:"primary"`
			} `json:"page_type"`
		} `json:"_internal"`
		Truth struct {
			Main string `json:"main_content"`
		} `json:"ground_truth"`
	}
	err := json.Unmarshal(corpora.File(t, "main-content/ground-truth/"+id+".json"), &answer)
	if err == nil {
		p.url, err = url.Parse(answer.URL)
	}
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	p.kind, p.gold = answer.Internal.Type.Primary, answer.Truth.Main
	if p.kind == "category" {
		p.kind = "collection"
	}
	return p
}

// half parts the pages in two, by their hosts.
func (p page) half() string {
	h := fnv.New32a()
	host := strings.TrimPrefix(strings.ToLower(p.url.Hostname()), "www.")
	h.Write([]byte(cmp.Or(host, p.id)))
	return fmt.Sprintf("half %d", h.Sum32()>>3%2)
}

// An extractor returns the main content of a page as text.
type extractor struct {
	name string
	text func(p page) (string, error)
}

var extractors = []extractor{
	{"drover", ours},
	{"go-trafilatura", trafilaturas},
	{"html-to-markdown", markdowns},
	{"text of the body", bodies},
}

func ours(p page) (string, error) {
	doc, err := html.Parse(strings.NewReader(p.text))
	if err != nil {
		return "", err
	}
	r, err := maincontent.Find(ctx, doc, maincontent.Options{PageURL: p.url})
	if err != nil {
		return "", err
	}
	return r.Text(), nil
}

func trafilaturas(p page) (string, error) {
	r, err := trafilatura.Extract(strings.NewReader(p.text), trafilaturaOptions(p))
	if err != nil {
		return "", nil // it found nothing, which is a score
	}
	return r.ContentText, nil
}

// trafilaturaOptions are those with which it does best on these pages.
func trafilaturaOptions(p page) trafilatura.Options {
	return trafilatura.Options{OriginalURL: p.url, EnableFallback: true, Focus: trafilatura.FavorRecall}
}

func markdowns(p page) (string, error) {
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), mdtable.NewTablePlugin()))
	md, err := c.ConvertString(p.text)
	return links.ReplaceAllString(md, "]"), err
}

func bodies(p page) (string, error) {
	doc, err := html.Parse(strings.NewReader(p.text))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && !hasNoText[n.Parent.Data] {
			b.WriteString(n.Data + " ")
		}
	}
	return b.String(), nil
}

// TestMainContent prints the mean word F1 by type of page.
func TestMainContent(t *testing.T) {
	pages := mainContentPages(t)
	scores := newTable(fmt.Sprintf("Main content, word F1 on %d pages", len(pages)), append([]string{"all"}, kinds...)...)
	halves := newTable("The same by half", "half 0", "half 1")
	for _, e := range extractors {
		for i, v := range scoresOf(t, e, pages) {
			scores.add(e.name, "all", v)
			scores.add(e.name, pages[i].kind, v)
			halves.add(e.name, pages[i].half(), v)
		}
	}
	scores.print(t)
	halves.print(t)
	held(t, "main content", scores.row("drover"))
}

func scoresOf(t *testing.T, e extractor, pages []page) []float64 {
	t.Helper()
	scores := make([]float64, len(pages))
	inParallel(len(pages), func(i int) {
		text, err := e.text(pages[i])
		if err != nil {
			t.Errorf("%s on %s: %v", e.name, pages[i].id, err)
		}
		scores[i] = wordF1(text, pages[i].gold)
	})
	return scores
}
