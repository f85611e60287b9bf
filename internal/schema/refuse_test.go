package schema

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// refused are schemas with the message that their sender gets.
var refused = map[string]string{
	// What is no schema at all.
	``:                 `resultSchema is empty`,
	`{`:                `resultSchema is not valid JSON: it ends too early`,
	`[]`:               `resultSchema must be an object or a boolean`,
	`"object"`:         `resultSchema must be an object or a boolean`,
	`null`:             `resultSchema must be an object or a boolean`,
	"{\"a\":\"\xff\"}": `resultSchema is not valid UTF-8`,
	`{"type":"object","properties":{"a":{"type":"string"},"a":{}}}`: `resultSchema at /properties/a: is there twice`,

	// What the metaschemas refuse.
	`{"type":"strin"}`:                        `resultSchema at /type: must be one of "array", "boolean", "integer", "null", "number", "object", "string"`,
	`{"type":["string","string"]}`:            `resultSchema at /type: matches none of the 2 alternatives`,
	`{"properties":[]}`:                       `resultSchema at /properties: must be object, but is array`,
	`{"properties":{"a":1}}`:                  `resultSchema at /properties/a: must be boolean or object, but is number`,
	`{"properties":{"a/b":{"title":1}}}`:      `resultSchema at /properties/a~1b/title: must be string, but is number`,
	`{"minimum":"1"}`:                         `resultSchema at /minimum: must be number, but is string`,
	`{"multipleOf":0}`:                        `resultSchema at /multipleOf: must be greater than 0, but is 0`,
	`{"allOf":[]}`:                            `resultSchema at /allOf: must have at least 1 items, but has 0`,
	`{"$anchor":"1"}`:                         `resultSchema at /$anchor: does not match the pattern "^[A-Za-z_][-A-Za-z0-9._]*$"`,
	in(Draft4, `{"exclusiveMinimum":true}`):   `resultSchema must have the property "minimum" because it has "exclusiveMinimum"`,
	in(Draft4, `{"properties":{"a":true}}`):   `resultSchema at /properties/a: must be object, but is boolean`,
	in(Draft7, `{"enum":[1,1.0]}`):            `resultSchema at /enum: must not have equal items, but items 0 and 1 are`,
	in(Draft201909, `{"$recursiveAnchor":1}`): `resultSchema at /$recursiveAnchor: must be boolean, but is number`,

	// What the pre-check wants beyond that.
	`{"required":"a"}`:                                      `resultSchema at /required: must be an array of strings`,
	`{"required":[["a"],["a"]]}`:                            `resultSchema at /required/0: must be a string`,
	`{"type":[["a"]]}`:                                      `resultSchema at /type/0: must be a string`,
	`{"dependentRequired":{"x":[1]}}`:                       `resultSchema at /dependentRequired/x/0: must be a string`,
	`{"dependencies":{"x":[1]}}`:                            `resultSchema at /dependencies/x/0: must be a string`,
	`{"minLength":-1}`:                                      `resultSchema at /minLength: must be an integer that is not negative`,
	`{"items":{"maxItems":1.5}}`:                            `resultSchema at /items/maxItems: must be an integer that is not negative`,
	`{"maxItems":1e400}`:                                    `resultSchema at /maxItems: must be at most 9007199254740991`,
	`{"maxProperties":9223372036854775808}`:                 `resultSchema at /maxProperties: must be at most 9007199254740991`,
	`{"minContains":"1"}`:                                   `resultSchema at /minContains: must be an integer`,
	`{"pattern":1}`:                                         `resultSchema at /pattern: must be a string`,
	`{"pattern":"(?<=a"}`:                                   `resultSchema at /pattern: is a regular expression that is none of ECMAScript: missing closing )`,
	`{"patternProperties":{"(a)\\2":{}}}`:                   `resultSchema at /patternProperties/(a)\\2: is a regular expression that is none of ECMAScript: unrecognized escape sequence \2`,
	`{"$schema":"http://example.com/x"}`:                    `resultSchema at /$schema: "http://example.com/x" is not a supported draft (4, 6, 7, 2019-09, 2020-12)`,
	`{"items":{"$schema":"urn:x"}}`:                         `resultSchema at /items/$schema: "urn:x" is not a supported draft (4, 6, 7, 2019-09, 2020-12)`,
	`{"$schema":"http://json-schema.org/draft-03/schema#"}`: `resultSchema at /$schema: "http://json-schema.org/draft-03/schema#" is not a supported draft (4, 6, 7, 2019-09, 2020-12)`,

	// References.
	`{"properties":{"a":{"$ref":"#/x"}}}`: `resultSchema at /properties/a/$ref: "#/x" refers to nothing`,
	`{"$ref":"#/x~2"}`:                    `resultSchema at /$ref: "#/x~2" refers to nothing`,
	`{"$ref":"#x"}`:                       `resultSchema at /$ref: "#x" refers to an anchor that is not there`,
	`{"$ref":"#%zz"}`:                     `resultSchema at /$ref: "#%zz" has a broken percent-encoding`,
	`{"$ref":"#/enum","enum":[1]}`:        `resultSchema at /$ref: "#/enum" refers to what is not a schema`,
	`{"$dynamicRef":"#x"}`:                `resultSchema at /$dynamicRef: "#x" refers to an anchor that is not there`,
	`{"$ref":"file:///etc/passwd"}`:       `resultSchema at /$ref: "file:///etc/passwd" refers to another document; only references within the schema are followed`,
	`{"$ref":"/etc/passwd"}`:              `resultSchema at /$ref: "/etc/passwd" refers to another document; only references within the schema are followed`,
	`{"$ref":"other.json#/a"}`:            `resultSchema at /$ref: "other.json#/a" refers to another document; only references within the schema are followed`,
	`{"$ref":"http://127.0.0.1:1/s"}`:     `resultSchema at /$ref: "http://127.0.0.1:1/s" refers to another document; only references within the schema are followed`,
	`{"$ref":"//127.0.0.1/s"}`:            `resultSchema at /$ref: "//127.0.0.1/s" refers to another document; only references within the schema are followed`,
	`{"$ref":"http://json-schema.org/draft-07/schema#/definitions/stringArray"}`: `resultSchema at /$ref: "http://json-schema.org/draft-07/schema#/definitions/stringArray" refers to another document; only references within the schema are followed`,
	`{"$id":"http://a.example/s","$ref":"t"}`:                                    `resultSchema at /$ref: "t" refers to another document; only references within the schema are followed`,
	`{"$id":"urn:a:b","$ref":"t"}`:                                               `resultSchema at /$ref: "t" cannot be relative to "urn:a:b"`,
	`{"$id":"http://[","type":"object"}`:                                         `resultSchema at /$id: "http://[" is not a URI reference`,
	`{"$ref":"http://["}`:                                                        `resultSchema at /$ref: "http://[" is not a URI reference`,
	`{"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}}`:                                `resultSchema at /$defs/b/$id: "drover:///x" is used twice, also at /$defs/a`,
	`{"$id":"x","$defs":{"b":{"$id":"x"}}}`:                                      `resultSchema at /$defs/b/$id: "drover:///x" is used twice, also at the top`,
	`{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`:                        `resultSchema at /$defs/b/$anchor: "x" is used twice, also at /$defs/a`,
	// The $id changes what "#" is relative to.
	`{"$defs":{"t":{}},"items":{"$id":"x","items":{"$ref":"#/$defs/t"}}}`: `resultSchema at /items/items/$ref: "#/$defs/t" refers to nothing`,

	// References that lead nowhere.
	`{"$ref":"#"}`:             `resultSchema refers to itself without going deeper into the data`,
	`{"allOf":[{"$ref":"#"}]}`: `resultSchema refers to itself without going deeper into the data`,
	`{"properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/properties/a"}}}`:  `resultSchema at /properties/a: refers to itself without going deeper into the data`,
	`{"not":{"if":{"anyOf":[{"$ref":"#/not"}]}}}`:                                   `resultSchema at /not: refers to itself without going deeper into the data`,
	`{"dependentSchemas":{"a":{"$ref":"#"}}}`:                                       `resultSchema refers to itself without going deeper into the data`,
	`{"$dynamicAnchor":"n","anyOf":[{"$dynamicRef":"#n"},{}]}`:                      `resultSchema refers to itself without going deeper into the data`,
	in(Draft201909, `{"$recursiveAnchor":true,"anyOf":[{"$recursiveRef":"#"},{}]}`): `resultSchema refers to itself without going deeper into the data`,
	in(Draft7, `{"dependencies":{"a":{"$ref":"#"}}}`):                               `resultSchema refers to itself without going deeper into the data`,
	in(Draft4, `{"id":"#x","oneOf":[{"$ref":"#x"}]}`):                               `resultSchema refers to itself without going deeper into the data`,
}

