package webhooks

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/npmtest"
)

var names = []string{"userId", "createdAt", "eventType", "eventData", "resource", "globals"}

// sample is a context with a value of each kind.
const sample = `{"userId":"u\"1","createdAt":"2026-01-02T03:04:05.000Z","eventType":"ACTOR.RUN.SUCCEEDED","eventData":{"actorId":"a","actorRunId":"r"},
	"resource":{"id":"r","status":"SUCCEEDED","n":12,"zero":0,"no":false,"yes":true,"nil":null,"empty":"","list":["x",{"y":1}],"stats":{"deep":{"er":1.5}}},"globals":{"dateISO":"2026","dateUnix":1767323045}}`

// Where both say something, they say the same.
var cases = []string{
	`{"userId": {{userId}}, "resource": {{resource}}, "e": {{eventData}}}`,
	`{{resource}}`, `[{{userId}},{{eventData.actorId}}]`, `{"a":{{resource.stats.deep.er}},"b":{{resource.list}}}`,
	`{"a":{{resource.missing}},"b":{{resource.id.more}},"c":{{resource.nil.x}}}`,
	`{"zero":{{resource.zero}},"no":{{resource.no}},"yes":{{resource.yes}},"empty":{{resource.empty}},"nil":{{resource.nil}}}`,
	`{"s":"{{userId}}","t":"a {{eventType}} b {{resource.n}} {{resource.yes}}"}`, `{"{{userId}}":1}`, `{"a":"\"{{userId}}\"","b":"\\"}`,
	`{"x":"{{resource.stats.deep}}","l":"{{resource.list}}","n":"{{resource.n}}","z":"{{resource.zero}}"}`,
	`{"x":"{{ userId }} {{}} {{user-id}} {{"}`, `{"a":"}}","b":{{userId}}}`, `"text"`, `17`, `{"a":[[{"b":{{globals.dateUnix}}}]],"c":"{{globals.dateISO}}"}`,
	`{"first":{{resource.list.0}},"more":{{resource.list.1.y}}}`,
	// And these are refused.
	`{`, `{"a":{{nope}}}`, `{"a":{{ userId }}}`, `{"a":{{userId}}`, `{"a":{{userId}`, ``, `{"a":{{userId}} 1}`, `{'a':1}`, `{"a":"}`,
}

var interpolated = []string{`{"a":"x {{nope}}"}`, `{"a":"{{nope.x}}"}`}

func values(t *testing.T) (v map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal([]byte(sample), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func render(t *testing.T, text string, interpolate bool) (string, error) {
	t.Helper()
	parsed, err := ParseTemplate(text, interpolate, names...)
	if err != nil {
		return "", err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, parsed.Render(values(t))); err != nil {
		t.Errorf("%s became no JSON: %v", text, err)
	}
	return compact.String(), nil
}

func TestTemplatesAreThoseOfTheReference(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "testdata/npm")
	type one struct {
		Template    string          `json:"template"`
		Values      json.RawMessage `json:"values"`
		Interpolate bool            `json:"interpolate"`
	}
	var all []one
	for _, text := range cases {
		all = append(all, one{text, json.RawMessage(sample), false}, one{text, json.RawMessage(sample), true})
	}
	for _, text := range interpolated {
		all = append(all, one{text, json.RawMessage(sample), true})
	}
	var want []struct{ JSON, Error string }
	node(t, dir, "templates.js", all, &want)
	for i, c := range all {
		got, err := render(t, c.Template, c.Interpolate)
		if (err != nil) != (want[i].Error != "") || !sameJSON(got, want[i].JSON) {
			t.Errorf("%s, inside of strings %t: %s, %v; the reference says %s%s", c.Template, c.Interpolate, got, err, want[i].JSON, want[i].Error)
		}
	}
}

// sameJSON compares by what is said: the reference writes numbers and characters its way.
func sameJSON(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	norm := func(s string) string {
		var v any
		json.Unmarshal([]byte(s), &v)
		text, _ := json.Marshal(v)
		return string(text)
	}
	return norm(a) == norm(b)
}

func node(t *testing.T, dir, script string, in, out any) {
	t.Helper()
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", script)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(text)
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v", err)
	}
	if err := json.Unmarshal(answer, out); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
}

