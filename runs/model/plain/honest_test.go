package plain

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/internal/pagedata"
	"github.com/drover-go/drover/runs/model"
)

// These tests hold the one rule of this model: it does what the words say, or
// it says that it cannot.

const (
	orders = `<h1>Your account</h1><h2>Orders</h2><table><tr><th>Order</th><th>Date</th><th>Total</th><th>State</th></tr>
		<tr><td><a href="/o/1001">#1001</a></td><td>2 May</td><td>€12.00</td><td>sent</td></tr>
		<tr><td><a href="/o/1003">#1003</a></td><td>3 May</td><td>€30.50</td><td>open</td></tr>
		<tr><td><a href="/o/10030">#10030</a></td><td>4 May</td><td>€7.00</td><td>open</td></tr></table>
		<h2>Addresses</h2><table><tr><th>Street</th><th>City</th></tr><tr><td>1 Main St</td><td>Bern</td></tr><tr><td>2 Side St</td><td>Basel</td></tr></table>`
	pricePage = `<h1>Toaster</h1><dl><dt>Price</dt><dd>€20</dd><dt>CEO</dt><dd>Jane Doe</dd><dt>Weight</dt><dd>1.3 kg</dd><dt>First name</dt><dd>Tom</dd><dt>Date of birth</dt><dd>2 May 1980</dd></dl>`
	twoPrices = `<h1>Toaster</h1><dl><dt>Sale price</dt><dd>€20</dd><dt>Original price</dt><dd>€25</dd></dl>`
)

// result is what a run over one page comes to.
func result(t *testing.T, page, task, schema string) (out string, missing string) {
	t.Helper()
	m := &machine{request: model.Request{ResultSchema: json.RawMessage(schema)}, reads: readPage(t, task, page)}
	steps, err := parse(task)
	if err != nil {
		t.Fatal(err)
	}
	m.steps = steps
	got, missing := m.result()
	return string(got), missing
}

func props(names ...string) string {
	for i, n := range names {
		name, typ, ok := strings.Cut(n, ":")
		if !ok {
			typ = "string"
		}
		names[i] = `"` + name + `":{"type":"` + typ + `"}`
	}
	return `{"type":"object","properties":{` + strings.Join(names, ",") + `}}`
}

func TestRowsAndTablesAreTheOnesThatAreNamed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ page, task, want, missing string }{
		{orders, "return the total of order #1003", `{"total":"€30.50"}`, ""},
		{orders, "return the total of order 1003", `{"total":"€30.50"}`, ""},
		{orders, "return the total and the state of #1001", `{"total":"€12.00","state":"sent"}`, ""},
		{orders, `return the "Total" of "#10030"`, `{"Total":"€7.00"}`, ""},
		{orders, "return the url of order 1001", `{"url":"https://shop.example/o/1001"}`, ""},
		{orders, "return order #1003", `{"Order":"#1003","Date":"3 May","Total":"€30.50","State":"open"}`, ""},
		{orders, `return the row "#1003"`, `{"Order":"#1003","Date":"3 May","Total":"€30.50","State":"open"}`, ""},
		{orders, "return the first order", `{"Order":"#1001","Date":"2 May","Total":"€12.00","State":"sent"}`, ""},
		{orders, "return the last order", `{"Order":"#10030","Date":"4 May","Total":"€7.00","State":"open"}`, ""},
		{orders, "return the state of the second order", `{"state":"open"}`, ""},
		{orders, "return the addresses table", `{"addresses table":[{"Street":"1 Main St","City":"Bern"},{"Street":"2 Side St","City":"Basel"}]}`, ""},
		{orders, `return the "Addresses" table`, `{"rows":[{"Street":"1 Main St","City":"Bern"},{"Street":"2 Side St","City":"Basel"}]}`, ""},
		{orders, "return the second table", `{"second table":[{"Street":"1 Main St","City":"Bern"},{"Street":"2 Side St","City":"Basel"}]}`, ""},
		{orders, "return the city of each address", `{"rows":[{"city":"Bern"},{"city":"Basel"}]}`, ""},
		{orders, "return the orders with total", `{"rows":[{"total":"€12.00"},{"total":"€30.50"},{"total":"€7.00"}]}`, ""},
		{catalogue, "return the price of the Stool", `{"price":"€64.00"}`, ""},
		{pricePage, "return the price of the Toaster", `{"price":"€20"}`, ""},
		{pricePage, "return the first name", `{"first name":"Tom"}`, ""},
		{pricePage, "return the date of birth", `{"date of birth":"2 May 1980"}`, ""},
		// What is not there, or not certain.
		{orders, "return the fifth order", "", "there is no row 5"},
		{orders, "return the second row", "", "several tables"},
		{orders, "return the total of order #2000", "", `"order #2000"`},
		{orders, "return the total of the open", "", "2 rows have"},
		{orders, "return the first 2 orders", "", "nothing that is called"},
		{orders, "return the open orders", "", "nothing that is called"},
		{orders, "return the invoices", "", "nothing that is called"},
		{catalogue, "return the price of the Kettle", "", `"Kettle"`},
		{pricePage, "return the price of the Kettle", "", `"Kettle"`},
		{pricePage, "return the kettle price", "", `"kettle price"`},
		{pricePage, "return the total", "", `"total"`},
		{"<title>x</title>", "return the heading", "", "no heading"},
		{"<dl><dt>Price</dt><dd>1</dd><dt>Price</dt><dd>2</dd></dl>", "return the price", "", "several values"},
		{"<h2>New</h2>", "return the new", "", "nothing that is called"},
	} {
		got, missing := result(t, test.page, test.task, "")
		if got != test.want || !strings.Contains(missing, test.missing) || (missing == "") != (test.missing == "") {
			t.Errorf("%q: %s (%s)", test.task, cmp.Diff(test.want, got), missing)
		}
	}
}

