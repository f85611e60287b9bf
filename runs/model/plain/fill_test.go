package plain

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/fetch/extract/sight"
	"github.com/drover-go/drover/internal/schema"
)

// readPage is what a read step keeps of a page.
func readPage(t *testing.T, task, body string) []reading {
	t.Helper()
	d, err := sight.Data(`<html lang="en"><head><title>The shop</title></head><body>`+body+`</body></html>`, "https://shop.example/x")
	if err != nil {
		t.Fatal(err)
	}
	steps, err := parse(task)
	if err != nil {
		t.Fatal(err)
	}
	return []reading{{want: steps[len(steps)-1].want, data: d, text: "all the text"}}
}

const (
	catalogue = `<h1>Catalogue</h1><p role="status">2 products</p><table><thead><tr><th>Name</th><th>Category</th><th>SKU</th><th>Price</th><th>Availability</th></tr></thead>
		<tr><td><a href="/p/lamp">Harbour lamp</a></td><td>Lamps</td><td>LMP-1</td><td>€1,089.50</td><td>In stock</td></tr>
		<tr><td><a href="/p/stool">Stool</a></td><td>Chairs</td><td>CHR-2</td><td>€64.00</td><td>Sold out</td></tr></table>
		<h2>Shipping</h2><table><tr><th>To</th><th>Days</th><th>Cost</th></tr><tr><td>Harbour</td><td>1</td><td>€5</td></tr></table>`
	detail = `<h1>Harbour lamp</h1><p>A lamp for people who read late.</p>
		<dl><dt>Price</dt><dd>€89.50</dd><dt>SKU</dt><dd>LMP-1</dd><dt>Availability</dt><dd>In stock</dd><dt>Weight</dt><dd>1350 g</dd><dt>Colours</dt><dd>red, blue</dd></dl>
		<h2>What it can do</h2><ul><li>Dims from 5 to 100 %</li><li>Bulb can be replaced</li></ul>`
	cards = `<h1>Things that last</h1><h2>New this week</h2><ul class="cards"><li><a href="/p/lamp">Harbour lamp</a> <span class="price">€89.50</span></li>
		<li><a href="/p/stool">Stool</a> <span class="price">€64.00</span></li></ul>`
)

