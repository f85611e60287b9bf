package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/drover-go/drover/errtypes"
)

// mismatchOn returns the violations of a value.
func mismatchOn(t *testing.T, s *Schema, value string) *Mismatch {
	t.Helper()
	_, err := s.ValidateJSON([]byte(value))
	var m *Mismatch
	if !errors.As(err, &m) {
		t.Fatalf("%s: %v", value, err)
	}
	return m
}

func violation(instance, keyword, message string) Violation {
	return Violation{Instance: instance, Keyword: keyword, Message: message}
}

func TestEveryKeywordHasAMessage(t *testing.T) {
	for _, c := range []struct {
		schema, value string
		want          Violation
	}{
		{`false`, `1`, violation("", "", "is not allowed")},
		{`{"type":"string"}`, `1`, violation("", "/type", "must be string, but is number")},
		{`{"type":"integer"}`, `1.5`, violation("", "/type", "must be integer, but is number")},
		{`{"type":["array","null"]}`, `{}`, violation("", "/type", "must be null or array, but is object")},
		{`{"const":"a\"b"}`, `1`, violation("", "/const", `must be "a\"b"`)},
		{`{"const":[1,2]}`, `1`, violation("", "/const", `must be an array of 2 items`)},
		{`{"enum":["a",1.50,null,true,{},[]]}`, `2`, violation("", "/enum", `must be one of "a", 1.50, null, true, an object with 0 members, an array of 0 items`)},
		{`{"enum":[0,1,2,3,4,5,6,7,8,9,10,11]}`, `12`, violation("", "/enum", `must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … (2 more)`)},
		{`{"minimum":1.5}`, `1`, violation("", "/minimum", "must be at least 1.5, but is 1")},
		{`{"maximum":1}`, `1e400`, violation("", "/maximum", "must be at most 1, but is 1"+strings.Repeat("0", 79)+"…")},
		{`{"exclusiveMinimum":1}`, `1`, violation("", "/exclusiveMinimum", "must be greater than 1, but is 1")},
		{`{"exclusiveMaximum":1}`, `1.25`, violation("", "/exclusiveMaximum", "must be less than 1, but is 1.25")},
		{`{"multipleOf":3}`, `10`, violation("", "/multipleOf", "must be a multiple of 3, but is 10")},
		{`{"minLength":2}`, `"é"`, violation("", "/minLength", "must have at least 2 characters, but has 1")},
		{`{"maxLength":1}`, `"éa"`, violation("", "/maxLength", "must have at most 1 characters, but has 2")},
		{`{"pattern":"^a\\d"}`, `"b"`, violation("", "/pattern", `does not match the pattern "^a\\d"`)},
		{`{"minItems":1}`, `[]`, violation("", "/minItems", "must have at least 1 items, but has 0")},
		{`{"maxItems":1}`, `[1,2]`, violation("", "/maxItems", "must have at most 1 items, but has 2")},
		{`{"uniqueItems":true}`, `[0,1,1.0]`, Violation{Keyword: "/uniqueItems", Message: "must not have equal items, but items 1 and 2 are", Duplicates: []int{1, 2}}},
		{`{"contains":{"const":1}}`, `[2]`, violation("", "/contains", `has no item that matches "contains"`)},
		{`{"contains":{"const":1},"minContains":2}`, `[1]`, violation("", "/minContains", `must have at least 2 items that match "contains", but has 1`)},
		{`{"contains":{"const":1},"maxContains":1}`, `[1,1]`, violation("", "/maxContains", `must have at most 1 items that match "contains", but has 2`)},
		{`{"prefixItems":[true],"items":false}`, `[1,2]`, violation("/1", "/items", "is not allowed")},
		{`{"unevaluatedItems":false}`, `[1]`, violation("/0", "/unevaluatedItems", "is not allowed")},
		{in(Draft7, `{"items":[{}],"additionalItems":false}`), `[1,2,3]`, violation("", "/additionalItems", "has 2 items too many")},
		{`{"minProperties":1}`, `{}`, violation("", "/minProperties", "must have at least 1 properties, but has 0")},
		{`{"maxProperties":0}`, `{"a":1}`, violation("", "/maxProperties", "must have at most 0 properties, but has 1")},
		{`{"required":["b","a"]}`, `{}`, violation("", "/required", `must have the properties "b", "a"`)},
		{`{"required":[` + commas(12, func(i int) string { return fmt.Sprintf(`"p%d"`, i) }) + `]}`, `{"p1":1}`, violation("", "/required",
			`must have the properties "p0", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10" and 1 more`)},
		{`{"additionalProperties":false}`, `{"b":1,"a":1}`, violation("", "/additionalProperties", `must not have the properties "a", "b"`)},
		{`{"additionalProperties":false}`, `{"x\u0000y":1}`, violation("", "/additionalProperties", `must not have the property "x\x00y"`)},
		{`{"unevaluatedProperties":false}`, `{"a":1}`, violation("/a", "/unevaluatedProperties", "is not allowed")},
		{`{"properties":{"p":{"propertyNames":{"maxLength":1}}}}`, `{"p":{"ab":1}}`, violation("/p", "/properties/p/propertyNames", `has the name "ab", which must have at most 1 characters, but has 2`)},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, violation("", "/dependentRequired/a", `must have the property "b" because it has "a"`)},
		{`{"dependentSchemas":{"a":{"required":["b"]}}}`, `{"a":1}`, violation("", "/dependentSchemas/a/required", `must have the property "b"`)},
		{in(Draft7, `{"dependencies":{"a":["b"]}}`), `{"a":1}`, violation("", "/dependencies/a", `must have the property "b" because it has "a"`)},
		{in(Draft7, `{"items":{"format":"email"}}`), `["x"]`, violation("/0", "/items/format", "is not a valid email")},
		{in(Draft7, `{"items":{"format":"regex"}}`), `["("]`, violation("/0", "/items/format", "is not a valid regex")},
		{`{"not":{}}`, `1`, violation("", "/not", `must not match the schema in "not"`)},
		{`{"oneOf":[{},true]}`, `1`, violation("", "/oneOf", "matches alternatives 0 and 1, but must match exactly one")},
		{`{"anyOf":[{"minimum":5},{"maximum":1}]}`, `3`, violation("", "/anyOf", "matches none of the 2 alternatives")},
		{`{"allOf":[{"minimum":5},{"maximum":9}]}`, `3`, violation("", "/allOf/0/minimum", "must be at least 5, but is 3")},
		{`{"if":true,"then":{"minimum":5}}`, `3`, violation("", "/then/minimum", "must be at least 5, but is 3")},
		{`{"properties":{"a/b":{"$ref":"#/$defs/c d"}},"$defs":{"c d":{"items":{"type":"null"}}}}`, `{"a/b":[null,0]}`, violation("/a~1b/1", "/$defs/c d/items/type", "must be null, but is number")},
		{`{"items":{"$ref":"http://json-schema.org/draft-07/schema#"}}`, `[{"title":1}]`, violation("/0/title", "http://json-schema.org/draft-07/schema#/properties/title/type", "must be string, but is number")},
	} {
		m := mismatchOn(t, mustCompile(t, c.schema, Options{}), c.value)
		if diff := cmp.Diff(&Mismatch{Violations: []Violation{c.want}}, m, cmpopts.IgnoreFields(Violation{}, "Missing", "Extra")); diff != "" {
			t.Errorf("%s on %s: %s", c.schema, c.value, diff)
		}
	}
}

