package candidates

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A place says where an element stands, by its names and those around it: how
// many elements up the nearest one is that has a name of each kind.
type place struct {
	ingredients, instructions, other, recipe uint8
	aside, article, form                     bool
}

// far is the distance of what is not there.
const far = 12

func (p place) down() place {
	for _, d := range [...]*uint8{&p.ingredients, &p.instructions, &p.other, &p.recipe} {
		*d = min(*d+1, far)
	}
	return p
}

// placeOf returns the place of an element below the node that is open.
func (s *setter) placeOf(n *html.Node) place {
	p := place{far, far, far, far, false, false, false}
	if s.up >= 0 {
		p = s.nodes[s.up].place.down()
	}
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Aside:
		p.aside = true
	case atom.Article, atom.Main:
		p.article = true
	case atom.Form:
		p.form = true
	}
	if n.DataAtom == atom.Body {
		return p
	}
	if said := namesOf(n); said != 0 {
		for kind, d := range map[sense]*uint8{ofIngredients: &p.ingredients, ofInstructions: &p.instructions, ofOther: &p.other, ofRecipe: &p.recipe} {
			if said&kind != 0 {
				*d = 0
			}
		}
	}
	return p
}

// naming are the attributes in which people name elements.
var naming = map[string]bool{"class": true, "id": true, "itemprop": true, "name": true, "property": true, "data-testid": true, "aria-label": true, "aria-labelledby": true, "data-role": true}

// maxNames is how much of an attribute is looked at, in bytes.
const maxNames = 300

// namesOf returns what the names of an element say.
func namesOf(n *html.Node) (said sense) {
	for i := range n.Attr {
		if a := &n.Attr[i]; naming[a.Key] && a.Namespace == "" {
			said |= wordsOfName(cut(a.Val, maxNames))
		}
	}
	return said
}

// wordsOfName reads names as they are written in markup: recipe-ingredients,
// recipeIngredient, recipe_ingredients__item.
func wordsOfName(name string) (said sense) {
	known := named()
	begin := 0
	flush := func(end int) {
		if end-begin > 2 {
			said |= known[strings.ToLower(name[begin:end])]
		}
		begin = end
	}
	wasLower := false
	for i, c := range name {
		letter := unicode.IsLetter(c)
		if !letter || wasLower && unicode.IsUpper(c) {
			flush(i)
			if !letter {
				begin = i + len(string(c))
			}
		}
		wasLower = letter && unicode.IsLower(c)
	}
	flush(len(name))
	return said
}
