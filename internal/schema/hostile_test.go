package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
)

// hostileSchemas would keep a validator busy while it compiles them. Each is
// refused, or compiled, at once; where refused, with these words.
var hostileSchemas = []struct {
	name   string
	drafts []Draft
	schema string
	want   string // "" if it is compiled
}{
	{"doubling anyOf", allDrafts, doubling("anyOf"), "expands to more than 100000 checks"},
	{"doubling allOf", allDrafts, doubling("allOf"), "expands to more than 100000 checks"},
	{"doubling oneOf", allDrafts, doubling("oneOf"), "expands to more than 100000 checks"},
	{"doubling through different keywords", since(Draft7),
		`{` + chain(30, `{"not":{"$ref":"#/definitions/d%[1]d"},"if":{"$ref":"#/definitions/d%[1]d"}}`) + `,"allOf":[{"$ref":"#/definitions/d0"}]}`, "expands to more than 100000 checks"},
	{"doubling through dependencies", []Draft{Draft4, Draft6, Draft7},
		`{` + chain(30, `{"dependencies":{"a":{"$ref":"#/definitions/d%[1]d"},"b":{"$ref":"#/definitions/d%[1]d"}}}`) + `,"allOf":[{"$ref":"#/definitions/d0"}]}`, "expands to more than 100000 checks"},
	{"doubling in what is not used", allDrafts, `{` + chain(30, `{"allOf":[{"$ref":"#/definitions/d%[1]d"},{"$ref":"#/definitions/d%[1]d"}]}`) + `}`, ""},
	{"doubling below a member", allDrafts, `{"properties":{"a":` + doubling("anyOf") + `}}`, "refers to nothing"},
	{"a reference to itself", allDrafts, `{"allOf":[{"$ref":"#"}]}`, "refers to itself"},
	{"a long way back", allDrafts, `{` + chain(200, `{"allOf":[{"$ref":"#/definitions/d%[1]d"}]}`) + `,"items":{"$ref":"#/definitions/d0"}}`, "more than 256 subschemas inside each other"},
	{"a long chain", allDrafts, `{` + chain(300, `{"$ref":"#/definitions/d%[1]d"}`) + `,"items":{"$ref":"#/definitions/d0"}}`, "more than 256 subschemas inside each other"},
	{"a number", allDrafts, `{"multipleOf":1e99999999}`, "at /multipleOf: is a number that has an exponent beyond ±400"},
	{"a small number", allDrafts, `{"items":{"multipleOf":1e-99999999}}`, "at /items/multipleOf: is a number that has an exponent beyond ±400"},
	{"a number in an enum", allDrafts, `{"enum":[0,{"a":1e99999999}]}`, "at /enum/1/a: is a number"},
	{"a number in a remark", allDrafts, `{"default":[1e99999999]}`, "at /default/0: is a number"},
	{"a long number", allDrafts, `{"maximum":` + strings.Repeat("9", 100_000) + `}`, "at /maximum: is a number that has more than 400 characters"},
	{"a count", allDrafts, `{"maxItems":1e400}`, "at /maxItems: must be at most"},
	{"10,000 not", allDrafts, nested(10_000, `{"not":`, "{}", "}"), "is nested deeper than 64 levels"},
	{"a million not", allDrafts, nested(1_000_000, `{"not":`, "{}", "}"), "the most is 262144"},
	{"a million brackets", allDrafts, strings.Repeat("[", 262_000), "is nested deeper than 64 levels"},
	{"many subschemas", allDrafts, `{"properties":{` + commas(20_000, func(i int) string { return fmt.Sprintf(`"%d":{}`, i) }) + `}}`, "has more than 4000 subschemas"},
	{"as many subschemas as there may be", allDrafts, `{"properties":{` + commas(3_990, func(i int) string { return fmt.Sprintf(`"%d":{"type":"string"}`, i) }) + `}}`, ""},
	{"as many that are wrong", allDrafts, `{"properties":{` + commas(3_990, func(i int) string { return fmt.Sprintf(`"%d":{"type":"strin","title":7}`, i) }) + `}}`, "/title: must be string, but is number"},
	{"many keywords", allDrafts, `{"required":[` + commas(21_000, func(i int) string { return fmt.Sprintf(`"%d"`, i) }) + `]}`, "has more than 20000 keywords"},
	{"long names over many subschemas", allDrafts, nested(25, `{"properties":{"`+strings.Repeat("n", 4_000)+`":`, `{"properties":{`+commas(3_000, func(i int) string { return fmt.Sprintf(`"%d":{}`, i) })+`}}`, "}}"),
		"names above the subschemas"},
	{"deep and wide", allDrafts, nested(58, `{"items":`, `{"properties":{`+commas(2_500, func(i int) string { return fmt.Sprintf(`"%d":{"pattern":"^a"}`, i) })+`}}`, "}"), ""},
	{"references to everywhere", allDrafts,
		`{"x":` + nested(55, `{"items":`, `{"properties":{`+commas(1_500, func(i int) string { return fmt.Sprintf(`"%d":{}`, i) })+`}}`, "}") +
			`,"anyOf":[` + commas(50, func(i int) string { return `{"$ref":"#/x` + strings.Repeat("/items", 54-i) + `"}` }) + `]}`, "too many references to what is not in $defs"},
	{"many references to odd places", allDrafts,
		`{"x":{` + commas(900, func(i int) string { return fmt.Sprintf(`"%d":{}`, i) }) + `},"anyOf":[` + commas(900, func(i int) string { return fmt.Sprintf(`{"$ref":"#/x/%d"}`, i) }) + `]}`,
		"too many references to what is not in $defs"},
	{"many identifiers", since(Draft6), `{"definitions":{` + commas(200, func(i int) string { return fmt.Sprintf(`"%[1]d":{"$id":"x%[1]d"}`, i) }) + `}}`, "is one identifier too many"},
	{"an enum whose members collide", allDrafts, `{"enum":` + colliding(11, "") + `}`, "objects or arrays, the most is 100"},
	{"a few long members that collide", allDrafts, `{"enum":` + colliding(6, strings.Repeat(`"x",`, 300)) + `}`, ""},
	{"a huge enum", allDrafts, `{"enum":[` + commas(20_000, func(i int) string { return fmt.Sprint(i) }) + `]}`, "has 20000 members, the most is 10000"},
	{"required that collides", allDrafts, `{"required":` + colliding(11, "") + `}`, "at /required/0: must be a string"},
	{"nested repetition", allDrafts, `{"pattern":"((a{30}){30}){30}"}`, ""},
	{"wide repetition", allDrafts, `{"pattern":"` + strings.Repeat("(a?b?c?){900}", 9) + `"}`, ""},
	{"many wide repetitions", allDrafts, `{"patternProperties":{` + commas(40, func(i int) string { return fmt.Sprintf(`"(ab?){300}%d":{}`, i) }) + `}}`, "larger than 50000 steps"},
	{"expensive classes", allDrafts, `{"patternProperties":{` + commas(100, func(i int) string { return fmt.Sprintf(`"(?i)%d%s":{}`, i, strings.Repeat(`[a-￰]`, 50)) }) + `}}`, "take too long to read"},
	{"deep regular expression", allDrafts, `{"pattern":"` + nested(2_000, "(", "a", ")") + `"}`, ""},
	{"a reference cycle that only some path takes", []Draft{Draft202012},
		`{"$id":"https://a.example/a","$dynamicAnchor":"x","$defs":{"b":{"$id":"b","$dynamicAnchor":"x","anyOf":[{"$dynamicRef":"#x"}]}},"items":{"$ref":"b"}}`, "refers to itself"},
	{"1,000 ways of a $dynamicRef", []Draft{Draft202012},
		`{"$dynamicAnchor":"a","items":{"anyOf":[` + commas(999, func(int) string { return `{"$dynamicRef":"#a"}` }) + `]}}`, ""},
}

