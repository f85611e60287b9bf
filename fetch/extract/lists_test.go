package extract

import (
	"strings"
	"testing"
)

// TestListsThatPeopleSee fills the lists of a recipe with what looks like them, where
// nothing is declared or what is declared says less.
func TestListsThatPeopleSee(t *testing.T) {
	const (
		schema = `{"type":"object","properties":{"ingredients":{"type":"array","items":{"type":"string"}},"steps":{"type":"array","items":{"type":"string"}}}}`
		title  = `<title>Bean stew recipe</title><main><h1>Bean stew</h1>`
		list   = `<h3>You will need</h3><ul class=ingredients><li>2 tablespoons olive oil<li>1 onion, chopped<li>400 g white beans<li>1 pinch of salt</ul>`
		steps  = `<h3>Method</h3><ol><li>Heat the oil in a pan and fry the onion until it is golden.<li>Add the beans and simmer for 20 minutes.<li>Season with salt and serve.</ol>`
		items  = `["2 tablespoons olive oil","1 onion, chopped","400 g white beans","1 pinch of salt"]`
		method = `["Heat the oil in a pan and fry the onion until it is golden.","Add the beans and simmer for 20 minutes.","Season with salt and serve."]`
	)
	declared := func(ingredients string) string {
		return `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Bean stew","recipeIngredient":` + ingredients + `}</script>`
	}
	for _, c := range []struct{ name, page, want string }{
		{"nothing is declared", title + list + steps, `{"ingredients":` + items + `,"steps":` + method + `}`},
		{"all in one", declared(`["2 tablespoons olive oil, 1 onion, chopped, 400 g white beans, 1 pinch of salt"]`) + title + list, `{"ingredients":` + items + `}`},
		{"without amounts", declared(`["olive oil","onion, chopped","white beans","salt"]`) + title + list, `{"ingredients":` + items + `}`},
		{"half of it", declared(`["2 tablespoons olive oil","1 onion, chopped"]`) + title + list, `{"ingredients":` + items + `}`},
		{"in other words", declared(`["30 ml oil","an onion","a can of beans","salt"]`) + title + list, `{"ingredients":["30 ml oil","an onion","a can of beans","salt"]}`},
		{"broken as a template has it", declared(`["2 tablespoons\n olive oil","1\nonion, chopped","salt"]`), `{"ingredients":["2 tablespoons olive oil","1 onion, chopped","salt"]}`},
		{"the lines of one text", declared(`"2 tablespoons olive oil\n1 onion, chopped"`), `{"ingredients":["2 tablespoons olive oil","1 onion, chopped"]}`},
		{"steps that come again", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Bean stew","recipeInstructions":[{"@type":"HowToStep","name":"Simmer","text":"Cook the beans."},{"@type":"HowToStep","name":"Simmer","text":"Cook the dumplings."},{"@type":"HowToStep","text":"Cook the beans."}]}</script>`, `{"steps":["Simmer","Cook the beans.","Simmer","Cook the dumplings.","Cook the beans."]}`},
		{"no recipe", `<title>Walks</title><main><h1>Walks by the sea</h1><h3>You will need</h3><ul><li>A map<li>Good shoes<li>2 apples</ul><p>Each of the walks takes a day.</p></main>`, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := shaped(t, c.page, schema, ShapeOptions{Explain: true})
			if string(got.Content) != c.want {
				t.Errorf("%s", got.Content)
			}
			for _, o := range got.Origins {
				if o.Source == "item" && (o.Name == "" || !strings.Contains(o.Path, "li")) {
					t.Errorf("%v", o)
				}
			}
		})
	}
}

// TestNumberOfAddressIsNotTheDocument: the number that the address and the page have
// stands beside what the page shows, whose tables still say what its thing is.
func TestNumberOfAddressIsNotTheDocument(t *testing.T) {
	page := `<html><head><link rel="canonical" href="https://example.com/p/watch-48213377"></head><body><main><h1>Watch</h1><p>A watch for the mountains.</p>
		<form data-product-id="48213377"><button>Add to cart</button></form>
		<table><tr><th>Maker</th><td>Casio</td></tr><tr><th>Glass</th><td>Mineral</td></tr><tr><th>Strap</th><td>Resin</td></tr></table></main></body></html>`
	got := shaped(t, page, `{"type":"object","properties":{"specs":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"value":{"type":"string"}}}}}}`, ShapeOptions{})
	if want := `{"specs":[{"name":"Maker","value":"Casio"},{"name":"Glass","value":"Mineral"},{"name":"Strap","value":"Resin"}]}`; string(got.Content) != want {
		t.Errorf("got %s, want %s", got.Content, want)
	}
}

// TestFeedsAreNoListOfThePage: a page links to its feeds, and shows no events.
func TestFeedsAreNoListOfThePage(t *testing.T) {
	page := `<html><head><link rel="alternate" type="application/rss+xml" title="Cakes » Feed" href="/feed/"><link rel="alternate" type="application/rss+xml" title="Cakes » Comments Feed" href="/comments/feed/"></head>
		<body><main><h1>Chocolate cake</h1><p>A cake for every day of the year.</p></main></body></html>`
	got := shaped(t, page, `{"type":"object","properties":{"events":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"url":{"type":"string"},"date":{"type":"string"}}}}}}`, ShapeOptions{})
	if string(got.Content) != `{}` {
		t.Errorf("got %s, want nothing", got.Content)
	}
}
