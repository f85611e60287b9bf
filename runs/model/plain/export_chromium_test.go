package plain_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model/plain"
)

func TestExportedRunsDoTheSame(t *testing.T) {
	t.Parallel()
	provider := chrometest.Provider(t)
	url := site(t)
	vars := map[string]string{"email": demosite.Email, "password": demosite.Password}
	const products = `{"type":"object","properties":{"products":{"type":"array","minItems":1,"items":{"type":"object",
		"properties":{"name":{"type":"string"},"price":{"type":"number"},"inStock":{"type":"boolean"}},"required":["name","price","inStock"]}}},"required":["products"]}`
	for name, test := range map[string]struct{ task, schema, want string }{
		"shop": {
			task: `Go to ` + url + `. Click "Sign in". Type %email% into "Email" and %password% into "Password", and press Enter. Type "lamp" into "Search". Click "Lamps". Return the products.`, schema: products,
			want: "Go to " + url + "\nClick \"Sign in\"\nType %email% into \"Email\"\nType %password% into \"Password\" and press Enter\n" +
				"Type \"lamp\" into \"Search\"\nClick \"Lamps\"\nReturn the result",
		},
		"form": {
			task: `Go to ` + url + `/form, type "Ada" into "Name", enter "a@b.example" in the email field, select "Blue" from "Colour", check "I agree", uncheck "News", ` +
				`select "Large", click "Order", and return "name", "mail", "colour", "terms" and "size"`,
			want: "Go to " + url + "/form\nType \"Ada\" into \"Name\"\nType \"a@b.example\" into \"E-mail\"\nSelect \"Blue\" from \"Colour\"\nCheck \"I agree\"\nUncheck \"News\"\n" +
				"Click \"Large\"\nClick \"Order\"\nReturn the result",
		},
		"widgets": {
			task: `Go to ` + url + `/widgets; hover over "More", click "Below", double-click "Item", drag "Card" to "Box", select "Red" and "Blue" from "Tags", press Escape, scroll to the end and return "Done"`,
			want: "Go to " + url + "/widgets\nHover over \"More\"\nClick \"Below\"\nDouble-click \"Item\"\nDrag \"Card\" to \"Box\"\nSelect \"Red\" and \"Blue\" from \"Tags\"\nPress Escape\n" +
				"Scroll to the end\nReturn the result",
		},
		"row": {
			task: `Go to ` + url + `/form; click "Details" in the row "Cup"; return the heading`,
			want: "Go to " + url + "/form\nClick \"Details\" in the row \"Cup\"\nReturn the heading",
		},
		"wait": {
			task: `Go to ` + url + `/form. Click "Wait for it". Wait for "Here it is". Click "Here it is". Return the heading.`,
			want: "Go to " + url + "/form\nClick \"Wait for it\"\nWait for \"Here it is\"\nClick \"Here it is\"\nReturn the heading",
		},
		"far down": {
			task: `Go to ` + url + `/big. Click "The very end". Return the heading.`,
			want: "Go to " + url + "/big\nClick \"The very end\"\nReturn the heading",
		},
		"two pages": {
			task:   `Go to ` + url + `/products/ledger-chair. Read the product. Go to ` + url + `/form. Return the result.`,
			schema: `{"type":"object","properties":{"sku":{"type":"string"},"price":{"type":"number"}},"required":["sku","price"]}`,
			want:   "Go to " + url + "/products/ledger-chair\nRead the page\nGo to " + url + "/form\nReturn the result",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := follow(t, chrometest.Session(t, provider), test.task, test.schema, vars)
			if !first.end.Success {
				t.Fatalf("%+v\n%s", first.end, &first.log)
			}
			got := plain.Export(plain.Transcript{Messages: first.messages, Result: first.end.Result, ResultSchema: []byte(test.schema)})
			if diff := cmp.Diff(test.want, got.Task); diff != "" || len(got.Unsaid) > 0 {
				t.Fatalf("%v %s", got.Unsaid, diff)
			}
			again := follow(t, chrometest.Session(t, provider), got.Task, string(got.ResultSchema), vars)
			if !again.end.Success || !cmp.Equal(decoded(t, first.end.Result), decoded(t, again.end.Result)) {
				t.Errorf("%+v, %s instead of %s\n%s", again.end, again.end.Result, first.end.Result, &again.log)
			}
		})
	}
}

func decoded(t *testing.T, raw json.RawMessage) (v any) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