func TestFilling(t *testing.T) {
	t.Parallel()
	object := func(props string, required string) string {
		return fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s],"additionalProperties":false}`, props, required)
	}
	for name, test := range map[string]struct{ page, task, schema, want string }{
		"array of objects from a table": {
			catalogue, "return the products",
			object(`"products":{"type":"array","minItems":1,"items":`+object(`"name":{"type":"string"},"price":{"type":"number"},"inStock":{"type":"boolean"},"url":{"type":"string","format":"uri"}`, `"name","price","inStock"`)+`}`, `"products"`),
			`{"products":[{"name":"Harbour lamp","price":1089.50,"inStock":true,"url":"https://shop.example/p/lamp"},{"name":"Stool","price":64.00,"inStock":false,"url":"https://shop.example/p/stool"}]}`,
		},
		"root array": {
			catalogue, "return the products", `{"type":"array","items":{"type":"object","properties":{"title":{"type":"string"},"sku":{"type":"string"}},"required":["title","sku"]}}`,
			`[{"title":"Harbour lamp","sku":"LMP-1"},{"title":"Stool","sku":"CHR-2"}]`,
		},
		"the other table by its name": {
			catalogue, "return the shipping", object(`"shipping":{"type":"array","items":`+object(`"cost":{"type":"number"},"days":{"type":"integer"}`, `"cost","days"`)+`}`, `"shipping"`),
			`{"shipping":[{"cost":5,"days":1}]}`,
		},
		"a row by its name": {
			catalogue, `return the price and availability of "Stool"`, object(`"price":{"type":"number"},"availability":{"type":"string"}`, `"price","availability"`),
			`{"price":64.00,"availability":"Sold out"}`,
		},
		"array of objects from cards": {
			cards, "return the products", object(`"items":{"type":"array","items":`+object(`"name":{"type":"string"},"price":{"type":"number"},"link":{"type":"string"}`, `"name","price","link"`)+`}`, `"items"`),
			`{"items":[{"name":"Harbour lamp","price":89.50,"link":"https://shop.example/p/lamp"},{"name":"Stool","price":64.00,"link":"https://shop.example/p/stool"}]}`,
		},
		"object from labelled values": {
			detail, "return the product", object(`"name":{"type":"string"},"price":{"type":"number"},"sku":{"type":"string"},"inStock":{"type":"boolean"},"weightGrams":{"type":"integer"},"colours":{"type":"array","items":{"type":"string"}},"url":{"type":"string"},"ean":{"type":["string","null"]}`, `"name","price","sku","inStock","weightGrams","colours","url","ean"`),
			`{"name":"Harbour lamp","price":89.50,"sku":"LMP-1","inStock":true,"weightGrams":1350,"colours":["red","blue"],"url":"https://shop.example/x","ean":null}`,
		},
		"nested and referenced": {
			detail, "return the product", `{"$defs":{"money":{"type":"object","properties":{"price":{"type":"number"}},"required":["price"]}},"type":"object","properties":{"offer":{"$ref":"#/$defs/money"},"title":{"type":"string"}},"required":["offer","title"]}`,
			`{"offer":{"price":89.50},"title":"Harbour lamp"}`,
		},
		"list of strings": {
			detail, "return the features", object(`"features":{"type":"array","items":{"type":"string"}}`, `"features"`),
			`{"features":["Dims from 5 to 100 %","Bulb can be replaced"]}`,
		},
		"column of numbers": {
			catalogue, "return the prices", object(`"prices":{"type":"array","items":{"type":"number"}}`, `"prices"`),
			`{"prices":[1089.50,64.00]}`,
		},
		"enum": {
			detail, "return the product", object(`"availability":{"enum":["IN_STOCK","SOLD_OUT"]}`, `"availability"`),
			`{"availability":"IN_STOCK"}`,
		},
		"titles are hints": {
			detail, "return the product", object(`"p":{"type":"number","title":"Price"},"w":{"type":"string","description":"the weight"}`, `"p","w"`),
			`{"p":89.50,"w":"1350 g"}`,
		},
		"page title":  {detail, "return the page title", object(`"pageTitle":{"type":"string"}`, `"pageTitle"`), `{"pageTitle":"The shop"}`},
		"root string": {detail, "return the title", `{"type":"string"}`, `"The shop"`},
		"a title, and a name": {
			`<dl><dt>Name</dt><dd>Ada</dd></dl>`, "return the title", object(`"Title":{"type":"string"}`, `"Title"`), `{"Title":"The shop"}`,
		},
		"a title that is one":       {`<dl><dt>Title</dt><dd>A book</dd></dl>`, "return the title", object(`"title":{"type":"string"}`, `"title"`), `{"title":"A book"}`},
		"the title of what is said": {`<h1>Harbour lamp</h1><dl><dt>Name</dt><dd>Ada</dd></dl>`, "return it", object(`"title":{"type":"string"}`, `"title"`), `{"title":"Ada"}`},
		"root number":               {detail, `return "Price"`, `{"type":"number"}`, `89.50`},
		"any of":                    {detail, "return it", object(`"price":{"anyOf":[{"type":"number"},{"type":"null"}]}`, `"price"`), `{"price":89.50}`},
		"all of":                    {detail, "return it", `{"allOf":[{"type":"object","properties":{"sku":{"type":"string"}}},{"properties":{"price":{"type":"number"}},"required":["price"]}]}`, `{"sku":"LMP-1","price":89.50}`},
	} {
		compiled, err := schema.Compile([]byte(test.schema), schema.Options{AssertFormat: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, missing := shaped(json.RawMessage(test.schema), readPage(t, test.task, test.page))
		if got == nil {
			t.Errorf("%s: nothing: %s", name, missing)
			continue
		}
		if diff := cmp.Diff(test.want, string(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if _, err := compiled.ValidateJSON(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNothingIsMadeUp(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"type":"object","properties":{"isbn":{"type":"string"}},"required":["isbn"]}`,
		`{"type":"array","items":{"type":"object","properties":{"author":{"type":"string"}}}}`,
		`{"type":"object","properties":{"self":{"$ref":"#"}}}`,
		`{"$ref":"#"}`,
		`{"type":"object"}`,
	} {
		if got, _ := shaped(json.RawMessage(schema), readPage(t, "return it", detail)); got != nil {
			t.Errorf("%s: %s", schema, got)
		}
	}
}