func TestNothingIsGivenUnderANameItDoesNotHave(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ page, task, schema, want string }{
		{pricePage, "return the product", props("salePrice", "originalPrice"), ""},
		{pricePage, "return the product", props("price", "salePrice", "originalPrice"), `{"price":"€20"}`},
		{pricePage, "return the product", props("ceoSalary", "price"), `{"price":"€20"}`},
		{pricePage, "return the product", props("ceo"), `{"ceo":"Jane Doe"}`},
		{twoPrices, "return the product", props("price"), ""},
		{twoPrices, "return the product", props("salePrice:number", "originalPrice:number"), `{"salePrice":20,"originalPrice":25}`},
		{twoPrices, "return the product", props("originalPrice:number", "price:number"), `{"originalPrice":25}`},
		{pricePage, "return the product", props("toasterPrice:number"), `{"toasterPrice":20}`},
		{pricePage, "return the product", props("kettlePrice:number"), ""},
		{pricePage, "return the product", props("weightGrams:number"), `{"weightGrams":1300}`},
		{pricePage, "return the product", props("weightGrams:string"), ""},
		{pricePage, "return the product", props("weightKg:string"), `{"weightKg":"1.3 kg"}`},
		{pricePage, "return the product", props("weightMetres:number"), ""},
		{pricePage, "return the product", props("priceCents:integer"), `{"priceCents":2000}`},
		{"<h1>Lamp</h1><dl><dt>Weight (kg)</dt><dd>1.3</dd></dl>", "return it", props("weightGrams:number"), `{"weightGrams":1300}`},
		{"<h1>Lamp</h1><dl><dt>Weight (kg)</dt><dd>about 1.3</dd></dl>", "return it", props("weightGrams:number"), ""},
		{pricePage, "return the product", props("weightKg:number", "priceEur:number"), `{"weightKg":1.3,"priceEur":20}`},
		{pricePage, "return the product", props("priceUsd:number"), ""},
		{pricePage, "return the product", props("cost", "price"), `{"price":"€20"}`},
		{pricePage, "return the product", props("title", "name"), `{"title":"Toaster"}`},
		{detail, "return the product", props("features:array"), ""},
		{catalogue, `return the price of "Kettle"`, props("price:number"), ""},
		{catalogue, `return the price of "Stool"`, props("price:number"), `{"price":64.00}`},
		{catalogue, "return the price of the Stool", props("price:number"), `{"price":64.00}`},
		{orders, "return order #1003", props("order", "total:number"), `{"order":"#1003","total":30.50}`},
		{orders, "return the first order", props("order", "total:number"), `{"order":"#1001","total":12.00}`},
		{orders, "return the ninth order", props("order", "total:number"), ""},
		{pricePage, "return the first name", props("firstName"), `{"firstName":"Tom"}`},
		{catalogue, "return the products", `{"type":"array","items":` + props("salePrice", "originalPrice") + `}`, ""},
		{catalogue, "return the products", `{"type":"array","items":` + props("price:number", "cost:number", "name") + `}`, `[{"price":1089.50,"name":"Harbour lamp"},{"price":64.00,"name":"Stool"}]`},
		{"<h1>Deal</h1><dl><dt>Name</dt><dd>Bo</dd></dl>", "return it", `{"type":"object","properties":{"buyer":` + props("name") + `,"seller":` + props("name") + `}}`, ""},
		{"<dl><dt>Buyer name</dt><dd>Bo</dd><dt>Seller name</dt><dd>Al</dd></dl>", "return it", `{"type":"object","properties":{"buyer":` + props("name") + `,"seller":` + props("name") + `}}`, `{"buyer":{"name":"Bo"},"seller":{"name":"Al"}}`},
		{pricePage, "return it", `{"type":"object","properties":{"price":{"type":"number"},"offer":` + props("price:number") + `}}`, `{"price":20,"offer":{"price":20}}`},
		{"<p>no heading</p>", "return it", props("name", "heading"), ""},
		// A placeholder is no number, whatever figures are in it.
		{"<dl><dt>Pin</dt><dd>%pin1%</dd><dt>Open</dt><dd>%1%</dd><dt>Sum</dt><dd>€%sum%5</dd></dl>", "return it", props("pin:number", "open:boolean", "sum:integer"), ""},
		{"<dl><dt>Pin</dt><dd>%pin1%</dd></dl>", "return it", `{"type":"object","properties":{"pin":{"enum":[1,2]}}}`, ""},
		{"<dl><dt>Pin</dt><dd>%pin1%</dd></dl>", "return it", props("pin"), `{"pin":"%pin1%"}`},
	} {
		got, _ := result(t, test.page, test.task, test.schema)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q %s: %s", test.task, test.schema, diff)
		}
	}
}

