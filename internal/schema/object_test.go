package schema

import "testing"

func TestRootCanBeObject(t *testing.T) {
	for _, text := range []string{
		`true`, `{}`, `{"type":"object"}`, `{"type":["null","object"]}`, `{"properties":{"a":{}}}`, `{"const":{}}`, `{"enum":[1,{}]}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}`, `{"anyOf":[{"type":"string"},{"type":"object"}]}`, `{"oneOf":[false,{}]}`,
		`{"allOf":[{"type":["object","array"]},{"minProperties":1}]}`, `{"not":{"type":"string"}}`, `{"not":{"type":"object","required":["a"]}}`,
		`{"not":false}`, `{"if":{"type":"string"},"then":false,"else":{}}`, `{"if":{},"then":false}`,
		`{"$dynamicAnchor":"a","properties":{"x":{"$dynamicRef":"#a"}}}`, `{"items":{"$ref":"#"}}`,
		in(Draft7, `{"$ref":"#/definitions/a","type":"string","definitions":{"a":{"type":"object"}}}`),
	} {
		if !mustCompile(t, text, Options{}).RootCanBeObject() {
			t.Errorf("%s: no", text)
		}
	}
	for _, text := range []string{
		`false`, `{"type":"string"}`, `{"type":["array","null"]}`, `{"const":[]}`, `{"enum":[1,"a"]}`, `{"enum":[]}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"array"}}}`, `{"anyOf":[{"type":"string"},{"type":"array"}]}`, `{"oneOf":[false,{"const":1}]}`,
		`{"allOf":[{"type":["object","array"]},{"type":"array"}]}`, `{"type":"object","allOf":[{"allOf":[false]}]}`, `{"not":{"type":"object"}}`,
		`{"not":{"type":["object","string"]}}`, `{"not":{}}`, `{"not":true}`, `{"if":{"minProperties":1},"then":{"type":"array"},"else":false}`,
		in(Draft7, `{"$ref":"#/definitions/a","type":"object","definitions":{"a":{"type":"string"}}}`),
	} {
		if mustCompile(t, text, Options{}).RootCanBeObject() {
			t.Errorf("%s: yes", text)
		}
	}
}
