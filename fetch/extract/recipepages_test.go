package extract

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRecipePages fills the five fields of a recipe from pages in the manner of the
// software that sites are made with, each as short as it can be.
func TestRecipePages(t *testing.T) {
	const (
		lists = `<h3>Ingredients</h3><ul><li>2 tablespoons olive oil</li><li>1 onion, chopped</li><li>400 g white beans</li></ul>
			<h3>Method</h3><ol><li>Fry the onion in the oil until it is golden.</li><li>Add the beans and simmer for 20 minutes.</li><li>Season with salt and serve.</li></ol>`
		both   = `"ingredients":["2 tablespoons olive oil","1 onion, chopped","400 g white beans"],"instructions":["Fry the onion in the oil until it is golden.","Add the beans and simmer for 20 minutes.","Season with salt and serve."]`
		start  = `<html><head><title>Bean stew recipe</title></head><body><main><h1>Bean stew</h1>`
		german = `<html lang="de"><head><title>Bohneneintopf Rezept</title></head><body><main><h1>Bohneneintopf</h1>`
		bohnen = `<h2>Zubereitung</h2><div><div class="s-a">1</div><p>Die Zwiebel im Öl anbraten.</p></div><div><div class="s-a">2</div><p>Bohnen zugeben und kochen.</p></div><div><div class="s-a">3</div><p>25 Minuten köcheln lassen und servieren.</p></div>`
	)
	for _, c := range []struct{ name, page, want string }{
		{"facts in an advertisement's column of the card", start + `<div class="recipe-card"><div class="sidebar"><p>Total Time: 35 minutes</p><p>Servings: 6</p></div><div>` + lists + `</div></div>`,
			`{"title":"Bean stew",` + both + `,"yields":"6","totalTimeMinutes":35}`},
		{"labels and lengths in one line", start + `<section><span class="t"><strong>Prep Time</strong>10 minutes</span><span class="t"><strong>Total Time</strong>40 minutes</span></section>` + lists,
			`{"title":"Bean stew",` + both + `,"totalTimeMinutes":40}`},
		{"for how many, in the heading", start + `<p><b>Ingredients (serves 4)</b></p>` + lists[len(`<h3>Ingredients</h3>`):],
			`{"title":"Bean stew",` + both + `,"yields":"4"}`},
		{"numbers in elements of their own", german + `<p>Für 4 Personen</p><p>Gesamtzeit: 1 Stunde 5 Minuten</p><h2>Zutaten</h2><ul><li>2 EL Olivenöl</li><li>1 Zwiebel, gehackt</li><li>400 g Bohnen</li></ul>` + bohnen,
			`{"title":"Bohneneintopf","ingredients":["2 EL Olivenöl","1 Zwiebel, gehackt","400 g Bohnen"],"instructions":["Die Zwiebel im Öl anbraten.","Bohnen zugeben und kochen.","25 Minuten köcheln lassen und servieren."],"yields":"4 Personen","totalTimeMinutes":65}`},
		{"an entry without a name", `<html><head><title>Bean stew - Home cooking</title></head><body><main><article class="h-entry"><h1>Bean stew</h1><p>Serves 4</p>` + lists + `<p>` + longText + `</p></article></main>`,
			`{"title":"Bean stew",` + both + `,"yields":"4"}`},
		{"the list and what holds it", start + `<article><div class="field field--label-inline"><div class="field__label">Prep Time</div><div class="field__item">10 minutes</div></div><div class="field field--label-above"><div class="field__label">Ingredients</div><div class="field__items"><div class="field__item">2 tablespoons olive oil</div><div class="field__item">1 onion, chopped</div><div class="field__item">400 g white beans</div></div></div><div class="field field--name-field-recipe-instruction field--label-above"><div class="field__label">Instructions</div><div class="field__item"><ol><li>Fry the onion in the oil.</li><li>Add the beans and simmer.</li><li>Season and serve.</li></ol></div></div></article></main>`,
			`{"title":"Bean stew",` + both[:strings.Index(both, `"instructions`)] + `"instructions":["Fry the onion in the oil.","Add the beans and simmer.","Season and serve."]}`},
		{"minutes declared as hours", recipeDeclared(`"prepTime":"PT10H","cookTime":"PT30H"`) + start + `<p>Prep in <b>10 min</b></p><p>Cooks in <b>30 min</b></p>` + lists,
			`{"title":"Bean stew",` + both + `,"totalTimeMinutes":40}`},
		{"a yield of 0", recipeDeclared(`"recipeYield":"0"`) + start + `<p>Servings: 6</p>` + lists, `{"title":"Bean stew",` + both + `,"yields":"6"}`},
		{"all steps in one", recipeDeclared(`"recipeInstructions":[{"@type":"HowToStep","text":"Fry the onion.\nAdd the beans.\nServe."}]`),
			`{"title":"Bean stew","instructions":["Fry the onion.","Add the beans.","Serve."]}`},
		{"steps that count", recipeDeclared(`"recipeInstructions":"1. Fry the onion. 2. Add 3. of the beans. 3. Serve."`),
			`{"title":"Bean stew","instructions":["Fry the onion.","Add 3. of the beans.","Serve."]}`},
		{"steps that a script has joined", recipeDeclared(`"recipeInstructions":"Fry the onion, gently.,Add the beans.,Serve."`),
			`{"title":"Bean stew","instructions":["Fry the onion, gently.","Add the beans.","Serve."]}`},
		{"facts among the steps", recipeDeclared(`"recipeInstructions":["Fry the onion.","Serve.","Serves 4","Prep time: 10 minutes","Cuisine: Greek"]`),
			`{"title":"Bean stew","instructions":["Fry the onion.","Serve."]}`},
		{"ingredients that are things", recipeDeclared(`"recipeIngredient":[{"name":"olive oil","amount":"2","unit":"tablespoons"},{"name":"salt"},{"name":"beans","requiredQuantity":{"value":400,"unitText":"g"}}]`),
			`{"title":"Bean stew","ingredients":["2 tablespoons olive oil","salt","400 g beans"]}`},
		{"ingredients between semicolons", recipeDeclared(`"recipeIngredient":"2 tablespoons olive oil; 1 onion, chopped; salt"`),
			`{"title":"Bean stew","ingredients":["2 tablespoons olive oil","1 onion, chopped","salt"]}`},
	} {
		if got := shaped(t, c.page, recipeSchema, ShapeOptions{}); string(got.Content) != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got.Content, c.want)
		}
	}
}