func TestATableWithoutWhatIsRequiredIsNotMeant(t *testing.T) {
	t.Parallel()
	page := `<h2>First</h2><table><tr><th>Name</th><th>Price</th></tr><tr><td>A</td><td>on request</td></tr></table>
		<h2>Second</h2><table><tr><th>Name</th><th>Price</th></tr><tr><td>B</td><td>5</td></tr></table>`
	const schema = `{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}},"required":["name","price"]}}`
	if got, missing := shaped(json.RawMessage(schema), readPage(t, "return them", page)); string(got) != `[{"name":"B","price":5}]` {
		t.Errorf("%s %s", got, missing)
	}
}

func TestWithoutSchema(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ page, task, want string }{
		{detail, "return the page's title", `{"title":"The shop"}`},
		{detail, "return the title and the url", `{"title":"The shop","url":"https://shop.example/x"}`},
		{detail, "return the heading", `{"heading":"Harbour lamp"}`},
		{detail, "return the text", `{"text":"all the text"}`},
		{detail, `return "Price", "SKU"`, `{"Price":"€89.50","SKU":"LMP-1"}`},
		{detail, `return the price and the weight`, `{"price":"€89.50","weight":"1350 g"}`},
		{detail, `return the "Price" of "Harbour lamp"`, `{"Price":"€89.50"}`},
		{catalogue, `return the "Catalogue" table`, `{"rows":[{"Name":"Harbour lamp","Category":"Lamps","SKU":"LMP-1","Price":"€1,089.50","Availability":"In stock"},{"Name":"Stool","Category":"Chairs","SKU":"CHR-2","Price":"€64.00","Availability":"Sold out"}]}`},
		{catalogue, `return the "Price" of "Stool"`, `{"Price":"€64.00"}`},
		{catalogue, `return "Name" and "Price"`, `{"rows":[{"Name":"Harbour lamp","Price":"€1,089.50"},{"Name":"Stool","Price":"€64.00"}]}`},
		{catalogue, "return the shipping", `{"shipping":[{"To":"Harbour","Days":"1","Cost":"€5"}]}`},
		{cards, "return the products", `{"rows":[{"name":"Harbour lamp","price":"€89.50"},{"name":"Stool","price":"€64.00"}]}`},
		{detail, "read the page", `{"Price":"€89.50","SKU":"LMP-1","Availability":"In stock","Weight":"1350 g","Colours":"red, blue","What it can do":["Dims from 5 to 100 %","Bulb can be replaced"]}`},
		{"<p>nothing</p>", "read the page", `{"title":"The shop","url":"https://shop.example/x"}`},
	} {
		got, missing := readPage(t, test.task, test.page)[0].object()
		if diff := cmp.Diff(test.want, string(encode(got))); missing != "" || diff != "" {
			t.Errorf("%q: %s %s", test.task, missing, diff)
		}
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ page, task, want string }{
		{detail, `return "Prize"`, `nothing that is called "Prize"; it shows ["Price"`},
		{detail, `return the "Price" of "Stool"`, `no table with ["Price"] and a row "Stool"`},
		{catalogue, `return the "Price" of "Kettle"`, `no row of the table has "Kettle"`},
		{"<p>x</p>", "return the table", "no table"},
		{catalogue, "return the table", `several tables: "Catalogue", "Shipping"`},
		{"<p>x</p>", `return "A"`, `nothing that is called "A"`},
	} {
		got, missing := readPage(t, test.task, test.page)[0].object()
		if !strings.Contains(missing, test.want) {
			t.Errorf("%q: %q, %s", test.task, missing, encode(got))
		}
	}
}
