package extract

import (
	"slices"
	"testing"
)

// TestWhatIsSaidInAnotherPlaceIsFound shapes pages that say what is asked for
// under another name, in a list of names and values, or a level higher.
func TestWhatIsSaidInAnotherPlaceIsFound(t *testing.T) {
	const (
		lamp  = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Reed lamp","brand":"Fjellby","additionalProperty":[{"@type":"PropertyValue","name":"Wattage","value":"9","unitText":"W"},{"@type":"PropertyValue","name":"Dimmable","value":"Yes"}]}</script>`
		inn   = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Restaurant","name":"River Inn","foundingDate":"1911","servesCuisine":["Fish","Soup"],"acceptsReservations":"False","openingHoursSpecification":[{"@type":"OpeningHoursSpecification","dayOfWeek":["Monday","Friday"],"opens":"08:00","closes":"18:00"},{"@type":"OpeningHoursSpecification","dayOfWeek":"Sunday","opens":"10:00","closes":"14:00"}]}</script>`
		night = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Event","name":"Herring night","offers":[{"@type":"Offer","name":"Bench","price":"12"},{"@type":"Offer","name":"Boat","price":"30"}]}</script>`
		sizes = `<h1>Screws</h1><table><tr><th rowspan=2>Kind<th colspan=2>Size<tr><th>min<th>max<tr><td>Brass<td>1<td>2<tr><td>Steel<td>3<td>4<tr><td>Tin<td>5<td>6</table>`
	)
	for _, c := range []struct{ name, page, properties, want string }{
		{"in a list of names and values", lamp, `"wattage":{"type":"number"},"dimmable":{"type":"boolean"}`, `{"wattage":9,"dimmable":true}`},
		{"in a part of the thing", lamp, `"product":{"type":"object","properties":{"name":{"type":"string"},"details":{"type":"object","properties":{"brand":{"type":"string"}}}}}`, `{"product":{"name":"Reed lamp","details":{"brand":"Fjellby"}}}`},
		{"opening hours", inn, `"openingHours":{"type":"array","items":{"type":"object","properties":{"day":{"type":"string"},"opens":{"type":"string"},"closes":{"type":"string"}}}}`, `{"openingHours":[{"day":"Monday, Friday","opens":"08:00","closes":"18:00"},{"day":"Sunday","opens":"10:00","closes":"14:00"}]}`},
		{"a restaurant", inn, `"cuisine":{"type":"array","items":{"type":"string"}},"acceptsReservations":{"type":"boolean"},"foundingYear":{"type":"integer"}`, `{"cuisine":["Fish","Soup"],"acceptsReservations":false,"foundingYear":1911}`},
		{"tickets", night, `"tickets":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}}}}`, `{"tickets":[{"name":"Bench","price":12},{"name":"Boat","price":30}]}`},
		{"a head of two levels", sizes, `"screws":{"type":"array","items":{"type":"object","properties":{"kind":{"type":"string"},"min":{"type":"number"},"size":{"type":"object","properties":{"min":{"type":"number"},"max":{"type":"number"}}}}}}`, `{"screws":[{"kind":"Brass","min":1,"size":{"min":1,"max":2}},{"kind":"Steel","min":3,"size":{"min":3,"max":4}},{"kind":"Tin","min":5,"size":{"min":5,"max":6}}]}`},
		{"in other languages", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Sopa","cookTime":"PT20M","datePublished":"2024-05-03"}</script>`, `"intitulé":{"type":"string"},"temps_cuisson":{"type":"integer"},"veroeffentlicht":{"type":"string"}`, `{"intitulé":"Sopa","temps_cuisson":20,"veroeffentlicht":"2024-05-03"}`},
		{"stock in other languages", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp","offers":{"price":"3","availability":"https://schema.org/InStock"}}</script>`, `"disponibile":{"type":"boolean"},"opVoorraad":{"type":"boolean"},"verfuegbar":{"type":"boolean"},"disponível":{"type":"boolean"}`, `{"disponibile":true,"opVoorraad":true,"verfuegbar":true,"disponível":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := shaped(t, "<!doctype html><html lang=en><body>"+c.page, `{"type":"object","properties":{`+c.properties+`}}`, ShapeOptions{})
			if got := string(r.Content); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestLessThatMatchesIsGiven says that what breaks a rule for the whole is given
// without the members that it is broken by, and with all where that is no help.
func TestLessThatMatchesIsGiven(t *testing.T) {
	const page = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Reed lamp","sku":"R-77","brand":"Fjellby"}</script>`
	for rule, want := range map[string]string{
		`"maxProperties":1`:                                     `{"name":"Reed lamp"}`,
		`"not":{"required":["sku"]}`:                            `{"name":"Reed lamp","brand":"Fjellby"}`,
		`"oneOf":[{"required":["sku"]},{"required":["brand"]}]`: `{"name":"Reed lamp","sku":"R-77"}`,
		`"maxProperties":2,"required":["brand"]`:                `{"name":"Reed lamp","brand":"Fjellby"}`,
	} {
		r := shaped(t, page, `{"type":"object",`+rule+`,"properties":{"name":{"type":"string"},"sku":{"type":"string"},"brand":{"type":"string"}}}`, ShapeOptions{})
		if got := string(r.Content); got != want || len(r.Unsatisfied) > 0 {
			t.Errorf("%s: %s, without %q", rule, got, r.Unsatisfied)
		}
	}
	r := shaped(t, page, `{"type":"object","minProperties":4,"properties":{"name":{"type":"string"},"sku":{"type":"string"},"brand":{"type":"string"}}}`, ShapeOptions{})
	if got := string(r.Content); got != `{"name":"Reed lamp","sku":"R-77","brand":"Fjellby"}` || !slices.Equal(r.Unsatisfied, []string{""}) {
		t.Errorf("%s, without %q", got, r.Unsatisfied)
	}
}
