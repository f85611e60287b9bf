package schema

import (
	"strings"
	"testing"
)

// conformance is a small table of what the drafts say, so that a change of the
// library, or of what stands in front of it, does not go unnoticed. The
// library runs the official suite itself.
var conformance = []struct {
	name   string
	drafts []Draft
	schema string
	yes    []string
	no     []string
}{
	{"boolean true", since(Draft6), `true`, []string{`1`, `{}`, `null`}, nil},
	{"boolean false", since(Draft6), `false`, nil, []string{`1`, `{}`, `null`}},
	{"empty", allDrafts, `{}`, []string{`1`, `{}`, `null`, `"x"`}, nil},
	{"type", allDrafts, `{"type":"integer"}`, []string{`1`, `-0`, `1e3`, `12345678901234567890`}, []string{`1.5`, `1e-1`, `"1"`, `null`, `true`}},
	{"integer with a fraction of zero", since(Draft6), `{"type":"integer"}`, []string{`1.0`, `10e-1`}, []string{`1.01`}},
	{"types", allDrafts, `{"type":["number","null"]}`, []string{`1`, `1.5`, `null`}, []string{`"x"`, `[]`, `false`}},
	{"enum", allDrafts, `{"enum":["a",1,null,{"x":[1,2]},[true]]}`, []string{`"a"`, `1.0`, `null`, `{"x":[1,2.0]}`, `[true]`}, []string{`"b"`, `true`, `{"x":[2,1]}`, `{"x":[1,2],"y":0}`, `[]`, `"null"`}},
	{"const", since(Draft6), `{"const":{"a":1.0}}`, []string{`{"a":1}`}, []string{`{"a":1,"b":1}`, `{"a":"1"}`, `[]`}},
	{"const false is not 0", since(Draft6), `{"const":false}`, []string{`false`}, []string{`0`, `null`, `""`}},
	{"bounds", since(Draft6), `{"minimum":1,"exclusiveMaximum":2.5}`, []string{`1`, `2.4999`, `"9"`}, []string{`0.999`, `2.5`, `1e400`}},
	{"bounds of draft 4", []Draft{Draft4}, `{"minimum":1,"exclusiveMinimum":true,"maximum":3}`, []string{`1.001`, `3`}, []string{`1`, `3.001`}},
	{"multipleOf", allDrafts, `{"multipleOf":0.01}`, []string{`0`, `1.23`, `-4.5`, `1e400`}, []string{`0.001`, `1e-400`}},
	{"lengths count characters", allDrafts, `{"minLength":2,"maxLength":3}`, []string{`"é😀"`, `"abc"`, `1`}, []string{`"😀"`, `"abcd"`}},
	{"pattern is not anchored", allDrafts, `{"pattern":"b+$"}`, []string{`"abb"`, `1`}, []string{`"ba"`}},
	{"required", allDrafts, `{"required":["a","b"]}`, []string{`{"a":1,"b":null}`, `[]`}, []string{`{"a":1}`}},
	{"properties", allDrafts, `{"properties":{"a":{"type":"string"}},"patternProperties":{"^x":{"type":"number"}},"additionalProperties":false}`,
		[]string{`{}`, `{"a":"","x":1,"x2":2}`}, []string{`{"a":1}`, `{"x":""}`, `{"b":1}`}},
	{"additionalProperties", allDrafts, `{"properties":{"a":{}},"additionalProperties":{"type":"null"}}`, []string{`{"a":1,"b":null}`}, []string{`{"b":1}`}},
	{"property counts", allDrafts, `{"minProperties":1,"maxProperties":2}`, []string{`{"a":1}`, `3`}, []string{`{}`, `{"a":1,"b":1,"c":1}`}},
	{"propertyNames", since(Draft6), `{"propertyNames":{"maxLength":2}}`, []string{`{"ab":1}`, `"abc"`}, []string{`{"abc":1}`}},
	{"items", allDrafts, `{"items":{"type":"string"}}`, []string{`[]`, `["a"]`, `{}`}, []string{`["a",1]`}},
	{"item counts", allDrafts, `{"minItems":1,"maxItems":2}`, []string{`[1]`, `[1,2]`}, []string{`[]`, `[1,2,3]`}},
	{"tuples before 2020", []Draft{Draft4, Draft6, Draft7, Draft201909}, `{"items":[{"type":"string"}],"additionalItems":{"type":"number"}}`,
		[]string{`[]`, `["a",1,2]`}, []string{`[1]`, `["a","b"]`}},
	{"tuples", []Draft{Draft202012}, `{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}`, []string{`[]`, `["a",1,2]`}, []string{`[1]`, `["a","b"]`}},
	{"uniqueItems", allDrafts, `{"uniqueItems":true}`, []string{`[1,"1",true,[1],{"1":1}]`, `["a\u0004b",["a","b"]]`, `[{"a":1,"b":2},{"a":2,"b":1}]`, `[1,-1]`},
		[]string{`[1,1.0]`, `[{"a":1,"b":[]},{"b":[],"a":1e0}]`, `[0,-0]`, `[null,null]`}},
	{"contains", since(Draft6), `{"contains":{"const":1}}`, []string{`[0,1]`, `{}`}, []string{`[]`, `[0]`}},
	{"minContains and maxContains", since(Draft201909), `{"contains":{"const":1},"minContains":0,"maxContains":1}`, []string{`[]`, `[1]`}, []string{`[1,1]`}},
	{"allOf", allDrafts, `{"allOf":[{"minimum":1},{"maximum":2}]}`, []string{`1`, `2`}, []string{`0`, `3`}},
	{"anyOf", allDrafts, `{"anyOf":[{"type":"string"},{"minimum":5}]}`, []string{`"x"`, `5`, `null`}, []string{`4`}},
	{"oneOf", allDrafts, `{"oneOf":[{"minimum":1},{"maximum":2}]}`, []string{`0`, `3`}, []string{`1`, `2`, `"x"`}},
	{"not", allDrafts, `{"not":{"type":"string"}}`, []string{`1`}, []string{`""`}},
	{"if", since(Draft7), `{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, []string{`{"a":1,"b":1}`, `{"c":1}`, `5`}, []string{`{"a":1,"c":1}`, `{}`}},
	{"if is nothing before 7", []Draft{Draft4, Draft6}, `{"if":{},"then":{"not":{}}}`, []string{`1`}, nil},
	{"dependencies", []Draft{Draft4, Draft6, Draft7}, `{"dependencies":{"a":["b"],"c":{"minProperties":2}}}`, []string{`{}`, `{"a":1,"b":1}`, `{"c":1,"d":1}`}, []string{`{"a":1}`, `{"c":1}`}},
	{"dependentRequired and dependentSchemas", since(Draft201909), `{"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"minProperties":2}}}`, []string{`{}`, `{"a":1,"b":1}`, `{"c":1,"d":1}`}, []string{`{"a":1}`, `{"c":1}`}},
	{"unevaluatedProperties", since(Draft201909), `{"allOf":[{"properties":{"a":true}}],"anyOf":[{"properties":{"b":{"const":1}},"required":["b"]},true],"unevaluatedProperties":false}`,
		[]string{`{"a":1}`, `{"a":1,"b":1}`}, []string{`{"b":2}`, `{"c":1}`}},
	{"unevaluatedItems", []Draft{Draft202012}, `{"prefixItems":[true],"contains":{"type":"string"},"unevaluatedItems":false}`, []string{`[1,"a","b"]`}, []string{`[1,"a",2]`}},
	{"a $ref hides its siblings up to 7", []Draft{Draft4, Draft6, Draft7}, `{"properties":{"a":{"$ref":"#/definitions/s","maxLength":1}},"definitions":{"s":{"type":"string"}}}`, []string{`{"a":"abc"}`}, []string{`{"a":1}`}},
	{"a $ref has siblings since 2019", since(Draft201909), `{"properties":{"a":{"$ref":"#/$defs/s","maxLength":1}},"$defs":{"s":{"type":"string"}}}`, []string{`{"a":"a"}`}, []string{`{"a":"abc"}`, `{"a":1}`}},
	{"recursion", allDrafts, `{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}},"required":["kids"]}`, []string{`{"kids":[{"kids":[]}]}`}, []string{`{"kids":[{}]}`}},
	{"pointers with escapes", allDrafts, `{"definitions":{"a/b~c d%":{"type":"string"}},"properties":{"x":{"$ref":"#/definitions/a~1b~0c%20d%25"}}}`, []string{`{"x":""}`}, []string{`{"x":1}`}},
	{"references to odd places", allDrafts, `{"shapes":{"s":{"type":"string"}},"properties":{"x":{"$ref":"#/shapes/s"}}}`, []string{`{"x":""}`}, []string{`{"x":1}`}},
	{"$defs in draft 7", []Draft{Draft7}, `{"$defs":{"s":{"items":{"$ref":"#/$defs/t"}},"t":{"type":"string"}},"properties":{"x":{"$ref":"#/$defs/s"}}}`, []string{`{"x":[""]}`}, []string{`{"x":[1]}`}},
	{"id as anchor", []Draft{Draft4}, `{"definitions":{"s":{"id":"#s","type":"string"}},"items":{"$ref":"#s"}}`, []string{`[""]`}, []string{`[1]`}},
	{"$id as anchor", []Draft{Draft6, Draft7}, `{"definitions":{"s":{"$id":"#s","type":"string"}},"items":{"$ref":"#s"}}`, []string{`[""]`}, []string{`[1]`}},
	{"$anchor", since(Draft201909), `{"$defs":{"s":{"$anchor":"s","type":"string"}},"items":{"$ref":"#s"}}`, []string{`[""]`}, []string{`[1]`}},
	{"relative $id", since(Draft201909), `{"$id":"https://a.example/x/root","$defs":{"s":{"$id":"../t","$defs":{"u":{"type":"string"}}}},"items":{"$ref":"/t#/$defs/u"}}`, []string{`[""]`}, []string{`[1]`}},
	{"absolute reference to oneself", allDrafts, `{"$id":"https://a.example/x","id":"https://a.example/x","items":{"$ref":"https://a.example/x"},"type":"array"}`, []string{`[[]]`}, []string{`[1]`}},
	{"a urn", since(Draft6), `{"$id":"urn:example:tree","items":{"$ref":"urn:example:tree"},"type":"array"}`, []string{`[[]]`}, []string{`[1]`}},
	{"a metaschema", allDrafts, `{"items":{"$ref":"http://json-schema.org/draft-07/schema#"}}`, []string{`[{"type":"string"},true]`}, []string{`[{"type":"strin"}]`, `[1]`}},
	{"$recursiveRef", []Draft{Draft201909}, `{"$id":"https://a.example/strict","$recursiveAnchor":true,"$ref":"tree","unevaluatedProperties":false,"$defs":{"tree":{"$id":"tree","$recursiveAnchor":true,"properties":{"v":true,"kids":{"items":{"$recursiveRef":"#"}}}}}}`,
		[]string{`{"v":1,"kids":[{"v":2}]}`}, []string{`{"kids":[{"w":1}]}`, `{"w":1}`}},
	{"$dynamicRef", []Draft{Draft202012}, `{"$id":"https://a.example/strict","$dynamicAnchor":"node","$ref":"tree","unevaluatedProperties":false,"$defs":{"tree":{"$id":"tree","$dynamicAnchor":"node","properties":{"v":true,"kids":{"items":{"$dynamicRef":"#node"}}}}}}`,
		[]string{`{"v":1,"kids":[{"v":2}]}`}, []string{`{"kids":[{"w":1}]}`, `{"w":1}`}},
	{"another draft inside", []Draft{Draft202012}, `{"properties":{"a":{"$id":"old","$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}}}`,
		[]string{`{"a":["x",1]}`}, []string{`{"a":[1]}`}},
	{"format is a rule up to 7", []Draft{Draft4, Draft6, Draft7}, `{"format":"ipv4"}`, []string{`"127.0.0.1"`, `1`}, []string{`"127.0.0.256"`}},
	{"format is a remark since 2019", since(Draft201909), `{"format":"ipv4"}`, []string{`"127.0.0.256"`}, nil},
	{"unknown keywords and content are remarks", allDrafts, `{"x":{"$ref":"nowhere"},"contentEncoding":"base64","contentMediaType":"application/json","format":"none"}`, []string{`"%"`}, nil},
	{"what looks like keywords in data", allDrafts, `{"enum":[{"$ref":"file:///x"},{"$id":"x"}],"default":{"$schema":"x"},"properties":{"$ref":{"type":"string"},"$id":{}}}`, []string{`{"$ref":"file:///x"}`}, []string{`{"$ref":1}`}},
}

// since lists a draft and those after it.
func since(first Draft) []Draft {
	var drafts []Draft
	for _, d := range allDrafts {
		if dialects[d].version >= dialects[first].version {
			drafts = append(drafts, d)
		}
	}
	return drafts
}

func TestConformance(t *testing.T) {
	for _, c := range conformance {
		for _, d := range c.drafts {
			s := mustCompile(t, c.schema, Options{Draft: d})
			for _, v := range c.yes {
				if _, err := s.ValidateJSON([]byte(v)); err != nil {
					t.Errorf("%s, draft %d: %s: %v", c.name, dialects[d].version, v, err)
				}
			}
			for _, v := range c.no {
				if _, err := s.ValidateJSON([]byte(v)); err == nil {
					t.Errorf("%s, draft %d: %s was accepted", c.name, dialects[d].version, v)
				}
			}
		}
	}
}

// A $schema has the effect of the option, and more weight.
func TestSchemaKeywordSelectsTheDraft(t *testing.T) {
	for _, c := range conformance {
		if c.schema[0] != '{' || c.schema == "{}" {
			continue
		}
		for _, d := range c.drafts {
			other := Draft4
			if d == Draft4 {
				other = Draft202012
			}
			s := mustCompile(t, in(d, c.schema), Options{Draft: other})
			if s.Draft() != d {
				t.Errorf("draft %v, want %v", s.Draft(), d)
			}
			for _, v := range c.no {
				if _, err := s.ValidateJSON([]byte(v)); err == nil {
					t.Errorf("%s, draft %d: %s was accepted", c.name, dialects[d].version, v)
				}
			}
		}
	}
}

func TestAssertFormat(t *testing.T) {
	s := mustCompile(t, `{"items":{"format":"date-time"}}`, Options{AssertFormat: true})
	if _, err := s.ValidateJSON([]byte(`["2026-01-31T10:00:00Z",1]`)); err != nil {
		t.Error(err)
	}
	_, err := s.ValidateJSON([]byte(`["yesterday"]`))
	if err == nil || !strings.Contains(err.Error(), "/0 is not a valid date-time") {
		t.Error(err)
	}
}