// doubling is a schema of which each of 30 definitions refers twice to the next.
func doubling(keyword string) string {
	return `{` + chain(30, `{"`+keyword+`":[{"$ref":"#/definitions/d%[1]d"},{"$ref":"#/definitions/d%[1]d"}]}`) + `,"` + keyword + `":[{"$ref":"#/definitions/d0"}]}`
}

// chain is "definitions" of which each is made from a text about the next.
func chain(n int, text string) string {
	return `"definitions":{` + commas(n, func(i int) string { return fmt.Sprintf(`"d%d":`, i) + fmt.Sprintf(text, i+1) }) + fmt.Sprintf(`,"d%d":{"type":"string"}}`, n)
}

// colliding is an array of 2^bits different arrays that the library's hash
// does not tell apart: a string with a control character in it looks like the
// end of one and the beginning of the next.
func colliding(bits int, first string) string {
	return "[" + commas(1<<bits, func(i int) string {
		text := `"x`
		for b := range bits {
			if i>>b&1 == 1 {
				text += `","y`
			} else {
				text += `\u0004y`
			}
		}
		return "[" + first + text + `"]`
	}) + "]"
}

func TestHostileSchemasEndAtOnce(t *testing.T) {
	for _, c := range hostileSchemas {
		t.Run(c.name, func(t *testing.T) {
			for _, d := range variants(c.drafts) {
				var err error
				ends(t, func() { _, err = Compile([]byte(c.schema), Options{Draft: d}) })
				switch {
				case c.want == "" && err != nil:
					t.Errorf("draft %d: %v", dialects[d].version, err)
				case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
					t.Errorf("draft %d: %.300v, want %s", dialects[d].version, err, c.want)
				}
			}
		})
	}
}

