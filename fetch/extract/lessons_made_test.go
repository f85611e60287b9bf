package extract

import (
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/candidates"
	"github.com/drover-go/drover/fetch/internal/grow"
)

const declaresRecipe = `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Recipe","name":"Stew","recipeIngredient":["1 onion, chopped","400 g beans","1 tbsp oil"],
	"recipeInstructions":[{"@type":"HowToSection","name":"Stew","itemListElement":[{"@type":"HowToStep","text":"Fry the onion in the oil."},{"@type":"HowToStep","text":"Add the beans."}]}]}]}</script>
	<h1>Stew</h1><div class=list><ul><li>1 onion chopped<li>400 g beans<li>1 tbsp oil</ul></div><ol><li>Fry the onion in the oil.<li>Add the beans.</ol>`

// What a page declares is gold for its lists.
func TestDeclaredRecipesAreGold(t *testing.T) {
	p, err := newLesson(declaresRecipe, "https://www.site.example/stew", listed{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Host != "site.example" || len(p.Gold[candidates.Ingredients]) != 3 || len(p.Gold[candidates.Instructions]) != 2 {
		t.Fatalf("%q %q", p.Host, p.Gold)
	}
	for kind, first := range [...]string{"1 onion chopped", "Fry the onion in the oil."} {
		right := 0
		for i, want := range p.Want[kind] {
			if want == 1 && p.Lists.Items(i)[0].Text == first {
				right++
			} else if want > 0.5 {
				t.Errorf("%d: %v is taken for gold", kind, p.Lists.Items(i))
			}
		}
		if right == 0 {
			t.Errorf("%d: no list is gold", kind)
		}
	}
}

// A page that is called a recipe and declares noKind teaches nothing.
func TestUnclearPagesAreLeftOut(t *testing.T) {
	for src, want := range map[string]bool{
		`<title>Bean stew recipe</title><ul><li>1 onion<li>2 beans</ul>`: false,
		`<title>Walks by the sea</title><ul><li>Dunes<li>Harbour</ul>`:   true,
	} {
		p, err := newLesson(src, "https://site.example/a", listed{})
		if err != nil || (p != nil) != want {
			t.Errorf("%s: %v %v", src, p != nil, err)
		}
	}
}

// Pages of one host are in one fold, and not all hosts are.
func TestFoldsAreOfHosts(t *testing.T) {
	seen := map[int]bool{}
	for _, host := range [...]string{"a.example", "b.example", "c.example", "d.example", "e.example", "f.example", "g.example", "h.example"} {
		k := foldOf(grow.Host("https://www."+host+"/x?y"), 1, 5)
		if k != foldOf(host, 1, 5) || k < 0 || k > 4 {
			t.Errorf("%s: %d", host, k)
		}
		seen[k] = true
	}
	if len(seen) < 2 {
		t.Error("all hosts are in one fold")
	}
}