func TestRefusedSchemasSayWhere(t *testing.T) {
	for text, want := range refused {
		_, err := Compile([]byte(text), Options{Field: "resultSchema"})
		var got string
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
			continue
		}
		if pub := errtypes.Public(err); pub.Kind != errtypes.Invalid || pub.Field != "resultSchema" || pub.Message != want {
			t.Errorf("%s: the caller sees %+v", text, pub)
		}
	}
}

// Whatever is refused, nothing that is the library's own shows: its words, the
// base that a schema without $id has, the scheme of files.
func TestMessagesAreOurs(t *testing.T) {
	for text, message := range refused {
		for _, foreign := range []string{"jsonschema", "santhosh", rootURI, "file://", "metaschema"} {
			if strings.Contains(message, foreign) && !strings.Contains(text, foreign) {
				t.Errorf("%s: %q in %s", text, foreign, message)
			}
		}
	}
}

func TestFieldHasADefault(t *testing.T) {
	_, err := Compile([]byte("[]"), Options{})
	if err == nil || err.Error() != "schema must be an object or a boolean" {
		t.Error(err)
	}
}

func TestEachLimitIsAnOption(t *testing.T) {
	for _, c := range []struct {
		o         Options
		good, bad string
		want      string
	}{
		{Options{MaxSize: 20}, `{"type":"object"}`, `{"type":  "object"  }`, "schema has 21 bytes, the most is 20"},
		{Options{MaxDepth: 3}, `{"not":{"not":{}}}`, `{"not":{"not":{"not":{}}}}`, "schema at /not/not/not: is nested deeper than 3 levels"},
		{Options{MaxSubschemas: 3}, `{"anyOf":[{},true]}`, `{"anyOf":[{},true,{}]}`, "schema has more than 3 subschemas"},
		{Options{MaxKeywords: 3}, `{"required":["a"],"title":""}`, `{"required":["a","b"],"title":""}`, "schema has more than 3 keywords"},
		{Options{MaxRefs: 1}, `{"$defs":{"a":{}},"$ref":"#/$defs/a"}`, `{"$defs":{"a":{"items":{"$ref":"#"}}},"$ref":"#/$defs/a"}`, "schema has more than 1 references"},
		{Options{MaxExpansion: 3}, `{"anyOf":[{},{}]}`, `{"anyOf":[{},{},{}]}`, "schema expands to more than 3 checks of one value"},
		{Options{MaxPattern: 2}, `{"pattern":"^a{10}$"}`, `{"pattern":"^a{10}a{10}a{10}a{10}$"}`, "schema at /pattern: makes the regular expressions of the schema, taken together, larger than 20 steps"},
	} {
		mustCompile(t, c.good, c.o)
		_, err := Compile([]byte(c.bad), c.o)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.bad, err, c.want)
		}
	}
}