// variants are the drafts to run a hostile case with: the newest one, or, where
// nothing is left out, all of them.
func variants(drafts []Draft) []Draft {
	switch {
	case !testlevel.Full():
		return drafts[len(drafts)-1:]
	case raceDetector && len(drafts) > 2:
		return []Draft{drafts[0], drafts[len(drafts)-1]}
	}
	return drafts
}

// outcome is what becomes of a hostile value.
type outcome string

const (
	accepted  outcome = "accepted"
	mismatch  outcome = "mismatch"
	tooMuch   outcome = "too much work"
	overLimit outcome = "over a limit"
)

func outcomeOf(err error) outcome {
	var m *Mismatch
	switch {
	case err == nil:
		return accepted
	case errors.As(err, &m):
		return mismatch
	case errors.Is(err, ErrTooMuchWork):
		return tooMuch
	}
	return overLimit
}

// hostilePairs are schemas that are fine by themselves, with values that make
// a validator work.
var hostilePairs = []struct {
	name   string
	drafts []Draft
	schema string
	value  string
	want   outcome
}{
	{"doubling with each level of items", allDrafts, `{"anyOf":[{"items":{"$ref":"#"},"minItems":1},{"items":{"$ref":"#"},"minItems":1}]}`, nested(120, "[", "", "]"), tooMuch},
	{"doubling with each level of properties", allDrafts, `{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}`, nested(120, `{"a":`, "1", "}"), tooMuch},
	{"doubling under not", allDrafts, `{"not":{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}}`, nested(120, `{"a":`, "1", "}"), tooMuch},
	{"doubling with tuples", []Draft{Draft202012}, `{"prefixItems":[{"$ref":"#"}],"items":{"$ref":"#"},"contains":{"$ref":"#"}}`, nested(100, "[", "0", "]"), tooMuch},
	{"doubling with members and their names", since(Draft6), `{"additionalProperties":{"allOf":[{"$ref":"#"},{"$ref":"#"}]},"propertyNames":{"$ref":"#"}}`, nested(100, `{"a":`, "1", "}"), tooMuch},
	{"doubling with $recursiveRef", []Draft{Draft201909}, `{"$recursiveAnchor":true,"anyOf":[{"items":{"$recursiveRef":"#"},"minItems":1},{"items":{"$recursiveRef":"#"},"minItems":1}]}`, nested(120, "[", "", "]"), tooMuch},
	{"doubling with $dynamicRef", []Draft{Draft202012}, `{"$dynamicAnchor":"n","anyOf":[{"items":{"$dynamicRef":"#n"},"minItems":1},{"items":{"$dynamicRef":"#n"},"minItems":1}]}`, nested(120, "[", "", "]"), tooMuch},
	{"doubling where only a $dynamicRef leads", []Draft{Draft202012},
		`{"$id":"https://a.example/a","$ref":"tree","$defs":{"hidden":{"$dynamicAnchor":"n","anyOf":[{"items":{"$dynamicRef":"tree#n"},"minItems":1},{"items":{"$dynamicRef":"tree#n"},"minItems":1}]},"tree":{"$id":"tree","$dynamicAnchor":"n","items":{"$dynamicRef":"#n"}}}}`,
		nested(120, "[", "", "]"), tooMuch},
	{"honest recursion, as deep", allDrafts, `{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"integer"}]}},"additionalProperties":false}`, nested(120, `{"a":`, "1", "}"), accepted},
	{"unevaluated over alternatives", since(Draft201909), `{"unevaluatedProperties":false,"anyOf":[` + commas(1_000, func(i int) string { return `{"properties":{"k1":true}}` }) + `]}`, object(10_000), tooMuch},
	{"unevaluated over booleans", since(Draft201909), `{"unevaluatedProperties":false,"allOf":[` + commas(3_000, func(i int) string { return `true` }) + `]}`, object(10_000), tooMuch},
	{"unevaluated items", since(Draft201909), `{"unevaluatedItems":false,"allOf":[` + commas(1_000, func(i int) string { return `{"contains":{"const":1}}` }) + `]}`, numbers(10_000), tooMuch},
	{"colliding items", allDrafts, `{"uniqueItems":true}`, colliding(14, ""), accepted},
	{"20,000 objects", allDrafts, `{"uniqueItems":true}`, "[" + commas(20_000, func(i int) string { return fmt.Sprintf(`{"id":%d,"name":"n%d","tags":["a",%d]}`, i, i, i) }) + "]", accepted},
	{"20,000 objects, the last twice", allDrafts, `{"uniqueItems":true}`, "[" + commas(20_001, func(i int) string { return fmt.Sprintf(`{"b":{},"a":%d}`, min(i, 19_999)) }) + "]", mismatch},
	{"uniqueness at every level", allDrafts, `{"uniqueItems":true,"items":{"$ref":"#"}}`, nested(120, "[", numbers(20_000), "]"), tooMuch},
	{"an enum against many numbers", allDrafts, `{"items":{"enum":` + numbers(10_000) + `}}`, "[" + commas(100_000, func(int) string { return "-1.5" }) + "]", mismatch},
	{"an enum of arrays against many", allDrafts, `{"items":{"enum":[` + commas(100, func(i int) string { return "[" + strings.Repeat("1,", 300) + fmt.Sprint(i) + "]" }) + `]}}`,
		"[" + commas(500, func(int) string { return "[" + strings.Repeat("1,", 300) + "-1]" }) + "]", tooMuch},
	{"many alternatives against many items", allDrafts, `{"items":{"anyOf":[` + commas(3_900, func(int) string { return `{"type":"string"}` }) + `]}}`, numbers(5_000), tooMuch},
	{"many names against many members", allDrafts, `{"items":{"required":[` + commas(15_000, func(i int) string { return fmt.Sprintf(`"r%d"`, i) }) + `]}}`, "[" + commas(20_000, func(int) string { return "{}" }) + "]", tooMuch},
	{"many patterns against many members", allDrafts, `{"patternProperties":{` + commas(200, func(i int) string { return fmt.Sprintf(`"(x+x+)+y%d":{}`, i) }) + `}}`, object(20_000), tooMuch},
	{"a pattern for backtrackers", allDrafts, `{"pattern":"^(a+)+$"}`, `"` + strings.Repeat("a", 40_000) + `!"`, mismatch},
	{"a slow pattern against a long text", allDrafts, `{"pattern":"` + strings.Repeat("(.*)", 20) + `[^x]$"}`, `"` + strings.Repeat("x", 5_000_000) + `"`, tooMuch},
	{"a slow look-ahead", allDrafts, `{"pattern":"^(?!` + strings.Repeat("(.*)", 20) + `[^x]$)x"}`, `"` + strings.Repeat("x", 5_000_000) + `"`, tooMuch},
	{"many lengths of a long text", allDrafts, `{"allOf":[` + commas(3_000, func(int) string { return `{"minLength":1}` }) + `]}`, `"` + strings.Repeat("x", 8_000_000) + `"`, tooMuch},
	{"a length beyond all texts", allDrafts, `{"minLength":9007199254740991}`, `"x"`, mismatch},
	{"big fractions", allDrafts, `{"items":{"allOf":[` + commas(500, func(int) string { return `{"multipleOf":1e-400}` }) + `]}}`, "[" + commas(5_000, func(int) string { return strings.Repeat("7", 390) + "e-400" }) + "]", tooMuch},
	{"a number too big", allDrafts, `{"multipleOf":0.01}`, `1e99999999`, overLimit},
	{"a number too small", allDrafts, `{"items":{"type":"integer"}}`, `[1e-99999999]`, overLimit},
	{"deep", allDrafts, `{}`, nested(100_000, "[", "", "]"), overLimit},
	{"many values", allDrafts, `{}`, numbers(300_000), overLimit},
	{"many bytes", allDrafts, `{}`, `"` + strings.Repeat("x", 9<<20) + `"`, overLimit},
	{"regular expressions to judge", []Draft{Draft4, Draft6, Draft7}, `{"items":{"format":"regex"}}`, "[" + commas(3_000, func(int) string { return `"(?i)` + strings.Repeat(`[a-￰]`, 100) + `"` }) + "]", tooMuch},
	{"formats of a long text", []Draft{Draft4, Draft6, Draft7}, `{"allOf":[` + commas(1_000, func(int) string { return `{"format":"uri"}` }) + `]}`, `"a://` + strings.Repeat("x", 1_000_000) + `"`, tooMuch},
	{"a wide reference scope", []Draft{Draft202012},
		`{"$dynamicAnchor":"n","properties":{"a":{"$ref":"#/definitions/d0"}},` + strings.Replace(chain(200, `{"$ref":"#/definitions/d%[1]d"}`), `{"type":"string"}`, `{"$dynamicRef":"#n"}`, 1) + `,"items":{"$dynamicRef":"#n"}}`,
		nested(100, `{"a":`, numbers(50_000), "}"), tooMuch},
	{"a metaschema against a big schema", since(Draft6), `{"items":{"$ref":"https://json-schema.org/draft/2020-12/schema"}}`, "[" + commas(20_000, func(int) string { return `{"allOf":[{"properties":{"a":{"items":{}}}}]}` }) + "]", tooMuch},
}

