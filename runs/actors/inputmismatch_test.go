package actors

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// dialect is a schema with what the dialect has.
const dialect = `{"title":"T","type":"object","schemaVersion":1,"required":["p"],"properties":{
	"p":{"type":"object","editor":"proxy"},
	"zuerst":{"type":"integer","minimum":1,"maximum":5},
	"s":{"type":"string","editor":"textfield","minLength":2,"maxLength":4,"pattern":"^a+$"},
	"e":{"type":"string","enum":["x","y"]},
	"ne":{"type":"string","enum":["x","y"],"nullable":true},
	"arr":{"type":"array","editor":"json","minItems":1,"maxItems":2,"uniqueItems":true},
	"o":{"type":"object","editor":"json","properties":{"k":{"type":"integer","minimum":3},"z":{"type":"string"}},"required":["z","k"],"additionalProperties":false},
	"mx":{"type":"object","editor":"json","minProperties":1,"maxProperties":1},
	"n":{"type":"string","editor":"textfield","nullable":true,"minLength":2},
	"num":{"type":"number","maximum":2.5},
	"u":{"type":"array","editor":"requestListSources"},
	"q":{"type":"object","editor":"proxy"},
	"own":{"type":"integer","minimum":1,"errorMessage":{"minimum":"Take more.","type":"Give a number."}},
	"items":{"type":"array","editor":"json","items":{"type":"object","properties":{"w":{"type":"integer"}},"required":["v"]}},
	"both":{"type":["string","integer"],"editor":"json"}}}`

// TestInputsAreRefusedInTheWordsOfTheHostedService holds the sentences that its package
// @apify/input_schema 3.29 answers with for the same schema and inputs.
func TestInputsAreRefusedInTheWordsOfTheHostedService(t *testing.T) {
	t.Parallel()
	rules := must(newSchemas().of([]byte(dialect)))(t)
	for in, want := range map[string]string{
		`{}`:                                 `Field input.p is required`,
		`{"p":{}}`:                           `Field input.p is required. Please provide custom proxy URLs or use Apify Proxy.`,
		`{"p":null}`:                         `Field input.p must be object`,
		`{"p":{"proxyUrls":[]}}`:             `Field input.p is required. Please provide custom proxy URLs or use Apify Proxy.`,
		`{P,"zuerst":0}`:                     `Field input.zuerst must be >= 1`,
		`{P,"zuerst":6}`:                     `Field input.zuerst must be <= 5`,
		`{P,"zuerst":"x"}`:                   `Field input.zuerst must be integer`,
		`{P,"zuerst":null}`:                  `Field input.zuerst must be integer`,
		`{P,"s":"a"}`:                        `Field input.s must NOT have fewer than 2 characters`,
		`{P,"s":"aaaaa"}`:                    `Field input.s must NOT have more than 4 characters`,
		`{P,"s":"bb"}`:                       `Field input.s must match pattern "^a+$"`,
		`{P,"e":"z"}`:                        `Field input.e must be equal to one of the allowed values: "x", "y"`,
		`{P,"ne":"z"}`:                       `Field input.ne must be equal to one of the allowed values: "x", "y"`,
		`{P,"e":1}`:                          `Field input.e must be string`,
		`{P,"arr":[]}`:                       `Field input.arr must NOT have fewer than 1 items`,
		`{P,"arr":[1,2,3]}`:                  `Field input.arr must NOT have more than 2 items`,
		`{P,"arr":[1,1]}`:                    `Field input.arr must NOT have duplicate items (items ## 0 and 1 are identical)`,
		`{P,"o":{}}`:                         `Field input.o.z is required`,
		`{P,"o":{"z":"","k":1}}`:             `Field input.o.k must be >= 3`,
		`{P,"o":{"z":"","k":3,"y":1,"a":1}}`: `Property input.o.y is not allowed.`,
		`{P,"o":5}`:                          `Field input.o must be object`,
		`{P,"mx":{"a":1,"b":2}}`:             `Field input.mx must NOT have more than 1 properties`,
		`{P,"mx":{}}`:                        `Field input.mx must NOT have fewer than 1 properties`,
		`{P,"n":"a"}`:                        `Field input.n must NOT have fewer than 2 characters`,
		`{P,"n":5}`:                          `Field input.n must be string`,
		`{P,"num":3}`:                        `Field input.num must be <= 2.5`,
		`{P,"u":[{"url":"http://a.example"},{"url":"a.example"},{},null,"http://a.example"]}`: `Items in input.u at positions [1,2,3,4] do not contain valid URLs`,
		`{P,"u":[{"requestsFromUrl":"ftp://a.example"}]}`:                                     `Items in input.u at positions [0] do not contain valid URLs`,
		`{P,"own":0}`:                   `Take more.`,
		`{P,"own":"x"}`:                 `Give a number.`,
		`{P,"items":[{}]}`:              `Field input.items.0.v is required`,
		`{P,"items":[{"v":1,"w":"x"}]}`: `Field input.items.0.w must be integer`,
		`{P,"both":true}`:               `Field input.both must be string,integer`,
		`{P,"e":"z","zuerst":9}`:        `Field input.zuerst must be <= 5`,
	} {
		_, err := rules.fill([]byte(withProxy(in)))
		if err == nil || errtypes.Public(err).Message != "Input is not valid: "+want {
			t.Errorf("%s: %v, not %s", in, err, want)
		}
	}
}

