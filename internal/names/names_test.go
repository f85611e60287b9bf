package names

import (
	"slices"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/lexicon"
)

func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"priceCurrency": "price currency", "price_currency": "price currency", "Price-Currency": "price currency", "og:site_name": "og site name", "HTMLText": "html text",
		"IDs": "ids", "offers.price": "offers price", "Zubereitungszeit": "zubereitungszeit", "Prix (TTC)": "prix ttc", "préparation": "preparation", "": "", "price2": "price2",
	} {
		if got := strings.Join(Words(name), " "); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		want, have string
		score      int
	}{
		{"price", "Price", Exact}, {"price_currency", "priceCurrency", Exact}, {"product_name", "og:product_name", Exact}, {"ingredients", "ingredient", Plural}, {"name of product", "name product", Plural},
		{"zutaten", "recipeIngredient", Synonym}, {"currency", "priceCurrency", Synonym}, {"préparation", "recipeInstructions", Synonym}, {"company", "hiringOrganization", Synonym - 3}, {"prepMinutes", "prepTime", Synonym},
		{"kochzeitMinuten", "cookTime", Synonym}, {"productColor", "color", Synonym}, {"brand", "manufacturer", Synonym - 3},
	} {
		if got := Match(Parse(c.want), Parse(c.have)); got < c.score-6 || got > c.score+6 {
			t.Errorf("%s and %s: %d, want %d", c.want, c.have, got, c.score)
		}
	}
}

// What looks alike and is not the same is not taken.
func TestNoMatch(t *testing.T) {
	for _, c := range [][2]string{
		{"price", "old price"}, {"price", "shipping price"}, {"weight", "height"}, {"author", "authority"}, {"date", "update frequency"}, {"name", "username"}, {"rating", "content rating"},
		{"color", "collar"}, {"mileage", "image"}, {"currency", "current"}, {"title", "subtitle"}, {"price", "priceValidUntil"}, {"", "name"}, {"name", ""}, {"title", "untitled"}, {"reviews", "preview"},
	} {
		if got := Match(Parse(c[0]), Parse(c[1])); got >= Threshold {
			t.Errorf("%s and %s: %d", c[0], c[1], got)
		}
	}
}

func TestDescribe(t *testing.T) {
	for text, want := range map[string]string{
		"The product name": "name", "Name of the recipe": "name", "The name of the author": "author", "Total time in minutes": "totalTime", "When the article was last updated": "dateModified",
		"Price in the shop": "price", "List of ingredients": "recipeIngredient", "How many people rated it": "", "its title": "name", "Currency code of the price": "priceCurrency", "": "", "Calories per serving": "calories",
	} {
		got := Tell(text).Concepts
		if len(got) == 0 && want == "" {
			continue
		}
		if !slices.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFamilies(t *testing.T) {
	for name, want := range map[string]string{"NewsArticle": "Article", "jobs": "JobPosting", "Rezept": "Recipe", "product list of recipes": "Recipe", "h-card": "Person", "breadcrumbs": "BreadcrumbList", "xyz": "", "": ""} {
		if got := Families(name); !slices.Contains(got, want) && want != "" || want == "" && len(got) > 0 {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestTables holds that every word in the tables is the key of a name: else
// nothing would ever match it.
func TestTables(t *testing.T) {
	if n := len(lexicon.Read(files, "concepts")); n < 200 {
		t.Errorf("%d concepts", n)
	}
	for _, e := range lexicon.Read(files, "concepts") {
		for _, w := range e.Words {
			if key := strings.Join(Words(w), ""); key != w {
				t.Errorf("%s: %q is not a key, %q would be", e.Name, w, key)
			}
		}
	}
	for concept, list := range near() {
		for _, c := range append([]string{concept}, list...) {
			if Parse(c).Concepts == nil && c != "primaryImageOfPage" {
				t.Errorf("near %s: %s is no concept", concept, c)
			}
		}
	}
}

// TestLexicon holds that every list is read, and that no name in one is there
// twice but for patterns.
func TestLexicon(t *testing.T) {
	for _, list := range []string{"concepts", "near", "vias", "inside", "texts", "types", "expected", "asks", "sets"} {
		seen := map[string]bool{}
		for _, e := range lexicon.Read(files, list) {
			if len(e.Words) == 0 || e.Name == "" || seen[e.Name] && list != "asks" {
				t.Errorf("%s: %q has %q", list, e.Name, e.Words)
			}
			seen[e.Name] = true
		}
		if len(seen) < 5 {
			t.Errorf("%s has %d names", list, len(seen))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("priceCurrency", "og:price")
	f.Add("\xffé::", "a (b")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := Parse(a), Parse(b)
		if s := Match(x, y); s < 0 || s > Exact {
			t.Errorf("%q and %q: %d", a, b, s)
		}
		if x.Key != "" && Match(x, x) != Exact {
			t.Errorf("%q is not itself", a)
		}
		Tell(a)
		Senses(a)
		Families(b)
	})
}

// TestTell holds what descriptions ask for besides the name in them.
func TestTell(t *testing.T) {
	for text, want := range map[string]string{
		"name of the designer": "label designer", "date of the price": "label price date", "Number of boats in the harbour": "label number of boats", "Last price change": "label price change",
		"number of reviews": "reviewCount", "Number of people it serves": "recipeYield", "author's birthday": "birthDate author", "the product's price": "price",
		"monthly price of the subscription": "price subscription month label monthly price", "Price per litre": "price litre label price per litre", "Available sizes": "size", "Available": "availability",
		"title of the book": "name of Book", "author of the book": "author", "Job title of the person": "jobTitle", "Name of the person who wrote it": "author", "price (not the old one)": "price",
		"price including shipping": "price shipping", "average price": "price average", "average rating": "ratingValue",
	} {
		told := Tell(text)
		got := ""
		if len(told.Concepts) > 0 {
			got = told.Concepts[0]
		}
		for _, q := range told.Qualifiers {
			got += " " + q[0]
		}
		if told.Family != "" && got == "name" {
			got += " of " + told.Family
		}
		if len(told.Concepts) == 0 {
			got = "label " + told.Label
		}
		if got != want && got+" label "+told.Label != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
