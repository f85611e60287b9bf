package dialect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/model"
)

func of(t *testing.T, raw string, d Dialect) *Schema {
	t.Helper()
	s, err := Of(json.RawMessage(raw), d)
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return s
}

const object0 = `"type":"object","additionalProperties":false`

func TestSent(t *testing.T) {
	for name, c := range map[string]struct {
		dialect   Dialect
		raw, want string
		strict    bool
	}{
		"order, optional":       {OpenAI, `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":["integer","null"]},"e":{"enum":["x"]}},"required":["z"],"additionalProperties":false}`, `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":["integer","null"]},"e":{"anyOf":[{"type":"string","enum":["x"]},{"type":"null"}]}},"required":["z","a","e"],"additionalProperties":false}`, true},
		"optional, of a choice": {OpenAI, `{` + object0 + `,"properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}],"description":"A."}}}`, `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}],"description":"A."}},"required":["a"],"additionalProperties":false}`, true},
		"told in words":         {OpenAI, `{"type":"object","properties":{"a":{"type":"string","description":"A.","minLength":2,"default":"xy","pattern":"^(?!no)"}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"string","description":"A. (minLength: 2; default: \"xy\"; pattern: \"^(?!no)\")"}},"required":["a"],"additionalProperties":false}`, true},
		"references":            {OpenAI, `{"type":"object","properties":{"a":{"$ref":"#/$defs/x","description":"Mine."}},"required":["a"],"$defs":{"x":{"type":"string","format":"uri"}}}`, `{"type":"object","properties":{"a":{"type":"string","description":"Mine. (format: \"uri\")"}},"required":["a"],"additionalProperties":false}`, true},
		"a root in another":     {Anthropic, `{"type":"object","properties":{"result":{"type":"object","properties":{"a":{"$ref":"#/definitions/x"}},"definitions":{"x":{"type":"string"}}}}}`, `{"type":"object","properties":{"result":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}`, true},
		"the same, loose":       {Loose, `{"type":"object","properties":{"result":{"type":"object","properties":{"a":{"$ref":"#/definitions/x"}},"definitions":{"x":{"type":"string","minLength":1}}}}}`, `{"type":"object","properties":{"result":{"type":"object","properties":{"a":{"type":"string","minLength":1}}}}}`, false},
		"an anchor":             {Loose, `{"$ref":"#it","$defs":{"x":{"$anchor":"it","type":"object"}}}`, `{"type":"object"}`, false},
		"a root of any kind":    {OpenAI, `{"type":"array","items":{"type":"number"},"maxItems":3}`, `{"type":"object","properties":{"value":{"type":"array","items":{"type":"number"},"maxItems":3}},"required":["value"],"additionalProperties":false}`, true},
		"alternatives":          {OpenAI, `{"oneOf":[{"const":1},{"type":"object","properties":{},"additionalProperties":false}]}`, `{"type":"object","properties":{"value":{"anyOf":[{"type":"integer","const":1},{"type":"object","properties":{},"required":[],"additionalProperties":false}]}},"required":["value"],"additionalProperties":false}`, true},
		"a type for all":        {Anthropic, `{` + object0 + `,"properties":{"a":{"type":"string","anyOf":[{"enum":["x"]},{"type":["string","null"]}]}}}`, `{"type":"object","properties":{"a":{"anyOf":[{"type":"string","enum":["x"]},{"type":"string"}]}},"additionalProperties":false}`, true},
		"recursive, strict":     {OpenAI, `{"type":"object","properties":{"next":{"$ref":"#"}}}`, `{"type":"object","properties":{"next":{"$ref":"#"}}}`, false},
		"recursive, Gemini":     {Gemini, `{"type":"object","properties":{"next":{"$ref":"#"},"n":{"type":["integer","null"]}},"required":["n","x"]}`, `{"propertyOrdering":["next","n"],"properties":{"next":{"description":"Of the same form as what it is in.","type":"OBJECT"},"n":{"type":"INTEGER","nullable":true}},"required":["n"],"type":"OBJECT"}`, false},
		"Gemini's texts":        {Gemini, `{` + object0 + `,"properties":{"a":{"const":1,"format":"x"},"b":{"enum":["x",null]},"c":{"anyOf":[{"type":"string"},{"type":"null"}],"title":"C"}}}`, `{"propertyOrdering":["a","b","c"],"properties":{"a":{"description":"(const: 1; format: \"x\")","type":"INTEGER"},"b":{"enum":["x"],"nullable":true,"type":"STRING"},"c":{"type":"STRING","title":"C","nullable":true}},"type":"OBJECT"}`, false},
		"Gemini's types":        {Gemini, `{` + object0 + `,"properties":{"a":{"type":["string","object"],"properties":{"x":{}},"minLength":1,"description":"Either."}}}`, `{"properties":{"a":{"anyOf":[{"type":"STRING","minLength":1,"description":"Either."},{"type":"OBJECT","properties":{"x":{}}}]}},"type":"OBJECT"}`, false},
		"a map":                 {Anthropic, `{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":"string"}}`, false},
		"anything":              {OpenAI, `{` + object0 + `,"properties":{"a":{"description":"JSON"}}}`, `{` + object0 + `,"properties":{"a":{"description":"JSON"}}}`, false},
		"texts of Mistral":      {Mistral, `{"type":"object","properties":{"a":{"type":"string","maxLength":3}},"additionalProperties":true}`, `{"type":"object","properties":{"a":{"type":"string","description":"(maxLength: 3)"}}}`, false},
		"items of Anthropic":    {Anthropic, `{` + object0 + `,"properties":{"a":{"type":"array","items":{"type":"string"},"minItems":2}}}`, `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"description":"(minItems: 2)"}},"additionalProperties":false}`, true},
		"nothing":               {OpenAI, ` `, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`, true},
		"no values":             {OpenAI, `{` + object0 + `,"properties":{"a":false}}`, `{` + object0 + `,"properties":{"a":false}}`, false},
		"a dangling one":        {OpenAI, `{` + object0 + `,"properties":{"a":{"$ref":"https://elsewhere/x"}}}`, `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, false},
		"halves, alternating":   {OpenAI, `{"allOf":[{"type":"object","properties":{"a":{"type":"number"}}},{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}]}`, `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}`, true},
	} {
		s := of(t, c.raw, c.dialect)
		if string(s.Sent) != c.want || s.Strict != c.strict || s.Open {
			t.Errorf("%s: strict %t (%s)\n got %s\nwant %s", name, s.Strict, s.Why, s.Sent, c.want)
		}
	}
}

