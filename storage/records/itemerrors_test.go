package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// What a keyword is about is told by the names that public validators have for it.
func TestErrorsOfItemsSayWhatTheirKeywordIsAbout(t *testing.T) {
	t.Parallel()
	w := open(t, Config{})
	for _, c := range []struct{ schema, item, want string }{
		{`{"properties":{"f":{"type":["number","null"]}}}`, `{"f":"x"}`, `[{"type":["number","null"]}]`},
		{`{"properties":{"f":{"$ref":"#/definitions/a~1b"}},"definitions":{"a/b":{"type":"null"}}}`, `{"f":1}`, `[{"type":"null"}]`},
		{`{"allOf":[true,{"properties":{"f":{"enum":["a",1.50]}}}]}`, `{"f":1}`, `[{"allowedValues":["a",1.50]}]`},
		{`{"properties":{"f":{"const":null}}}`, `{"f":1}`, `[{"allowedValue":null}]`},
		{`{"properties":{"f":{"minimum":2}}}`, `{"f":1}`, `[{"comparison":">=","limit":2}]`},
		{`{"properties":{"f":{"exclusiveMaximum":1}}}`, `{"f":1}`, `[{"comparison":"<","limit":1}]`},
		{`{"properties":{"f":{"minLength":2}}}`, `{"f":"é"}`, `[{"limit":2}]`},
		{`{"properties":{"f":{"pattern":"^a"}}}`, `{"f":"b"}`, `[{"pattern":"^a"}]`},
		{`{"properties":{"f":{"uniqueItems":true}}}`, `{"f":[1,2,1]}`, `[{"i":2,"j":0}]`},
		{`{"additionalProperties":false}`, `{"b":1,"a":2}`, `[{"additionalProperty":"a"},{"additionalProperty":"b"}]`},
		{`{"required":["a","b"]}`, `{}`, `[{"missingProperty":"a"},{"missingProperty":"b"}]`},
		{`{"properties":{"f":false}}`, `{"f":1}`, `[{}]`},
	} {
		st, _, err := w.Create(t.Context(), Dataset, New{Schema: []byte(`{"fields":` + c.schema + `}`)})
		done(t, err)
		bad, ok := errors.AsType[*InvalidItems](w.Push(t.Context(), st.ID, []byte(c.item)))
		if !ok || len(bad.Items) != 1 {
			t.Fatalf("%s on %s: %+v", c.schema, c.item, bad)
		}
		var all []map[string]any
		for _, e := range bad.Items[0].Errors {
			all = append(all, e.Params)
		}
		if got := must(json.Marshal(all))(t); !bytes.Equal(got, must(json.Marshal(json.RawMessage(c.want)))(t)) {
			t.Errorf("%s on %s: %s, want %s", c.schema, c.item, got, c.want)
		}
	}
	many := `{"0":0`
	for i := range 3 * maxItemErrors {
		many += fmt.Sprintf(`,"x%d":1`, i)
	}
	st, _, err := w.Create(t.Context(), Dataset, New{Schema: []byte(`{"fields":{"additionalProperties":false}}`)})
	done(t, err)
	bad, ok := errors.AsType[*InvalidItems](w.Push(t.Context(), st.ID, []byte(many+"}")))
	if !ok || len(bad.Items[0].Errors) != maxItemErrors {
		t.Errorf("%+v", bad)
	}
}

// Who sends items that are no JSON is told what is wrong, and nothing of packages here.
func TestWhatIsWrongWithATextIsToldInPlainWords(t *testing.T) {
	t.Parallel()
	w := open(t, Config{})
	id := w.make(t, Dataset, "")
	for items, want := range map[string]string{
		`{"a":`:                            "the items are not valid JSON: a value is missing at byte 5",
		`{"a":` + strings.Repeat("[", 256): "the items are not valid JSON: arrays and objects are nested more than 256 deep at byte 260",
	} {
		err := w.Push(t.Context(), id, []byte(items))
		fails(t, err, errtypes.TypeInvalidInput)
		if got := errtypes.Public(err).Message; got != want {
			t.Errorf("%.20s: %s, want %s", items, got, want)
		}
	}
}

// What a schema lists, or an item is called, is not sent back again and again.
func TestErrorsOfManyItemsRepeatLittle(t *testing.T) {
	t.Parallel()
	w := open(t, Config{})
	long := strings.Repeat("n", 80<<10)
	told, items := w.toldOf(t, `{"additionalProperties":{"additionalProperties":false}}`, manyNames(`{"`+long+`":{"0":0`)+`}`)
	if items != maxInvalid || told > maxTold+2*items*len(long) {
		t.Errorf("%d bytes of %d items", told, items)
	}
	values := `""`
	for i := range 1000 {
		values += fmt.Sprintf(`,"%099d"`, i)
	}
	told, items = w.toldOf(t, `{"additionalProperties":{"enum":[`+values+`]}}`, manyNames(`{"0":0`))
	if items != maxInvalid || told < len(values) || told > maxTold+2*len(values)+100*items*maxItemErrors {
		t.Errorf("%d bytes of %d items", told, items)
	}
}

func manyNames(object string) string {
	for i := range maxItemErrors {
		object += fmt.Sprintf(`,"x%d":1`, i)
	}
	return object + "}"
}

// toldOf pushes an item many times, and counts what the errors repeat.
func (w *world) toldOf(t *testing.T, schema, item string) (told, items int) {
	t.Helper()
	st, _, err := w.Create(t.Context(), Dataset, New{Schema: []byte(`{"fields":` + schema + `}`)})
	done(t, err)
	bad, ok := errors.AsType[*InvalidItems](w.Push(t.Context(), st.ID, []byte("["+strings.Repeat(item+",", maxInvalid)+item+"]")))
	if !ok {
		t.Fatal("they match")
	}
	for _, i := range bad.Items {
		for _, e := range i.Errors {
			told += len(e.InstancePath) + len(e.Message) + len(must(json.Marshal(e.Params))(t))
		}
	}
	return told, len(bad.Items)
}