// Of alternatives of which only one is meant, the trouble with that one is told.
func TestAlternativesReportTheOneThatIsMeant(t *testing.T) {
	nullable := mustCompile(t, `{"properties":{"p":{"anyOf":[{"type":"null"},{"type":"object","required":["x"],"properties":{"x":{"type":"string"}}}]}}}`, Options{})
	tagged := mustCompile(t, `{"oneOf":[
		{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind"]},
		{"type":"object","properties":{"kind":{"const":"square"},"a":{"type":"number"}},"required":["kind"]},
		{"$ref":"#/$defs/text"}],"$defs":{"text":{"type":"string"}}}`, Options{})
	for _, c := range []struct {
		s           *Schema
		value, want string
	}{
		{nullable, `{"p":{}}`, `/p must have the property "x"`},
		{nullable, `{"p":{"x":1}}`, `/p/x must be string, but is number`},
		{nullable, `{"p":1}`, `/p matches none of the 2 alternatives`},
		{tagged, `{"kind":"square","a":"1"}`, `/a must be number, but is string`},
		{tagged, `{"kind":"hexagon"}`, `it matches none of the 3 alternatives`},
		{tagged, `5`, `it matches none of the 3 alternatives`},
	} {
		if got := mismatchOn(t, c.s, c.value).Text(); got != c.want {
			t.Errorf("%s: %s, want %s", c.value, got, c.want)
		}
	}
}

