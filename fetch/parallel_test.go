package fetch_test

import (
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/maincontent"
	"github.com/drover-go/drover/fetch/markdown"
	"github.com/drover-go/drover/internal/testlevel"
)

// The packages that read pages are pure: they are tested here for what many
// goroutines at once do with what they lend each other.
func TestPagesAreReadInParallel(t *testing.T) {
	base, _ := url.Parse("https://site.example/wiki/")
	pages := []string{
		"<h1>A list</h1>" + strings.Repeat("<h2>A part</h2><p>Some <b>words</b> and <a href=x>a link</a>.</p><ul><li>one<li>two</ul>", 150),
		strings.Repeat("<table><tr><th>a<th>b<tr><td>1<td><code>x|y</code></table><pre>text\n</pre>", 150),
		"<ul><li>a", strings.Repeat(`<a href="é b/../c">x</a>`, 50),
	}
	read := func(page string) string {
		md, err := markdown.FromString(t.Context(), page, markdown.Options{PageURL: base})
		if err != nil {
			t.Error(err)
		}
		doc, err := tree.Parse(t.Context(), page, tree.Options{})
		if err != nil {
			t.Error(err)
		}
		main, err := maincontent.Find(t.Context(), doc, maincontent.Options{})
		if err != nil {
			t.Error(err)
		}
		return md + "\n----\n" + main.Text()
	}
	var wants []string
	for _, p := range pages {
		wants = append(wants, read(p))
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range testlevel.Of(5, 20) {
				if k := (i + j) % len(pages); read(pages[k]) != wants[k] {
					t.Errorf("page %d differs", k)
				}
			}
		})
	}
	wg.Wait()
}
