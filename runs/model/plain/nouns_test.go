package plain

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

const (
	kettle      = `<h1>Kettle</h1><dl><dt>Price</dt><dd>€20</dd></dl>`
	compare     = `<h1>Compare</h1><h2>Kettle</h2><p>Price: €20</p><h2>Toaster</h2><p>Price: €30</p>`
	related     = `<h1>Kettle</h1><p>It boils.</p><h2>Related products</h2><p>Price: €3</p>`
	relatedList = `<h1>Kettle</h1><p>It boils.</p><h2>Related products</h2><ul><li><a href="/d">Kettle descaler</a> <span class="price">€3</span></li></ul>`
	bothPrices  = `<h1>Kettle</h1><p>Price: €20</p><h2>Related products</h2><p>Price: €3</p>`
	inFooter    = `<h1>Kettle</h1><footer><p>Phone: 123</p></footer>`
	captioned   = `<h1>Account</h1><table><caption>Orders</caption><tr><th>Order</th><th>Customer</th><th>Total</th></tr><tr><td>#1</td><td>Ada</td><td>€5</td></tr><tr><td>#2</td><td>Bo</td><td>€6</td></tr><tfoot><tr><td>Total</td><td></td><td>€11</td></tr></tfoot></table>`
	customers   = `<h1>Customers</h1><h2>All accounts</h2><table><tr><th>Name</th><th>City</th></tr><tr><td>Ada</td><td>Bern</td></tr><tr><td>Bo</td><td>Basel</td></tr></table>`
)

func TestNounsAreMatchedOrRefused(t *testing.T) {
	t.Parallel()
	list := `{"type":"array","items":` + props("name", "city") + `}`
	for _, test := range []struct{ page, task, schema, want, missing string }{
		{kettle, "return the toaster", props("name", "price:number"), "", `not about "toaster"`},
		{kettle, `return "Toaster"`, props("name", "price:number"), "", `not about "Toaster"`},
		{kettle, "return the kettle", props("name", "price:number"), `{"name":"Kettle","price":20}`, ""},
		{kettle, "return the product details", props("name", "price:number"), `{"name":"Kettle","price":20}`, ""},
		{kettle, "return the price", props("price:number"), `{"price":20}`, ""},
		{compare, "return the Toaster", props("name"), "", "only as a part"},
		{customers, "return the customers", list, `[{"name":"Ada","city":"Bern"},{"name":"Bo","city":"Basel"}]`, ""},
		{customers, "return the buttons", list, "", `not about "buttons"`},
		// What the page shows about other things.
		{related, "return the price of the Kettle", "", "", `"price"`},
		{related, "return the price of the Kettle", props("price:number"), "", "nothing on the page fits"},
		{related, "return the price", "", "", `"price"`},
		{related, "return the product", props("name", "price:number"), `{"name":"Kettle"}`, ""},
		{relatedList, "return the price of the Kettle", "", "", `"price"`},
		{relatedList, "return the price of the Kettle", props("price:number"), "", "nothing on the page fits"},
		{relatedList, "return the product", props("name", "price:number"), `{"name":"Kettle"}`, ""},
		{bothPrices, "return the price of the Kettle", "", `{"price":"€20"}`, ""},
		{inFooter, "return the product", props("name", "phone"), `{"name":"Kettle"}`, ""},
		{inFooter, "return the phone", "", `{"phone":"123"}`, ""},
		{inFooter, "return the phone of the Kettle", "", "", `"phone"`},
		// Whole rows.
		{captioned, "return the orders", "", `{"rows":[{"Order":"#1","Customer":"Ada","Total":"€5"},{"Order":"#2","Customer":"Bo","Total":"€6"}]}`, ""},
		{captioned, "return the last order", "", `{"Order":"#2","Customer":"Bo","Total":"€6"}`, ""},
		{captioned, "return the totals", "", `{"rows":[{"totals":"€5"},{"totals":"€6"}]}`, ""},
		{customers, "return the customers", "", `{"rows":[{"Name":"Ada","City":"Bern"},{"Name":"Bo","City":"Basel"}]}`, ""},
		{customers, "return the buttons", "", "", `"buttons"`},
	} {
		got, missing := result(t, test.page, test.task, test.schema)
		if diff := cmp.Diff(test.want, got); diff != "" || !strings.Contains(missing, test.missing) || (missing == "") != (test.missing == "") {
			t.Errorf("%q %s: %s (%s)", test.task, test.schema, diff, missing)
		}
	}
}

func TestOptionalValuesThatDoNotFitAreLeftOut(t *testing.T) {
	t.Parallel()
	const properties = `{"type":"object","$defs":{"small":{"type":"number","maximum":5}},"properties":{"name":{"type":"string"},"price":{"$ref":"#/$defs/small"},"url":{"type":"string","maxLength":3}}`
	for schema, want := range map[string]string{
		properties + `}`:                      `{"name":"Kettle"}`,
		properties + `,"required":["price"]}`: `{"name":"Kettle","price":20}`, // which the run refuses
	} {
		if got, missing := result(t, kettle, "return the product", schema); got != want {
			t.Errorf("%s: %s %s", schema, got, missing)
		}
	}
}

func TestVariablesThatAreNotGivenAreRefused(t *testing.T) {
	t.Parallel()
	given := []model.Variable{{Name: "email"}}
	for task, name := range map[string]string{
		"go to https://a.example/%nobody%/x":             "nobody",
		"go to https://a.example/?q=%addr%":              "addr",
		`go to a.example, type %password% into "Secret"`: "password",
		`type "to %who%" into "Name"`:                    "who",
		`type %email% into "Email"`:                      "",
		"go to https://a.example/?q=a%20b%20c%C3%A9%20":  "",
		`type "50%-60%" into "Range"`:                    "",
	} {
		_, err := New().Generate(t.Context(), model.Request{Task: task, Variables: given})
		if (err == nil) != (name == "") || err != nil && !strings.Contains(err.Error(), "%"+name+"%") {
			t.Errorf("%s: %v", task, err)
		}
	}
}

func TestRadioButtonsAreSelectedInTheirGroup(t *testing.T) {
	t.Parallel()
	chosen := inside(e("radio", "Small", "e5"))
	chosen.Checked = true
	elements := []browser.Element{
		e("group", "Size", ""), inside(e("radio", "Large", "e1")), inside(e("radio", "Tiny", "e2")),
		e("group", "Print", ""), inside(e("radio", "Large", "e3")), chosen,
	}
	for task, want := range map[string]string{
		`choose "Large" as the size`:   `click {"ref":"e1"}`,
		`select "Large" from "Print"`:  `click {"ref":"e3"}`,
		`select "Small" from "Print"`:  `done {"success":true}`,
		`select "Medium" from "Print"`: `"success":false`,
	} {
		got := talk(t, model.Request{Task: task}, func(string, string) model.Output { return page("https://a.example", 0, 4000, elements...) })
		if !strings.Contains(got, want) || strings.Contains(want, "done") && strings.Contains(got, "click") {
			t.Errorf("%s: %s", task, got)
		}
	}
}