func TestSchemasThatNameNothing(t *testing.T) {
	t.Parallel()
	const all = `{"Sale price":"€20","Original price":"€25"}`
	for _, test := range []struct{ page, task, schema, want string }{
		{twoPrices, "return everything", `{}`, all},
		{twoPrices, "return everything", `{"type":"object"}`, all},
		{twoPrices, "return it", `{"type":"object","additionalProperties":true}`, all},
		{twoPrices, "return it", `{"type":"object","additionalProperties":{"type":"number"}}`, `{"Sale price":20,"Original price":25}`},
		{twoPrices, `return the "Sale price"`, `{"type":"object"}`, `{"Sale price":"€20"}`},
		{pricePage, "return the price and the weight", `{}`, `{"price":"€20","weight":"1.3 kg"}`},
		{pricePage, "return the stock", `{}`, ""},
		{cards, "return the products", `{"type":"array"}`, `[{"name":"Harbour lamp","price":"€89.50"},{"name":"Stool","price":"€64.00"}]`},
		{orders + "<h2>Open now</h2>", "return the open orders", `{"type":"object","properties":{"orders":{"type":"array"}}}`, ""},
		{orders, "return it", `{"type":"object","properties":{"addresses":{"type":"array","items":{}}}}`, `{"addresses":[{"Street":"1 Main St","City":"Bern"},{"Street":"2 Side St","City":"Basel"}]}`},
		{pricePage, "return it", `{"type":"object","properties":{"price":{"anyOf":[{"type":"boolean"},{"type":"null"}]},"ceo":{"anyOf":[{"type":"number"},{"type":"string"}]}}}`, `{"price":null,"ceo":"Jane Doe"}`},
		{cards, "return everything", `{}`, `{"New this week":[{"name":"Harbour lamp","price":"€89.50"},{"name":"Stool","price":"€64.00"}]}`},
		{orders, "return the first order", `{"type":"object"}`, `{"Order":"#1001","Date":"2 May","Total":"€12.00","State":"sent"}`},
	} {
		got, _ := result(t, test.page, test.task, test.schema)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q %s: %s", test.task, test.schema, diff)
		}
	}
}