func object(members int) string {
	return "{" + commas(members, func(i int) string { return fmt.Sprintf(`"k%d":%d`, i, i) }) + "}"
}

func numbers(n int) string {
	return "[" + commas(n, func(i int) string { return fmt.Sprint(i) }) + "]"
}

func TestHostileValuesEndAtOnce(t *testing.T) {
	for i, c := range hostilePairs {
		if raceDetector && !testlevel.Full() && i%6 != 0 {
			continue // a quick run takes a sixth, because the detector makes them slow
		}
		t.Run(c.name, func(t *testing.T) {
			for _, d := range variants(c.drafts) {
				s := mustCompile(t, c.schema, Options{Draft: d})
				var err error
				ends(t, func() { _, err = s.ValidateJSON([]byte(c.value)) })
				if got := outcomeOf(err); got != c.want {
					t.Errorf("draft %d: %s, want %s: %.300v", dialects[d].version, got, c.want, err)
				}
			}
		})
	}
}

// After a validation was cut off, the schema is as good as new.
func TestSchemaSurvivesTooMuchWork(t *testing.T) {
	s := mustCompile(t, `{"type":"array","items":{"anyOf":[{"$ref":"#"},{"type":"integer"},{"$ref":"#"}]}}`, Options{MaxWork: 200})
	for range 3 {
		if _, err := s.ValidateJSON([]byte(nested(60, "[", `"x"`, "]"))); outcomeOf(err) != tooMuch {
			t.Fatal(err)
		}
		if _, err := s.ValidateJSON([]byte(`[[1]]`)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.ValidateJSON([]byte(`["x"]`)); outcomeOf(err) != mismatch {
			t.Fatal(err)
		}
	}
}
