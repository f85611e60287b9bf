package extract

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract/internal/read"
	"github.com/drover-go/drover/fetch/extract/internal/shape"
	"github.com/drover-go/drover/internal/testlevel"
)

// growing are pages of n pieces, in every form that is read, and within
// elements that nest as deep as the parser lets them.
var growing = map[string]func(n int) string{
	"cards": func(n int) string {
		return pieces(n, `<div class=card><h3><a href="/%[1]d">Thing %[1]d</a></h3><span class=price>€%[1]d.50</span></div>`)
	},
	"rows": func(n int) string {
		return "<table><tr><th>Name<th>Price" + pieces(n, "<tr><td>Thing %d<td>€5.50")
	},
	"terms": func(n int) string { return "<dl>" + pieces(n, "<dt>Name %d</dt><dd>value</dd>") },
	"comments": func(n int) string {
		return pieces(n, `<article class=comment><span class=author>Reader %d</span><p>Some words of a comment.</p></article>`)
	},
	"JSON-LD": func(n int) string {
		return `<script type="application/ld+json">[` + pieces(n, `{"@type":"Product","name":"Thing %d","offers":{"@type":"Offer","price":5}},`) + `{}]</script>`
	},
	"blocks of JSON-LD": func(n int) string {
		return pieces(n, `<script type="application/ld+json">{"@type":"Product","name":"Thing %d",}</script>`)
	},
	"Microdata": func(n int) string {
		return pieces(n, `<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Thing %d</b></div>`)
	},
	"references": func(n int) string {
		return pieces(n, `<div itemscope itemref="a%[1]d b"></div><p id=a%[1]d itemprop=name>Thing</p>`)
	},
	"RDFa": func(n int) string {
		return pieces(n, `<div vocab="https://schema.org/" typeof=Product><b property=name>Thing %d</b></div>`)
	},
	"state": func(n int) string {
		return `<script id=__NEXT_DATA__ type="application/json">{"items":[` + pieces(n, `{"name":"Thing %d","price":5},`) + `{}]}</script>`
	},
	"meta":       func(n int) string { return pieces(n, `<meta property="og:title" content="Thing %d">`) },
	"nested":     func(n int) string { return strings.Repeat("<div>", 400) + pieces(n, "<p>Some words %d</p>") },
	"deep lists": func(n int) string { return strings.Repeat("<ul><li>", 200) + pieces(n, "<b>Name:</b> value %d ") },
	"deep things": func(n int) string {
		return strings.Repeat("<div itemscope itemprop=review>", 300) + pieces(n, "<p itemprop=name>Thing %d</p>")
	},
	"unclosed bold": func(n int) string { return pieces(n, "<p><b>Thing %d") },
	"deep JSON": func(n int) string {
		return `<script type="application/ld+json">` + strings.Repeat(`{"@type":"Thing","item":[`, n)
	},
}

func pieces(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func stepsOfReading(t *testing.T, src string) int {
	t.Helper()
	p, err := Open(context.Background(), parse(t, src), nil, OpenOptions{})
	if err == nil {
		_, err = read.Read(p.page, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p.page.Meter.Taken()
}

// stepsOfShaping returns what reading a page and filling a schema take.
func stepsOfShaping(t *testing.T, src string) int {
	t.Helper()
	ctx := context.Background()
	at, _ := url.Parse("https://site.example/page")
	p, err := Open(ctx, parse(t, src), at, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := read.Read(p.page, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := shape.Fill(ctx, g, mustCompile(t, anyPage).compiled, shape.Options{PageURL: at.String(), Resolve: p.page.Links.Resolve, Field: "schema"})
	if err != nil {
		t.Fatal(err)
	}
	return p.page.Meter.Taken() + r.Steps
}

// TestLargePagesAreRead holds that what is over a limit is left out, and the
// rest of the page read: a price above a large table, and one below it.
func TestLargePagesAreRead(t *testing.T) {
	testlevel.Long(t, "the largest pages")
	row := "<tr>" + strings.Repeat("<td>1.5", 60)
	for name, large := range map[string]string{
		"columns": "<table><tr>" + pieces(60, "<th>Column %d") + strings.Repeat(row, 5000) + "</table>",
		"cells":   "<table>" + strings.Repeat("<tr>"+strings.Repeat("<td>1", 100), 3000) + "</table>",
		"terms":   "<dl>" + pieces(150_000, "<dt>a%d<dd>b") + "</dl>",
	} {
		t.Run(name, func(t *testing.T) {
			doc := parse(t, "<h1>Lamp</h1><p class=price>€12.50</p>"+large+"<p>Colour: green</p>")
			got, err := Shape(context.Background(), doc, nil, mustCompile(t, `{"properties":{"price":{"type":"number"},"colour":{"type":"string"}}}`), ShapeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(got.Content), `{"price":12.5,"colour":"green"`) {
				t.Errorf("got %.200s", got.Content)
			}
		})
	}
}

// TestReadingStopsWithWhatItHas reads a page in fewer steps than all of it
// takes.
func TestReadingStopsWithWhatItHas(t *testing.T) {
	src := "<h1>Lamp</h1><table><tr><th>Colour<td>green</table>" + pieces(3000, "<div class=card><h3>Card %d</h3><p>Text: more</p></div>")
	all := stepsOfReading(t, src)
	s := mustCompile(t, `{"properties":{"colour":{"type":"string"}}}`)
	for _, steps := range []int{all - 1, all * 9 / 10} {
		first := ""
		for range 2 {
			got, err := Shape(context.Background(), parse(t, src), nil, s, ShapeOptions{MaxRead: steps})
			if err != nil {
				t.Fatalf("%d of %d steps: %v", steps, all, err)
			}
			if !strings.HasPrefix(string(got.Content), `{"colour":"green"`) || first != "" && first != string(got.Content) {
				t.Errorf("%d of %d steps: %.100s", steps, all, got.Content)
			}
			first = string(got.Content)
		}
	}
	if _, err := Shape(context.Background(), parse(t, src), nil, s, ShapeOptions{MaxRead: 100}); errtypes.KindOf(err) != errtypes.BadGateway {
		t.Errorf("100 steps: %v", err)
	}
}

// TestWorkGrowsWithThePage counts the steps from the tree to the JSON, which are
// the same on every machine, at 1x, 4x and 16x of a page.
func TestWorkGrowsWithThePage(t *testing.T) {
	for name, page := range growing {
		t.Run(name, func(t *testing.T) {
			one, four, sixteen := stepsOfShaping(t, page(100)), stepsOfShaping(t, page(400)), stepsOfShaping(t, page(1600))
			const few = 5000 // what every page takes
			if four > 5*(one+few) || sixteen > 5*(four+few) {
				t.Errorf("%d steps, %d at four times as much, %d at sixteen", one, four, sixteen)
			}
		})
	}
}