func TestInputsThatTheHostedServiceTakes(t *testing.T) {
	t.Parallel()
	rules := must(newSchemas().of([]byte(dialect)))(t)
	for _, in := range []string{
		`{P}`, `{P,"n":null,"ne":null}`, `{P,"unknown":1}`, `{P,"q":{}}`, `{P,"q":{"proxyUrls":["http://user:pw@proxy.example:8000"]}}`, `{"p":{"proxyUrls":["socks5h://proxy.example:1080"]}}`,
		`{P,"u":[{"url":"HTTP://LOCALHOST:3000/x"},{"requestsFromUrl":"https://a.example/list.txt"}]}`,
	} {
		if _, err := rules.fill([]byte(withProxy(in))); err != nil {
			t.Errorf("%s: %v", in, err)
		}
	}
	for _, in := range []string{`{P,"q":{"proxyUrls":["nope"]}}`, `{P,"q":{"proxyUrls":["http://proxy.example"]}}`, `{P,"q":{"apifyProxyCountry":"US"}}`} {
		if _, err := rules.fill([]byte(withProxy(in))); err == nil {
			t.Errorf("%s is taken", in)
		}
	}
}

// A schema of many levels is refused at once: they are read one by one, which took 11
// seconds for each start of a run.
func TestASchemaIsNotNestedForEver(t *testing.T) {
	t.Parallel()
	const levels = 4900
	_, err := newSchemas().of([]byte(`{"type":"object","properties":` + strings.Repeat(`{"a":{"type":"object","properties":`, levels) + `{}` + strings.Repeat(`}}`, levels) + `}`))
	fails(t, err, errtypes.Invalid, errtypes.TypeInvalidInputSchema, "nested at most 128 levels deep")
}

func withProxy(in string) string {
	return strings.Replace(in, "{P", `{"p":{"useApifyProxy":true}`, 1)
}

func TestDefaultsBelowTheTop(t *testing.T) {
	t.Parallel()
	rules := must(newSchemas().of([]byte(`{"type":"object","properties":{
		"o":{"type":"object","default":{"k":1},"properties":{"k":{"type":"integer","default":5},"y":{"type":"integer","default":6}}},
		"l":{"type":"array","items":{"type":"object","properties":{"w":{"type":"string","default":"<&>"}}}}}}`)))(t)
	for in, want := range map[string]string{
		`{}`:                                    `{"o":{"k":1,"y":6}}`,
		`{"o":{}}`:                              `{"o":{"k":5,"y":6}}`,
		`{"o":{"y":1.0}}`:                       `{"o":{"k":5,"y":1.0}}`,
		`{"o":{"k":1,"y":2}}`:                   `{"o":{"k":1,"y":2}}`,
		`{"o":{"k":1,"y":2},"l":[{},{"w":""}]}`: `{"o":{"k":1,"y":2},"l":[{"w":"<&>"},{"w":""}]}`,
	} {
		got, err := rules.fill([]byte(in))
		if err != nil || !sameJSON(t, string(got), want) {
			t.Errorf("%s: %s %v", in, got, err)
		}
	}
}
