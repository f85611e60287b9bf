package schema

import (
	"encoding/json"
	"testing"
)

// distinct are values no two of which are equal; same are groups of equal ones.
var distinct = []string{
	`null`, `true`, `false`, `0`, `1`, `-1`, `1.5`, `"1"`, `"true"`, `"null"`, `""`, `"+1e0"`, `[]`, `{}`, `[[]]`, `[{}]`, `{"a":[]}`,
	`["a","b"]`, `["ab"]`, `["a\u0004b"]`, `["a,b"]`, `["a\",\"b"]`, `["a",["b"]]`, `[["a"],"b"]`, `["1:a"]`, `[1,1]`, `[11]`, `["1",1]`,
	`{"a":1,"b":2}`, `{"a":2,"b":1}`, `{"a":1}`, `{"a":"1"}`, `{"ab":1}`, `{"a":{"b":1}}`, `{"a":null}`, `[{"a":1},{"b":1}]`, `[{"a":1,"b":1}]`,
	`16843009`, `[1,[1]]`, `[[1],1]`, `1e400`, `1e-400`, `-1e400`,
}

var same = [][]string{
	{`0`, `-0`, `0.0`, `0e9`, `-0.00`},
	{`100`, `1e2`, `1.0e2`, `100.000`, `1000e-1`},
	{`{"a":1,"b":[2,{"c":3.0}]}`, `{"b":[2.0,{"c":3}],"a":10e-1}`},
	{`["é"]`, `["\u00e9"]`},
}

func decode(t *testing.T, text string) any {
	t.Helper()
	v, _, bad := parse([]byte(text), roomy)
	if bad != nil {
		t.Fatal(bad)
	}
	return v
}

func TestEquality(t *testing.T) {
	m := &meter{left: 1 << 30}
	check := func(a, b any, want bool) {
		t.Helper()
		if got := equal(a, b, m); got != want {
			t.Errorf("equal(%v, %v) = %t", a, b, got)
		}
		if got := string(canonical(nil, a, m)) == string(canonical(nil, b, m)); got != want {
			t.Errorf("canonical texts of %v and %v: equal is %t", a, b, got)
		}
		if _, _, got := duplicates([]any{"x", a, 9999, b}, m); got != want {
			t.Errorf("duplicates of %v and %v: %t", a, b, got)
		}
		if got := newEnumeration([]any{"x", b}).has(a, m); got != want {
			t.Errorf("%v in an enum with %v: %t", a, b, got)
		}
	}
	for i, a := range distinct {
		for j, b := range distinct {
			check(decode(t, a), decode(t, b), i == j)
		}
	}
	for _, group := range same {
		for _, a := range group {
			for _, b := range group {
				check(decode(t, a), decode(t, b), true)
			}
		}
	}
	for _, one := range []any{1, int8(1), uint64(1), 1.0, float32(1), json.Number("1.0")} {
		check(one, json.Number("1"), true)
		check(one, json.Number("2"), false)
		check([]any{one}, []any{json.Number("1")}, true)
	}
}

func TestEqualityPays(t *testing.T) {
	big := decode(t, numbers(1_000))
	for name, f := range map[string]func(*meter){
		"equal":      func(m *meter) { equal(big, big, m) },
		"canonical":  func(m *meter) { canonical(nil, big, m) },
		"duplicates": func(m *meter) { duplicates(big.([]any), m) },
		"enum":       func(m *meter) { newEnumeration([]any{big}).has(big, m) },
	} {
		m := &meter{left: 1 << 30}
		f(m)
		if used := 1<<30 - m.left; used < 1_000 {
			t.Errorf("%s takes %d steps for 1,000 numbers", name, used)
		}
	}
}