func TestUndo(t *testing.T) {
	const person = `{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["name"]}`
	for name, c := range map[string]struct{ schema, raw, want string }{
		"nothing to do":        {person, ` {"name": "x"}`, ` {"name": "x"}`},
		"null":                 {person, `{"name":null,"age":null,"x":null}`, `{"name":null,"x":null}`},
		"a root, wrapped":      {`{"type":"array"}`, `{"value":[1]}`, `[1]`},
		"a root as it is":      {`{"type":"array"}`, `[1]`, `[1]`},
		"JSON in a text":       {`{"type":"object","properties":{"p":` + person + `}}`, `{"p":"{\"name\":\"x\",\"age\":null}"}`, `{"p":{"name":"x"}}`},
		"a list in a text":     {person, `{"name":"[1]","tags":"[\"a\"]"}`, `{"name":"[1]","tags":["a"]}`},
		"a text of no JSON":    {person, `{"name":"x","tags":"[a"}`, `{"name":"x","tags":"[a"}`},
		"one of two":           {`{"type":"object","properties":{"u":{"anyOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"null"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"},"x":{"type":"string"}},"required":["k"]}]}}}`, `{"u":{"k":"b","x":null}}`, `{"u":{"k":"b"}}`},
		"no JSON":              {person, `{"name"`, `{"name"`},
		"numbers and letters":  {person, `{"age":null,"name":"<b>&é\u0001","n":1.50e3}`, `{"name":"<b>&é\u0001","n":1.50e3}`},
		"deeper than anything": {person, strings.Repeat("[", 1000), strings.Repeat("[", 1000)},
	} {
		for _, d := range []Dialect{Loose, OpenAI, Anthropic, Gemini, Mistral} {
			if got := string(of(t, c.schema, d).Undo(json.RawMessage(c.raw))); got != c.want {
				t.Errorf("%s, %d: %s", name, d, got)
			}
		}
	}
}