func TestReadingsOfSeveralPagesAreNotMixed(t *testing.T) {
	t.Parallel()
	page := func(name, price, task string) reading {
		return readPage(t, task, "<h1>"+name+"</h1><dl><dt>Price</dt><dd>"+price+"</dd></dl>")[0]
	}
	schema := json.RawMessage(props("kettlePrice:number", "toasterPrice:number", "lampPrice:number"))
	for _, test := range []struct {
		reads []reading
		want  string
	}{
		{[]reading{page("Kettle", "€1", "read the page"), page("Toaster", "€2", "read the page")}, `{"kettlePrice":1,"toasterPrice":2}`},
		{[]reading{page("A", "€1", "read the kettle price"), page("B", "€2", "read the toaster price")}, `{"kettlePrice":1,"toasterPrice":2}`},
		{[]reading{page("A", "€1", "read the page"), page("B", "€2", "read the page")}, ""},
		{[]reading{page("A", "€1", "read the kettle price and the toaster price")}, ""},
	} {
		if got, _ := shaped(schema, test.reads); string(got) != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	steps, err := parse("read the price\nreturn the price")
	if err != nil {
		t.Fatal(err)
	}
	steps[0].verb = returnVerb
	m := &machine{steps: steps, reads: []reading{page("A", "€1", "return the price"), page("B", "€2", "return the price")}}
	if got, _ := m.result(); string(got) != `{"price":["€1","€2"]}` {
		t.Errorf("%s", got)
	}
}

func TestTwoTablesThatFitAreNoneOfThem(t *testing.T) {
	t.Parallel()
	page := `<h2>Now</h2><table><tr><th>Name</th><th>Price</th></tr><tr><td>A</td><td>1</td></tr></table>
		<h2>Before</h2><table><tr><th>Name</th><th>Price</th></tr><tr><td>B</td><td>5</td></tr></table>`
	schema := func(name string) string {
		return `{"type":"object","properties":{"` + name + `":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}},"required":["name","price"]}}}}`
	}
	if got, missing := result(t, page, "return the rows", schema("things")); got != "" || !strings.Contains(missing, `several tables fit: "Now", "Before"`) {
		t.Errorf("%s %s", got, missing)
	}
	for task, name := range map[string]string{"return it": "before", `return the "Before" table`: "things", "return the before table": "things"} {
		if got, missing := result(t, page, task, schema(name)); got != `{"`+name+`":[{"name":"B","price":5}]}` {
			t.Errorf("%s: %s %s", task, got, missing)
		}
	}
}

func TestHalfATableIsNotReturnedAsOne(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]string{
		"return the products": "", "return everything": "", "return the prices": "", "return the last product": "",
		`return the "Price" of "Stool"`: `{"Price":"€64.00"}`,
	} {
		reads := readPage(t, task, catalogue)
		reads[0].data.Incomplete = true
		reads[0].data.Tables = reads[0].data.Tables[:1]
		out, missing := reads[0].object()
		if missing == "" != (want != "") || missing == "" && string(encode(out)) != want {
			t.Errorf("%s: %s %s", task, encode(out), missing)
		}
		for _, schema := range []string{`{"type":"array"}`, `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":` + props("name") + `}`} {
			if got, _ := shaped(json.RawMessage(schema), reads); got != nil && want == "" {
				t.Errorf("%s %s: %s", task, schema, got)
			}
		}
	}
}

func TestALongTableIsFilledInTime(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("<h1>Big</h1><table><tr><th>Name</th><th>SKU</th><th>Price</th><th>Stock</th></tr>")
	for range 19_000 {
		b.WriteString("<tr><td>Thing</td><td>A-1</td><td>€1.50</td><td>In stock</td></tr>")
	}
	b.WriteString("</table>")
	schema := `{"type":"array","items":` + props("name", "sku", "price:number", "inStock:boolean") + `}`
	reads := readPage(t, "return the products", b.String())
	f := newFiller(json.RawMessage(schema), reads)
	v, ok := f.fill(f.top, nil, source{reads: f.reads})
	compared := len(f.reads[0].known.scores)
	if list, _ := v.([]any); !ok || len(list) < 19_000 || compared > 50 || len(f.shapes) > 10 {
		t.Errorf("%d rows, %d names compared, %d schemas read", len(list), compared, len(f.shapes))
	}
}

func BenchmarkLongTable(b *testing.B) {
	d := pagedata.Data{URL: "https://a.example", Tables: []pagedata.Table{{Columns: []string{"Name", "SKU", "Price", "Stock"}}}}
	for range 20_000 {
		d.Tables[0].Rows = append(d.Tables[0].Rows, []pagedata.Cell{{Text: "Thing"}, {Text: "A-1"}, {Text: "€1.50"}, {Text: "In stock"}})
	}
	schema := json.RawMessage(`{"type":"array","items":` + props("name", "sku", "price:number", "inStock:boolean") + `}`)
	for b.Loop() {
		if got, _ := shaped(schema, []reading{{data: d}}); got == nil {
			b.Fatal("nothing")
		}
	}
}
