package plain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValuesTakeTheFormOfTheirFormat(t *testing.T) {
	t.Parallel()
	const page = `<h1>Order</h1><dl><dt>Date</dt><dd>3 May 2024</dd><dt>Due</dt><dd>03/04/2024</dd><dt>Contact</dt><dd><a href="mailto:ada@shop.example">Ada</a></dd>
		<dt>Stock</dt><dd>In stock (12)</dd><dt>Later</dt><dd>In stock from 12 May</dd></dl>`
	for _, test := range []struct{ property, want string }{
		{`"date":{"type":"string","format":"date"}`, `{"date":"2024-05-03"}`},
		{`"date":{"type":"string","format":"date-time"}`, ""}, // no time is said
		{`"date":{"type":"string"}`, `{"date":"3 May 2024"}`},
		{`"due":{"type":"string","format":"date"}`, ""}, // April or March
		{`"contact":{"type":"string","format":"email"}`, `{"contact":"ada@shop.example"}`},
		{`"stock":{"type":"boolean"}`, `{"stock":true}`},
		{`"later":{"type":"boolean"}`, ""},
	} {
		got, _ := result(t, page, "return the order", `{"type":"object","properties":{`+test.property+`}}`)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.property, diff)
		}
	}
}
