package candidates

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/forest"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// readPage returns the lists of a page and the steps that finding them took.
func readPage(t testing.TB, src string) (p *Page, steps int) {
	t.Helper()
	doc, err := tree.Parse(context.Background(), src, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src2, err := page.New(context.Background(), doc, &url.URL{Scheme: "https", Host: "site.example", Path: "/stew"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	before := src2.Meter.Taken()
	if err := src2.Meter.Run(func() error { p = Read(src2); return nil }); err != nil {
		t.Fatal(err)
	}
	return p, src2.Meter.Taken() - before
}

func textsOf(items []Item) (all []string) {
	for _, it := range items {
		all = append(all, it.Text)
	}
	return all
}

// Lists are found in whatever form they are written, with their items as people see them.
func TestFormsOfLists(t *testing.T) {
	want := []string{"two cups of flour", "one egg"}
	for name, src := range map[string]string{
		"a list":         `<ul><li>two cups <b>of</b> flour<li>one egg</ul>`,
		"with marks":     `<ul><li><i>•</i> two cups of flour<li><i>•</i> one egg</ul>`,
		"rows":           `<table><tr><td>two cups<td>of flour<tr><td>one<td>egg</table>`,
		"terms":          `<dl><dt>two cups<dd>of flour<dt>one<dd>egg</dl>`,
		"alike":          `<div><p class="row odd">two cups of flour</p><img src=a.png><p class="row even">one egg</p></div>`,
		"parts":          `<div><div class=r><span>two cups</span> <span>of flour</span></div><div class=r><span>one</span> <span>egg</span></div></div>`,
		"lines":          `<p>two cups of flour<br>one egg</p>`,
		"under a label":  `<p><b>What it takes:</b><br>two cups of flour<br>one egg</p>`,
		"what is hidden": `<ul><li>two cups of flour<span hidden>!</span><li>one egg<li style="display:none">no</ul>`,
	} {
		p, _ := readPage(t, "<main>"+src+"</main>")
		found := false
		for i := range p.Lists() {
			found = found || cmp.Equal(textsOf(p.Items(i)), want)
			if len(p.Row(i)) != Width {
				t.Fatalf("%s: a list has %d features", name, len(p.Row(i)))
			}
		}
		if !found {
			t.Errorf("%s: no list has the items", name)
		}
	}
}

const stew = `<title>Bean stew recipe</title><nav><ul><li><a href=/>Home</a><li><a href=/r>Recipes</a><li><a href=/a>About</a></ul></nav><main><h1>Bean stew</h1><p>A stew for cold days.</p>
<h2>Ingredients</h2><h3>For the stew</h3><ul><li>2 tablespoons olive oil<li>1 onion, chopped<li>400 g white beans<li>Salt and pepper</ul><h3>For the top</h3><ul><li>1 cup bread crumbs<li>Salt and pepper</ul>
<h2>Method</h2><ol><li>Heat the oil in a pan and fry the onion until it is golden.<li>Add the beans and simmer for 20 minutes.<li>Sprinkle with the crumbs and serve.</ol></main>
<footer><ul><li><a href=/p>Privacy</a><li><a href=/c>Contact</a></ul></footer>`

func TestChoose(t *testing.T) {
	p, _ := readPage(t, stew)
	c := p.Choose(Grown(), Ingredients)
	want := []string{"2 tablespoons olive oil", "1 onion, chopped", "400 g white beans", "Salt and pepper", "1 cup bread crumbs", "Salt and pepper"}
	if diff := cmp.Diff(want, textsOf(c.Items)); diff != "" {
		t.Error(diff)
	}
	if c.Label != "For the stew" || c.Probability <= surely {
		t.Errorf("%q, %.2f", c.Label, c.Probability)
	}
	if c := p.Choose(Grown(), Instructions); len(c.Items) != 3 || !strings.HasPrefix(c.Items[0].Text, "Heat the oil") {
		t.Errorf("%q", textsOf(c.Items))
	}
}

func TestNothingIsChosenWhereNothingIsLikely(t *testing.T) {
	for _, src := range []string{
		``,
		`<main><h1>Walks by the sea</h1><ul><li>The lighthouse<li>The harbour<li>The dunes</ul><p>Each takes a day.</p></main>`,
		`<main><h1>Install it</h1><h2>Steps</h2><ol><li>Download the archive.<li>Unpack it.<li>Run the installer with 2 options.</ol></main>`,
	} {
		p, _ := readPage(t, src)
		for kind := range Kind(len(Model{})) {
			if c := p.Choose(Grown(), kind); len(c.Items) > 0 {
				t.Errorf("%d: %.2f %q", kind, c.Probability, textsOf(c.Items))
			}
		}
	}
}

func TestItemsAreTidied(t *testing.T) {
	items := func(texts ...string) (all []Item) {
		for _, s := range texts {
			all = append(all, Item{Text: s})
		}
		return all
	}
	for _, c := range []struct{ got, want []Item }{
		{uncounted(items("1 Boil it.", "2. Eat it.")), items("Boil it.", "Eat it.")},
		{uncounted(items("1 Boil it.", "Eat it.")), items("1 Boil it.", "Eat it.")},
		{uncounted(items("1 egg", "2 leeks")), items("1 egg", "2 leeks")},
		{withoutEnds(items("salt to basket", "rye flour to basket", "oil to basket", "an egg to basket")), items("salt", "rye flour", "oil", "an egg")},
		{withoutEnds(items("rye flour", "wheat flour", "rice flour", "oat flour")), items("rye flour", "wheat flour", "rice flour", "oat flour")},
	} {
		if diff := cmp.Diff(textsOf(c.want), textsOf(c.got)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTheModelAsksForFeaturesThatThereAre(t *testing.T) {
	for _, f := range Grown() {
		if len(f.Trees) == 0 {
			t.Error("a forest has no trees")
		}
		for _, tree := range f.Trees {
			for _, n := range tree {
				if n.Feature != forest.Leaf && int(n.Feature) >= Width {
					t.Fatalf("feature %d", n.Feature)
				}
			}
		}
	}
}

// Twice the page takes about twice the steps, whatever it is made of.
func TestWorkIsLinear(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(n int) string{
		"items":  func(n int) string { return "<ul>" + strings.Repeat("<li>1 cup of flour", n) },
		"cards":  func(n int) string { return strings.Repeat("<div class=c><h3>Stew</h3><p>Some words.</p></div>", n) },
		"lines":  func(n int) string { return "<p>" + strings.Repeat("1 cup of flour<br>", n) },
		"lists":  func(n int) string { return strings.Repeat("<h2>Method</h2><ol><li>Boil it.<li>Eat it.</ol>", n) },
		"nested": func(n int) string { return strings.Repeat("<div>", 300) + strings.Repeat("<p>Some words", n) },
		"deep": func(n int) string {
			return strings.Repeat("<ul><li>a<li>", 200) + strings.Repeat("<b>Salt:</b> some ", n)
		},
	} {
		_, one := readPage(t, make(2000))
		_, two := readPage(t, make(4000))
		if float64(two) > 2.5*float64(one)+1000 {
			t.Errorf("%s: %d steps, of twice as much %d", name, one, two)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(stew)
	for i := range 4 {
		f.Add(fmt.Sprintf(`<table><tr><td>%d<br>½<dl><dd>x<dt>1<ul>a<li><br><p hidden><h2>材料</h2>`, i))
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return
		}
		p, _ := readPage(t, strings.ToValidUTF8(src, "\uFFFD"))
		for kind := range Kind(len(Model{})) {
			p.Choose(Grown(), kind)
		}
	})
}

func TestAmount(t *testing.T) {
	for item, want := range map[string][3]string{
		"2 tablespoons olive oil": {"2", "tablespoons", "olive oil"},
		"1 1/2 cups of lentils":   {"1 1/2", "cups", "of lentils"},
		"½ onion":                 {"½", "", "onion"},
		"2-3 EL. Öl":              {"2-3", "EL.", "Öl"},
		"400 g":                   {"400", "", "g"},
		"salt":                    {"", "", "salt"},
		"":                        {"", "", ""},
	} {
		if amount, unit, rest := Amount(item); [3]string{amount, unit, rest} != want {
			t.Errorf("%q: %q, %q, %q", item, amount, unit, rest)
		}
	}
}

// What a step says of an ingredient again is no list of ingredients.
func TestMentionsInStepsAreNoIngredients(t *testing.T) {
	src := strings.Replace(stew, "Add the beans and", `Add <span class="ingredient">2 tablespoons olive oil,</span> <span class="ingredient">1 onion,</span> <span class="ingredient">400 g white beans</span> and`, 1)
	src = strings.Replace(src, "<h2>Ingredients</h2>", "<h2>Ingredients</h2><ul><li>olive oil<li>onion</ul>", 1)
	p, _ := readPage(t, src)
	if c := p.Choose(Grown(), Ingredients); len(c.Items) == 0 || c.Items[0].Element.Data != "li" {
		t.Errorf("%q", textsOf(c.Items))
	}
}
