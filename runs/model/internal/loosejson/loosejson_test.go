package loosejson

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

func TestArguments(t *testing.T) {
	for text, want := range map[string]string{
		``:                       `{}`,
		" \n":                    `{}`,
		`null`:                   `{}`,
		`{"x":1}`:                `{"x":1}`,
		`{"x":1} and so on`:      `{"x":1}`,
		`"{\"x\":1}"`:            `{"x":1}`,
		`"\"{\\\"x\\\":1}\""`:    `{"x":1}`,
		"{\"x\":\"a\nb\"}":       `{"x":"a\u000ab"}`,
		"{\"x\":\"a\\\tb\\\"\"}": `{"x":"a\u0009b\""}`,
		`{"x":`:                  `"{\"x\":"`,
		`[1]`:                    `"[1]"`,
		`7`:                      `"7"`,
		`click it`:               `"click it"`,
	} {
		got, whole := Arguments(text)
		if string(got) != want || whole != (want[0] == '{') || !json.Valid(got) {
			t.Errorf("%s: %s, %v", text, got, whole)
		}
	}
}

func TestObject(t *testing.T) {
	for text, want := range map[string]string{
		`so {"a":{"b":"}"}} it is`:      `{"a":{"b":"}"}}`,
		`{this} and {"a":1}`:            `{"a":1}`,
		`a { never closed, {"a":1}`:     `{"a":1}`,
		`"quoted {"a":"\"}"} `:          `{"a":"\"}"}`,
		`nothing`:                       ``,
		`}{`:                            ``,
		strings.Repeat("{x} ", 20):      ``,
		"{\"a\":\"two\nlines\"} follow": `{"a":"two\u000alines"}`,
	} {
		got, from, to, ok := Object(text)
		if string(got) != want || ok != (want != "") || ok && (text[from] != '{' || text[to-1] != '}') {
			t.Errorf("%s: %s, %d to %d, %v", text, got, from, to, ok)
		}
	}
}

// Hostile texts take no more time than long ones.
func TestTheWorkIsLinear(t *testing.T) {
	const n = 1 << 20
	began := time.Now()
	for _, text := range []string{
		strings.Repeat("{", n), strings.Repeat(`{"`, n/2), strings.Repeat(`"\`, n/2), strings.Repeat("{\n", n/2),
		`{"a":"` + strings.Repeat("\n", n) + `"}`, strings.Repeat(`[`, n), strings.Repeat(`{"a":`, n/5), `"` + strings.Repeat(`\"`, n/2) + `"`,
	} {
		Arguments(text)
		Object(text)
	}
	if took := time.Since(began); took > testlevel.Loaded(20*time.Second) {
		t.Errorf("it took %v", took)
	}
}

func FuzzLooseJSON(f *testing.F) {
	for _, s := range []string{`{"x":1} y`, `"{\"x\":1}"`, "{\"x\":\"\n\"}", `{{"a":1}`, `{"a":"\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if input, whole := Arguments(text); !json.Valid(input) || whole != (input[0] == '{') {
			t.Errorf("%q: %s", text, input)
		}
		if v, from, to, ok := Object(text); ok && (!json.Valid(v) || from >= to || to > len(text)) {
			t.Errorf("%q: %s from %d to %d", text, v, from, to)
		}
	})
}
