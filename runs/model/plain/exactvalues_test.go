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

func TestWhatIsAskedForInAUnit(t *testing.T) {
	t.Parallel()
	const page = `<h1>Lamp</h1><dl><dt>Weight (kg)</dt><dd>about 1.3</dd><dt>Length</dt><dd>about 20 cm</dd><dt>Width</dt><dd>200 mm</dd><dt>Cost</dt><dd>on request</dd></dl>`
	for _, test := range []struct{ task, schema, want string }{
		{`return the "Weight (kg)"`, "", `{"Weight (kg)":"about 1.3"}`},
		{"return it", props("weightKg"), `{"weightKg":"about 1.3"}`},
		{"return it", props("weightKg:number"), ""},
		{"return it", props("lengthCm"), `{"lengthCm":"about 20 cm"}`},
		{"return it", props("lengthCm:number"), ""},
		{"return it", props("lengthMm"), ""},
		{"return it", props("widthCm:number"), `{"widthCm":20}`},
		{"return it", props("widthCm:integer"), `{"widthCm":20}`},
		{"return it", props("costEur"), ""},
		{"return it", `{"type":"object","properties":{"widthCm":{"type":["null","string"]}}}`, ""},
		{"return it", `{"type":"object","properties":{"widthCm":{"type":["string","number"]}}}`, `{"widthCm":20}`},
		{"return it", `{"type":"object","properties":{"widthMm":{"type":["null","string"]}}}`, `{"widthMm":"200 mm"}`},
	} {
		if got, _ := result(t, page, test.task, test.schema); got != test.want {
			t.Errorf("%s %s: %s", test.task, test.schema, cmp.Diff(test.want, got))
		}
	}
}