func TestViolationsAreOrderedAndCounted(t *testing.T) {
	s := mustCompile(t, `{"properties":{"list":{"items":{"type":"string"}},"b":{"type":"string"},"a":{"minimum":5,"multipleOf":2}},"required":["z"]}`, Options{})
	value := `{"list":[` + commas(12, func(i int) string { return fmt.Sprint(i) }) + `],"b":1,"a":1}`
	_, err := s.ValidateJSON([]byte(value))
	const want = `the value does not match the schema: it must have the property "z"; ` +
		`/a must be at least 5, but is 1; /a must be a multiple of 2, but is 1; /b must be string, but is number; ` +
		`/list/0 must be string, but is number (and 11 more)`
	if !errtypes.Is(err, errtypes.Invalid) || errtypes.Public(err).Message != want {
		t.Errorf("got %v", err)
	}
	if err.Error() != want+": 16 violations" {
		t.Errorf("the log has %v", err)
	}
	m := mismatchOn(t, s, value)
	if got := m.Violations[len(m.Violations)-1].Instance; got != "/list/11" {
		t.Errorf("the last violation is at %s: indexes are not ordered as numbers", got)
	}
}

func TestWhatIsReachedTwiceIsSaidOnce(t *testing.T) {
	s := mustCompile(t, `{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}],"$defs":{"a":{"properties":{"x":{"type":"string"}}}}}`, Options{})
	if m := mismatchOn(t, s, `{"x":1}`); len(m.Violations) != 1 || m.More != 0 {
		t.Errorf("%+v", m)
	}
}

func TestManyViolationsAreCut(t *testing.T) {
	s := mustCompile(t, `{"items":{"type":"string"}}`, Options{})
	m := mismatchOn(t, s, numbers(12_000))
	if len(m.Violations) != 100 || m.More != 11_900 || !strings.HasSuffix(m.Text(), "(and 11995 more)") {
		t.Errorf("%d and %d more: %s", len(m.Violations), m.More, m.Text())
	}
	long := mustCompile(t, `{"additionalProperties":{"type":"string"}}`, Options{})
	m = mismatchOn(t, long, "{"+commas(100, func(i int) string { return fmt.Sprintf(`"%s%d":1`, strings.Repeat("k", 50_000), i) })+"}")
	if len(m.Violations)+m.More != 100 || len(m.Violations) > 10 || len(m.Text()) > 5_000 {
		t.Errorf("%d violations kept, text of %d bytes", len(m.Violations), len(m.Text()))
	}
}

