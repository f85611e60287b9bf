package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func viewOf(t *testing.T, text string) *View {
	t.Helper()
	o, err := mustCompile(t, text, Options{}).Outline()
	if err != nil {
		t.Fatal(err)
	}
	return o.View()
}

// brief writes the types and the names of the properties.
func (v *View) brief() string {
	out := strings.Join(v.Types, "|")
	for _, p := range v.Properties {
		out += " " + p.Name
	}
	return out
}

func TestAViewHasAllThatIsSaidOfAValue(t *testing.T) {
	v := viewOf(t, `{"$defs":{"a":{"type":["number","null","string"],"title":"A","maxItems":3,"required":["x"],"properties":{"x":{},"y":{}}}},
		"$ref":"#/$defs/a","properties":{"y":{"title":"own"}},"allOf":[{"type":["null","integer"],"maxItems":2,"description":"d"}],"then":{"properties":{"z":{}}},"if":{}}`)
	if got := v.brief(); got != "null|integer y z x" || v.Title != "A" || v.Description != "d" || v.MaxItems != 2 || v.Properties[0].Schema.Title != "own" || len(v.Required) != 1 {
		t.Errorf("%s %+v", got, v)
	}
}

func TestEachWayToSatisfyTheChoices(t *testing.T) {
	v := viewOf(t, `{"properties":{"a":{}},"anyOf":[{"properties":{"b":{}}},{"type":"object"}],"oneOf":[{"properties":{"c":{}}},{"properties":{"d":{}},"anyOf":[{"type":"null"}]}]}`)
	var got []string
	for _, w := range v.Variants() {
		got = append(got, w.brief())
	}
	if diff := cmp.Diff([]string{" a b c", " a b d", "object a c", "object a d"}, got); diff != "" {
		t.Error(diff)
	}
	if v = viewOf(t, `{}`); len(v.Variants()) != 1 {
		t.Error("a view without choices has variants")
	}
}

func TestAViewOfManyPartsHasABound(t *testing.T) {
	defs := `"l0":{"title":"end"}` // said 16,384 times
	for i := range 14 {
		defs += fmt.Sprintf(`,"l%d":{"allOf":[{"$ref":"#/$defs/l%d"},{"$ref":"#/$defs/l%d"}]}`, i+1, i, i)
	}
	if v := viewOf(t, `{"$defs":{`+defs+`},"$ref":"#/$defs/l14"}`); v.Size > 2*maxTogether {
		t.Error(v.Size)
	}
}
