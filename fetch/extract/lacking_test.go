package extract

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func card(class, title, price string) string {
	return fmt.Sprintf(`<div class="%s"><h3><a href="/b/%d">%s</a></h3><div class=price>%s</div><p>Seen in town.</p></div>`, class, len(title), title, price)
}

var bikeCards = `<h1>Bikes</h1><p>4 results</p><div class=list>` + card("card", "Orange", "€ 450") + card("card", "Brompton", "€ 1050") + card("card", "Kids", "Free") +
	`<div class="card promo"><h3><a href="/ad">Insure your bike</a></h3><p>Now.</p></div>` + card("card", "Koga", "€ 90") + `</div><a href="?page=2">Next</a>`

const (
	bikeRows = `<h1>Bikes</h1><table><tr><th>Bike<th>Price<th>Town</tr><tr><td>Orange<td>€ 450<td>Ghent</tr><tr><td>Koga<td>€ 50<td>Ghent</tr><tr><td>Kids<td>ask<td>Aalst</tr></table>`
	bikeData = `<h1>Bikes</h1><script type="application/ld+json">{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":{"@type":"Product","name":"Orange","offers":{"price":3}}},
		{"@type":"ListItem","item":{"@type":"Product","name":"Kids"}}]}</script>`
	staff = `<h1>Team</h1><div class=team><div class=m><h3>Ann</h3><p class=role>Chef</p><a href=mailto:a@x.org>mail</a></div><div class=m><h3>Bo</h3><p class=role>Cook</p></div></div>
		<div class=news><div class=n><h3>News one</h3><p>text</p></div><div class=n><h3>News two</h3><p>text</p></div></div>`
	articleCards = `<h1>News</h1><article><h1>News</h1><p>It has rained for a week in the whole of the north, and the rivers are full of water now.</p></article>
		<ul class=more><li><a href="/1">The rain in the north</a><li><a href="/2">Rivers that rise</a><li><a href="/3">A dry week is near</a></ul>`
)

func listSchema(name string, required bool, members ...string) string {
	props, need := map[string]any{}, []string{}
	for _, m := range members {
		key, kind, _ := strings.Cut(m, ":")
		props[key] = map[string]any{"type": kind}
		need = append(need, key)
	}
	item := map[string]any{"type": "object", "properties": props}
	if required {
		item["required"] = need
	}
	raw, _ := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{name: map[string]any{"type": "array", "items": item}}, "required": []string{name}})
	return string(raw)
}

func TestAnItemThatMissesSomethingStaysInItsList(t *testing.T) {
	for name, c := range map[string]struct{ page, schema, want string }{
		"one card":           {bikeCards, listSchema("bikes", true, "price:number", "title:string"), `{"bikes":[{"price":450,"title":"Orange"},{"price":1050,"title":"Brompton"},{"title":"Kids"},{"price":90,"title":"Koga"}]} /bikes/2/price`},
		"all cards":          {bikeCards, listSchema("bikes", true, "frame:string", "price:number", "title:string"), `{"bikes":[{"price":450,"title":"Orange"},{"price":1050,"title":"Brompton"},{"title":"Kids"},{"price":90,"title":"Koga"}]} /bikes/0/frame /bikes/1/frame /bikes/2/frame /bikes/2/price /bikes/3/frame`},
		"nothing required":   {bikeCards, listSchema("bikes", false, "price:number", "title:string"), `{"bikes":[{"price":450,"title":"Orange"},{"price":1050,"title":"Brompton"},{"title":"Kids"},{"price":90,"title":"Koga"}]}`},
		"one row":            {bikeRows, listSchema("bikes", true, "bike:string", "price:number"), `{"bikes":[{"bike":"Orange","price":450},{"bike":"Koga","price":50},{"bike":"Kids"}]} /bikes/2/price`},
		"all rows":           {bikeRows, listSchema("bikes", true, "bike:string", "frame:string", "price:number"), `{"bikes":[{"bike":"Orange","price":450},{"bike":"Koga","price":50},{"bike":"Kids"}]} /bikes/0/frame /bikes/1/frame /bikes/2/frame /bikes/2/price`},
		"data":               {bikeData, listSchema("products", true, "name:string", "price:number"), `{"products":[{"name":"Orange","price":3},{"name":"Kids"}]} /products/1/price`},
		"others beside them": {staff, listSchema("people", true, "name:string", "phone:string", "role:string"), `{"people":[{"name":"Ann","role":"Chef"},{"name":"Bo","role":"Cook"}]} /people/0/phone /people/1/phone`},
		"most is not there":  {bikeCards, listSchema("bikes", true, "frame:string", "gears:integer", "title:string", "year:integer"), `{} /bikes`},
		"only what all have": {articleCards, listSchema("products", true, "price:number", "title:string"), `{} /products`},
	} {
		t.Run(name, func(t *testing.T) {
			r := shaped(t, c.page, c.schema, ShapeOptions{})
			if diff := cmp.Diff(c.want, strings.TrimSpace(string(r.Content)+" "+strings.Join(r.Unsatisfied, " "))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatAnItemMissesIsAskedFor(t *testing.T) {
	var asked Question
	r := shaped(t, bikeCards, listSchema("bikes", true, "price:number", "title:string"), ShapeOptions{Complete: func(_ context.Context, q Question) (json.RawMessage, error) {
		asked = q
		return json.RawMessage(`{"/bikes/2/price":0}`), nil
	}})
	if diff := cmp.Diff([]string{"/bikes/2/price"}, asked.Unsatisfied); diff != "" {
		t.Error(diff)
	}
	if len(r.Unsatisfied) > 0 || r.CompleteErr != nil || !strings.Contains(string(r.Content), `{"title":"Kids","price":0}`) && !strings.Contains(string(r.Content), `{"price":0,"title":"Kids"}`) {
		t.Errorf("%s %v %v", r.Content, r.Unsatisfied, r.CompleteErr)
	}
}

func TestThePlacesThatAreUnsatisfiedAreBounded(t *testing.T) {
	page := `<h1>Bikes</h1><table><tr><th>Bike<th>Price<th>Town</tr>` + strings.Repeat(`<tr><td>Orange<td>€ 450<td>Ghent</tr>`, 2000) + `</table>`
	r := shaped(t, page, listSchema("bikes", true, "bike:string", "frame:string", "gears:integer", "price:number"), ShapeOptions{})
	if n := len(r.Unsatisfied); n != 100 || r.Unsatisfied[0] != "/bikes/0/frame" {
		t.Errorf("%d places", n)
	}
	if n := strings.Count(string(r.Content), "Orange"); n != 2000 {
		t.Errorf("%d items", n)
	}
}