// doubling has a definition that refers twice to the next, and so on.
func doubling(n int, keyword string) string {
	defs := []string{fmt.Sprintf(`"d%d":{"type":"string"}`, n)}
	for i := range n {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		defs = append(defs, fmt.Sprintf(`"d%d":{"type":"object",%s}`, i, strings.ReplaceAll(keyword, "X", next)))
	}
	return `{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + strings.Join(defs, ",") + `}}`
}

// Without bounds, these take years. With them, less than a second of an idle
// machine.
func TestHostileSchemas(t *testing.T) {
	long := strings.Repeat("x", 50_000)
	var same, refs []string
	for i := range 5_000 {
		same = append(same, `{"$ref":"#/$defs/e"}`)
		refs = append(refs, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/e"}`, i))
	}
	for name, raw := range map[string]string{
		"doubling":         doubling(40, `"properties":{"a":X,"b":X}`),
		"doubling halves":  doubling(40, `"allOf":[X,X]`),
		"doubling choices": doubling(40, `"anyOf":[X,X]`),
		"a long list":      `{"type":"object","properties":{` + strings.Join(refs, ",") + `},"$defs":{"e":{"enum":["` + long + `"]}}}`,
		"long words":       `{"type":"object","properties":{` + strings.Join(refs, ",") + `},"$defs":{"e":{"type":"string","description":"` + long + `"}}}`,
		"long names":       `{"type":"object","properties":{"` + long + long + `":{"type":"object","properties":{` + strings.Join(refs, ",") + `}}},"$defs":{"e":{"type":"object","properties":{"a":{},"b":{},"c":{},"d":{}}}}}`,
		"many halves":      `{"type":"object","allOf":[` + strings.Join(same, ",") + `],"$defs":{"e":{"enum":["` + long + `"],"properties":{"a":{"enum":["` + long + `"]}}}}}`,
	} {
		for _, d := range []Dialect{OpenAI, Gemini, Loose, Anthropic, Mistral}[:testlevel.Of(2, 5)] {
			began := time.Now()
			s := of(t, raw, d)
			s.Undo(json.RawMessage(`{"a":null}`))
			if took := time.Since(began); took > testlevel.Loaded(time.Minute) {
				t.Errorf("%s, %d: %s", name, d, took)
			}
			if len(s.Sent) > maxSent || s.Strict && len(s.Sent) > maxSize {
				t.Errorf("%s, %d: %d bytes are sent", name, d, len(s.Sent))
			}
		}
	}
	for name, raw := range map[string]string{
		"no JSON": `{`, "text behind": `{} {}`, "large": `{"description":"` + strings.Repeat("x", maxSize) + `"}`, "deep": strings.Repeat(`{"not":`, 200) + `{}` + strings.Repeat(`}`, 200),
	} {
		if _, err := Of(json.RawMessage(raw), OpenAI); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Undoing is bounded too: alternatives in alternatives against a long value.
func TestHostileValues(t *testing.T) {
	raw := `{"type":"integer"}`
	for range 12 {
		raw = `{"anyOf":[{"type":"array","items":` + raw + `},{"type":"array","items":{"type":"array","items":{"type":"boolean"}}}]}`
	}
	value := strings.Repeat("[", 11) + strings.Repeat("[0],", 20_000) + "[0]" + strings.Repeat("]", 11)
	began := time.Now()
	if got := of(t, raw, Loose).Undo(json.RawMessage(value)); string(got) != value {
		t.Error("it is another value")
	}
	if took := time.Since(began); took > testlevel.Loaded(time.Minute) {
		t.Error(took)
	}
}

// Null stays where the alternative that allows it is not the first that fits: of the
// first, two of oneOf would.
func TestNullOfAnotherAlternative(t *testing.T) {
	const schema = `{"anyOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"oneOf":[{"type":["string","null"]},{"type":["string","null"]}]}},"required":["k"]},
		{"type":"object","properties":{"x":{"type":["string","null"]}}}]}`
	const value = `{"k":"a","x":null}`
	if got := string(of(t, schema, Loose).Undo(json.RawMessage(value))); got != value {
		t.Error(got)
	}
}

func FuzzOf(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"oneOf":[{"type":"null"},{"enum":[1]}]}}}`, `{"a":1}`, byte(1))
	f.Add(`{"allOf":[{"$ref":"#"}],"items":[1],"required":[1],"properties":[],"type":7,"enum":{},"additionalProperties":3}`, `[]`, byte(3))
	f.Add(`{"type":[],"anyOf":[true,false,0],"title":1,"description":[],"const":null,"\u0000notes":["x",1]}`, `"x"`, byte(3))
	f.Fuzz(func(t *testing.T, raw, value string, d byte) {
		s, err := Of(json.RawMessage(raw), Dialect(d%5))
		if err != nil {
			return
		}
		if !json.Valid(s.Sent) {
			t.Errorf("sent %s", s.Sent)
		}
		if back := s.Undo(json.RawMessage(value)); json.Valid([]byte(value)) && !json.Valid(back) {
			t.Errorf("back %s", back)
		}
	})
}

func TestLadder(t *testing.T) {
	l := NewLadder(OpenAI, Loose)
	click := model.Tool{Name: "click", Description: "Clicks.", Input: json.RawMessage(`{"type":"object","properties":{"ref":{"type":"string"},"n":{"type":"integer"}},"required":["ref"]}`)}
	read := model.Tool{Name: "read"}
	tools := func(all ...model.Tool) Tools {
		t.Helper()
		sent, err := l.Tools(all)
		if err != nil {
			t.Fatal(err)
		}
		return sent
	}
	first := tools(click)
	if !first.Sent[0].Strict || string(first.Undo("click", json.RawMessage(`{"ref":"e1","n":null}`))) != `{"ref":"e1"}` {
		t.Errorf("%+v", first.Sent)
	}
	for range 2 { // of two runs
		if !l.Down(first, false) {
			t.Error("there was no rung below")
		}
	}
	second := tools(click)
	if second.Sent[0].Strict || string(second.Sent[0].Schema) != string(click.Input) || second.Words {
		t.Errorf("%+v", second.Sent)
	}
	if other := tools(read); !other.Sent[0].Strict {
		t.Errorf("other tools have fallen, too: %+v", other.Sent)
	}
	l.Down(second, false)
	third := tools(click)
	if !third.Words || string(third.Sent[0].Schema) != `{"type":"object"}` || !strings.Contains(third.Sent[0].Description, string(click.Input)) || l.Down(third, false) {
		t.Errorf("%+v", third.Sent)
	}
	if l.Down(tools(read), true); tools(read).Sent[0].Strict || tools(model.Tool{Name: "new"}).Sent[0].Strict {
		t.Error("what is unknown for all was sent again")
	}
	if _, err := l.Tools([]model.Tool{{Name: "odd", Input: json.RawMessage(`{`)}}); err == nil || !strings.Contains(err.Error(), `"odd"`) {
		t.Error(err)
	}
}

func TestRefusesKnowsSchemas(t *testing.T) {
	for message, want := range map[string]bool{
		"Invalid schema for function 'done': additionalProperties is required": true,
		"tools.3.custom.input_schema: input_schema does not support oneOf":     true,
		`Unknown name "parametersJsonSchema" at 'tools[0]'`:                    true,
		"Unsupported parameter: 'temperature'":                                 false,
	} {
		if got := Refuses(&model.Error{Kind: model.ErrorRequest, Message: message}); got != want {
			t.Errorf("%s: %t", message, got)
		}
	}
	if Refuses(&model.Error{Kind: model.ErrorAuth, Message: "schema"}) {
		t.Error("a wrong key is no wrong schema")
	}
}