// What the reference does with these is of no use: it puts "[object Object]" and
// "undefined" into texts, and looks for variables in what variables have brought in.
func TestWhereTemplatesDepartFromTheReference(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":"is {{resource.stats}}"}`:   `{"a":"is {\"deep\":{\"er\":1.5}}"}`,
		`{"a":"is {{resource.missing}}"}`: `{"a":"is null"}`,
		`{"a":"{{resource.missing}}"}`:    `{"a":null}`,
	} {
		if got, err := render(t, text, true); err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", text, got, err, want)
		}
	}
}

func TestVariablesBringInNoVariables(t *testing.T) {
	t.Parallel()
	parsed, err := ParseTemplate(`{"a":{{resource}},"b":"x {{resource.text}}"}`, true, names...)
	if err != nil {
		t.Fatal(err)
	}
	got := string(parsed.Render(map[string]json.RawMessage{"resource": json.RawMessage(`{"text":"{{userId}}"}`), "userId": json.RawMessage(`"u"`)}))
	if got != `{"a":{"text":"{{userId}}"},"b":"x {{userId}}"}` {
		t.Error(got)
	}
}

// A short template that asks for a large value many times makes no more than is allowed, and
// takes it apart once.
func TestWhatATemplateMakesIsBounded(t *testing.T) {
	t.Parallel()
	resource := json.RawMessage(`{"a":1,"text":"` + strings.Repeat("x", 2<<20) + `"}`)
	all := map[string]json.RawMessage{"resource": resource}
	for text, fits := range map[string]bool{
		"[" + strings.Repeat("{{resource}},", 3000) + "1]": false, `{"a":"` + strings.Repeat("{{resource}}", 3000) + `"}`: false,
		"[" + strings.Repeat("{{resource.a}},", 3000) + "1]": true, "[{{resource}},{{resource}}]": true,
	} {
		parsed, err := ParseTemplate(text, true, names...)
		if err != nil {
			t.Fatal(err)
		}
		made, ok := parsed.RenderWithin(all, 8<<20)
		if ok != fits || ok && !json.Valid(made) {
			t.Errorf("%.30s: %t, %d bytes", text, ok, len(made))
		}
	}
	opened := map[string]*tree{}
	first := lookup(opened, all, []string{"resource", "a"})
	if again := lookup(opened, all, []string{"resource", "a"}); string(again) != "1" || &first[0] != &again[0] {
		t.Error("the resource was taken apart again")
	}
}

// A key is no value: with null in its place, which variables may become, it is no JSON.
func TestVariablesAreNoKeys(t *testing.T) {
	t.Parallel()
	if _, err := ParseTemplate(`{ {{userId}}: 1 }`, true, names...); err == nil {
		t.Error("it is taken")
	}
}

func FuzzTemplate(f *testing.F) {
	for _, text := range cases {
		f.Add(text, true)
	}
	var v map[string]json.RawMessage
	json.Unmarshal([]byte(sample), &v)
	f.Fuzz(func(t *testing.T, text string, interpolate bool) {
		parsed, err := ParseTemplate(text, interpolate, names...)
		if err == nil && !json.Valid(parsed.Render(v)) {
			t.Errorf("%q became no JSON: %s", text, parsed.Render(v))
		}
	})
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"X-A": "1", "x-b": {{eventType}}}`:            "X-A: 1, X-B: ACTOR.RUN.SUCCEEDED",
		`{"Authorization": "Bearer {{userId}}"}`:        `Authorization: Bearer u"1`,
		`{"host": "x", "content-type": "x", "X-A": ""}`: "X-A: ",
		`{"n": {{resource.n}}, "o": {{resource.yes}}}`:  "N: 12, O: true",
		`{}`:                           "",
		`{"X": {{resource.stats}}}`:    "", // what is no text is not sent
		`[]`:                           "must be an object",
		`{"X": {"a":1}}`:               "is no string",
		`{"": "x"}`:                    "no header can have",
		`{"a b": "x"}`:                 "no header can have",
		`{"a\r\nb": "x"}`:              "no header can have",
		`{"é": "x"}`:                   "no header can have",
		`{"X": "a\r\nSet-Cookie: b"}`:  "control characters",
		`{"Transfer-encoding": "x"}`:   "is the connection's",
		`{"content-LENGTH": "1"}`:      "is the connection's",
		`{"connection": "close"}`:      "is the connection's",
		`{"Proxy-Authorization": "x"}`: "is the connection's",
	} {
		parsed, err := ParseTemplate(text, true, names...)
		if err == nil {
			err = CheckHeaders(parsed)
		}
		if err != nil {
			if !strings.Contains(err.Error(), want) || want == "" {
				t.Errorf("%s: %v, want %s", text, err, want)
			}
			continue
		}
		var got []string
		made, _ := RenderHeaders(parsed, values(t), 1<<20)
		for _, h := range made {
			got = append(got, h.Name+": "+h.Value)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %s", text, got, want)
		}
	}
}

// What a variable brings in does not make another header.
func TestAVariableInjectsNoHeader(t *testing.T) {
	t.Parallel()
	parsed, err := ParseTemplate(`{"X": "{{resource}}", "Y": "y"}`, true, names...)
	if err != nil || CheckHeaders(parsed) != nil {
		t.Fatal(err)
	}
	got, _ := RenderHeaders(parsed, map[string]json.RawMessage{"resource": json.RawMessage(`"a\r\nZ: z"`)}, 1<<20)
	if len(got) != 1 || got[0].Name != "Y" {
		t.Error(got)
	}
}