const longText = `We make this stew when the evenings grow cold, and it is better on the next day: the beans take up what the onion and the oil have to give, and the pot is warm enough for everybody who comes home late. Keep what is left in a jar in the fridge, and warm it slowly.`

func recipeDeclared(members string) string {
	return `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Bean stew",` + members + `}</script>`
}

// TestRecipeFactsInManyLanguages reads the labels and the lengths of time beside lists.
func TestRecipeFactsInManyLanguages(t *testing.T) {
	const schema = `{"type":"object","properties":{"ingredients":{"type":"array","items":{"type":"string"}},"yields":{"type":"string"},"totalTimeMinutes":{"type":"integer"}}}`
	for lang, facts := range map[string]string{
		"pl": `<p>Porcje: 4</p><p>Czas całkowity: 1 godz. 10 minut</p>`,
		"cs": `<p>Porce: 4</p><p>Celková doba: 1 hod. 10 minut</p>`,
		"sv": `<p>Portioner: 4</p><p>Total tid: 1 timme och 10 minuter</p>`,
		"nb": `<p>4 porsjoner</p><p>Total tid: 1 time 10 minutter</p>`,
		"fi": `<p>Annoksia: 4</p><p>Kokonaisaika: 70 minuuttia</p>`,
		"hu": `<p>Adag: 4</p><p>Teljes idő: 70 perc</p>`,
		"tr": `<p>Porsiyon: 4</p><p>Toplam süre: 1 saat 10 dakika</p>`,
		"ru": `<p>Порции: 4</p><p>Общее время: 1 час 10 минут</p>`,
		"ja": `<p>人数：4人分</p><p>調理時間：1時間10分</p>`,
	} {
		page := `<html lang="` + lang + `"><head><title>Recipe</title></head><body><main><h1>Beans</h1>` + facts + `<h2>Ingredients</h2><ul class="ingredients"><li>400 g beans</li><li>1 onion, chopped</li><li>2 tablespoons olive oil</li></ul></main></body></html>`
		var got recipeFound
		if err := json.Unmarshal(shaped(t, page, schema, ShapeOptions{}).Content, &got); err != nil {
			t.Fatal(err)
		}
		if firstNumber.FindString(got.Yields) != "4" || got.Total == nil || *got.Total != 70 {
			t.Errorf("%s: %q %v", lang, got.Yields, minutes(got.Total))
		}
	}
}

// TestRecipeOfObjects gives a schema of objects what one of texts gets.
func TestRecipeOfObjects(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"ingredients":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"quantity":{"type":"number"},"unit":{"type":"string"}}}},
		"steps":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"}}}}}}`
	const want = `{"ingredients":[{"name":"olive oil","quantity":2,"unit":"tablespoons"},{"name":"onion, chopped","quantity":1},{"name":"salt and pepper"}],"steps":[{"text":"Fry the onion in the oil."},{"text":"Season and serve."}]}`
	for name, page := range map[string]string{
		"shown":    `<title>Onion recipe</title><main><h1>Onions</h1><h2>Ingredients</h2><div class="x"><div class="row"><span>2</span> <span>tablespoons</span> <span>olive oil</span></div><div class="row"><span>1</span> <span>onion, chopped</span></div><div class="row"><span>salt and pepper</span></div></div><h2>Method</h2><ol><li>Fry the onion in the oil.</li><li>Season and serve.</li></ol></main>`,
		"declared": recipeDeclared(`"recipeIngredient":["2 tablespoons olive oil","1 onion, chopped","salt and pepper"],"recipeInstructions":["Fry the onion in the oil.","Season and serve."]`),
	} {
		if got := shaped(t, page, schema, ShapeOptions{}); string(got.Content) != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got.Content, want)
		}
	}
}