func TestValidateTakesAnyGoValue(t *testing.T) {
	s := mustCompile(t, `{"type":"object","properties":{"n":{"type":"integer","maximum":7},"s":{"type":"array","items":{"type":"string"}},"t":{"pattern":"^2026-"}}}`, Options{})
	type good struct {
		N int8      `json:"n"`
		S []string  `json:"s"`
		T time.Time `json:"t"`
	}
	value := good{N: 7, S: []string{"a"}, T: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	for _, v := range []any{
		map[string]any{"n": 7, "s": []any{"a"}}, map[string]any{"n": uint64(7)}, map[string]any{"n": 7.0}, map[string]any{"n": float32(7)},
		map[string]any{"n": json.Number("70e-1")}, value, &value, json.RawMessage(`{"n":7}`), map[string]int{"n": 7}, map[string]any{"s": []string{"a"}},
	} {
		if err := s.Validate(v); err != nil {
			t.Errorf("%#v: %v", v, err)
		}
	}
	for _, v := range []any{
		nil, "x", 7, map[string]any{"n": 8}, map[string]any{"n": 7.5}, map[string]any{"n": int64(math.MaxInt64)}, good{N: 8}, map[string]any{"s": []any{1}}, json.RawMessage(`{"n":8}`),
	} {
		if err := s.Validate(v); outcomeOf(err) != mismatch {
			t.Errorf("%#v: %v", v, err)
		}
	}
}

func TestValidateRefusesWhatIsNoJSON(t *testing.T) {
	s := mustCompile(t, `{}`, Options{})
	around := map[string]any{}
	around["x"] = []any{around}
	for want, v := range map[string]any{
		"the value at /a/1 is not a number that JSON has":         map[string]any{"a": []any{1, math.NaN()}},
		"the value is not a number that JSON has":                 float32(math.Inf(1)),
		"the value at /0 is not a number":                         []any{json.Number("12x")},
		"the value at /a~1b is not a number":                      map[string]any{"a/b": json.Number("")},
		"the value is a number that has an exponent beyond ±400":  json.Number("1e401"),
		"the value is a number that has more than 400 characters": json.Number(strings.Repeat("1", 401)),
		"the value cannot be written as JSON":                     func() {},
	} {
		err := s.Validate(v)
		if !errtypes.Is(err, errtypes.Invalid) || errtypes.Public(err).Message != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := s.Validate(around); err == nil || !strings.HasSuffix(err.Error(), "is nested deeper than 128 levels") {
		t.Errorf("a map that contains itself: %.200v", err)
	}
}

func TestValueLimitsAreOptions(t *testing.T) {
	for _, c := range []struct {
		o         Options
		good, bad string
		want      string
	}{
		{Options{MaxValueSize: 8}, `"aaaaaa"`, `"aaaaaaa"`, "the value has 9 bytes, the most is 8"},
		{Options{MaxValueDepth: 2}, `[[1]]`, `[[[]]]`, "the value at /0/0 is nested deeper than 2 levels"},
		{Options{MaxValues: 3}, `[1,2]`, `[1,2,3]`, "the value consists of more than 3 values"},
		{Options{MaxWork: 20}, `[1,2,3]`, `[1,2,3,4,5,6,7,8]`, "the value takes more than 20 steps to check against the schema"},
	} {
		s := mustCompile(t, `{"items":{"minimum":0,"maximum":9}}`, c.o)
		if c.o.MaxWork == 20 {
			s = mustCompile(t, `{"items":{"type":"integer"}}`, c.o)
		}
		if _, err := s.ValidateJSON([]byte(c.good)); err != nil {
			t.Error(err)
		}
		_, err := s.ValidateJSON([]byte(c.bad))
		if !errtypes.Is(err, errtypes.Invalid) || errtypes.Public(err).Message != c.want {
			t.Errorf("%s: %v, want %s", c.bad, err, c.want)
		}
		decoded, _ := reference([]byte(c.bad))
		if err := s.Validate(decoded); (err == nil) != (c.o.MaxValueSize > 0) {
			t.Errorf("%s decoded: %v", c.bad, err)
		}
	}
	s := mustCompile(t, `{}`, Options{MaxValueSize: 8})
	if err := s.Validate(map[string]any{"aaaaaaaaa": "x"}); err == nil || err.Error() != "the value has more than 8 bytes" {
		t.Error(err)
	}
}

func TestValidateJSONReturnsTheValue(t *testing.T) {
	s := mustCompile(t, `{"type":"string"}`, Options{})
	v, err := s.ValidateJSON([]byte(`[1.0]`))
	if diff := cmp.Diff([]any{json.Number("1.0")}, v); diff != "" || err == nil {
		t.Errorf("%s %v", diff, err)
	}
	if _, err := s.ValidateJSON([]byte(`{"a":1,"a":2}`)); err == nil || err.Error() != "the value at /a is there twice" {
		t.Error(err)
	}
	if string(s.Raw()) != `{"type":"string"}` {
		t.Error(string(s.Raw()))
	}
}

// A schema serves many goroutines, some of which exhaust their meter.
func TestConcurrentValidation(t *testing.T) {
	s := mustCompile(t, `{"anyOf":[{"type":"array","items":{"$ref":"#"},"minItems":1},{"type":"array","items":{"$ref":"#"},"minItems":1},{"type":"string","pattern":"^(a|b)+$"}]}`, Options{MaxWork: 5_000})
	cases := map[string]outcome{
		`["a",["ab"]]`:                          accepted,
		`["c"]`:                                 mismatch,
		nested(60, "[", "", "]"):                tooMuch,
		`["` + strings.Repeat("ab", 200) + `"]`: accepted,
	}
	var wg sync.WaitGroup
	for range 4 {
		for value, want := range cases {
			wg.Go(func() {
				for range 20 {
					if _, err := s.ValidateJSON([]byte(value)); outcomeOf(err) != want {
						t.Errorf("%.40s: %v, want %s", value, err, want)
						return
					}
				}
			})
		}
	}
	wg.Wait()
}
