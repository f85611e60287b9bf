package extract

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/corpora"
)

// The shares of the pages of the main-content corpus of which the metadata is
// the gold answer, below which TestQualityMetadata fails.
const (
	wantTitles  = 0.89
	wantAuthors = 0.805
	wantDates   = 0.74
	wantNoDate  = 0.89
)

// gold is what a page of the corpus is said to be.
type gold struct {
	Truth struct {
		Title  string `json:"title"`
		Author string `json:"author"`
		Date   string `json:"publish_date"`
	} `json:"ground_truth"`
	Internal struct {
		Kind struct {
			Primary string `json:"primary"`
		} `json:"page_type"`
	} `json:"_internal"`
}

// TestQualityMetadata compares words: a title is right that has those of the
// gold title or holds them, for pages differ in whether the name of the site
// is a part of it; an author, where one of those given is in the gold answer or
// holds it.
func TestQualityMetadata(t *testing.T) {
	corpora.Measure(t)
	var title, author, date, noDate share
	for _, p := range corpora.Pages(t, "main-content") {
		id, m, g := p.ID, metadataOfPage(t, p.HTML(t)), goldOf(t, p.ID)
		title.count(t, id, "title", overlaps(m.Title, g.Truth.Title), m.Title, g.Truth.Title)
		if g.Truth.Author != "" {
			right := false
			for _, name := range m.Authors {
				right = right || overlaps(name, g.Truth.Author)
			}
			author.count(t, id, "author", right, strings.Join(m.Authors, ", "), g.Truth.Author)
		}
		if g.Truth.Date != "" {
			date.count(t, id, "date", strings.HasPrefix(m.Published, g.Truth.Date[:min(10, len(g.Truth.Date))]), m.Published, g.Truth.Date)
		} else {
			noDate.count(t, id, "no date", m.Published == "", m.Published, "")
		}
	}
	title.atLeast(t, "titles", wantTitles)
	author.atLeast(t, "authors", wantAuthors)
	date.atLeast(t, "dates", wantDates)
	noDate.atLeast(t, "pages without a date", wantNoDate)
}

type share struct{ right, all int }

func (s *share) count(t *testing.T, id, what string, right bool, got, want string) {
	s.all++
	if right {
		s.right++
		return
	}
	corpora.Detail(t, "%s %s: got %q, want %q", id, what, got, want)
}

func (s *share) atLeast(t *testing.T, what string, want float64) {
	got := float64(s.right) / float64(max(s.all, 1))
	t.Logf("%s: %d of %d, %.3f", what, s.right, s.all, got)
	if got < want {
		t.Errorf("%s: %.3f, the baseline is %.3f", what, got, want)
	}
}

func overlaps(a, b string) bool {
	a, b = letters(a), letters(b)
	return a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
}

// letters returns the letters and digits of s in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 0x2FFF || r >= 0xC0 && r < 0x2000 {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

func metadataOfPage(t *testing.T, src string) *Metadata {
	t.Helper()
	doc, err := tree.Parse(context.Background(), src, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := MetadataOf(context.Background(), doc, &url.URL{Scheme: "https", Host: "example.com", Path: "/"}, MetadataOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func goldOf(t *testing.T, id string) (g gold) {
	t.Helper()
	if err := json.Unmarshal(corpora.File(t, "main-content/ground-truth/"+id+".json"), &g); err != nil {
		t.Fatal(err)
	}
	return g
}
