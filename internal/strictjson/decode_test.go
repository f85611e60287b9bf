package strictjson

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
)

// pet is what the tests read: a field of every kind of value.
type pet struct {
	Name   string
	Nick   *string
	Tame   bool
	Shape  json.RawMessage
	Toys   map[string]string
	All    bool
	Places []string
	Kind   kind
	Weight float64
}

type kind string

func (p *pet) value() Value {
	return Closed(Fields{
		"name":  String(&p.Name),
		"kind":  OneOf(&p.Kind, "dog", "cat"),
		"home":  Text(new(string)),
		"kilos": Number(&p.Weight, 0.5, 100),
		"nick":  StringPtr(&p.Nick),
		"tame":  Bool(&p.Tame),
		"shape": RawObject(&p.Shape),
		"toys": Map(func(name string, read func(Value) error) error {
			if p.Toys == nil {
				p.Toys = map[string]string{}
			}
			var of string
			err := read(Open(Fields{"of": String(&of)}, "of"))
			p.Toys[name] = of
			return err
		}),
		"places": Either(Bool(&p.All), Array(func(i int, read func(Value) error) error {
			p.Places = append(p.Places, "")
			return read(String(&p.Places[i]))
		})),
	}, "name")
}

func decodePet(body string) (pet, error) {
	var p pet
	err := Decode([]byte(body), Options{}, p.value())
	return p, err
}

func TestDecodeReadsEveryKindOfValue(t *testing.T) {
	nick := ""
	for body, want := range map[string]pet{
		`{"name":"Rex"}`:                               {Name: "Rex"},
		`{"name":"Rex","kilos":1.25e1}`:                {Name: "Rex", Weight: 12.5},
		" {\n\t\"name\" : \"R\\u00e9x\\n\\\"\" \r\n} ": {Name: "Réx\n\""},
		`{"name":"","nick":""}`:                        {Nick: &nick},
		`{"name":"x","tame":true}`:                     {Name: "x", Tame: true},
		`{"tame":false,"name":"\ud83d\ude00"}`:         {Name: "😀"},
		`{"name":"\\ud83d\ufffd"}`:                     {Name: `\ud83d` + "\uFFFD"},
		`{"name":"x","shape":{ "a": [1e3, null, {"b":"]}"}] }}`: {
			Name: "x", Shape: json.RawMessage(`{ "a": [1e3, null, {"b":"]}"}] }`)},
		`{"name":"x","toys":{"a b":{"of":"wool","more":[]},"":{"of":"wood"}}}`: {
			Name: "x", Toys: map[string]string{"a b": "wool", "": "wood"}},
		`{"name":"x","places":true}`:           {Name: "x", All: true},
		`{"name":"x","places":["a","b"]}`:      {Name: "x", Places: []string{"a", "b"}},
		`{"name":"x","places":[]}`:             {Name: "x"},
		`{"name":"x","kind":"cat","home":" "}`: {Name: "x", Kind: "cat"},
	} {
		got, err := decodePet(body)
		if err != nil {
			t.Errorf("%s: %v", body, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", body, diff)
		}
	}
}

func TestDecodeSaysWhatIsWrong(t *testing.T) {
	for body, want := range map[string]string{
		// The text as a whole.
		"":                           "the body is empty where a JSON value is expected",
		" \n":                        "the body is empty where a JSON value is expected",
		"{\"name\":\n \"a\xffb\"}":   "the body is not valid UTF-8 at line 2, column 4",
		`{"name":"x"`:                "the body is not valid JSON: it ends too early",
		`{"name":"x`:                 "the body is not valid JSON: it ends too early",
		`{"tame":tr`:                 "the body is not valid JSON: it ends too early",
		`{"name":"x",}`:              "the body is not valid JSON at line 1, column 13",
		`{"name":"x"` + "\n,,":       "the body is not valid JSON at line 2, column 2",
		`{"name":'x'}`:               "the body is not valid JSON at line 1, column 9",
		`{"name":"a` + "\x01" + `"}`: "the body is not valid JSON at line 1, column 11",
		`{"tame":NaN}`:               "the body is not valid JSON at line 1, column 9",
		`{"tame":01}`:                "the body is not valid JSON at line 1, column 10",
		"\ufeff{}":                   "the body is not valid JSON at line 1, column 1",
		`{"name":"x"} {}`:            "the body must be one JSON value; more follows at line 1, column 14",
		`{"name":"x"}}`:              "the body must be one JSON value; more follows at line 1, column 13",
		`null`:                       "the body must be an object, not null",
		`["x"]`:                      "the body must be an object, not an array",
		`"x"`:                        "the body must be an object, not a string",
		`12`:                         "the body must be an object, not a number",
		`true`:                       "the body must be an object, not a boolean",
		`{"name":"x","shape":` + strings.Repeat(`{"a":`, 128) + `1` + strings.Repeat("}", 129): "the body is nested more than 128 levels deep",
		strings.Repeat("[", 20_000): "the body is nested more than 128 levels deep",
		// Fields.
		`{}`:                                       "name is required",
		`{"Name":"x"}`:                             "Name is not a known field; known here: home, kilos, kind, name, nick, places, shape, tame, toys",
		`{"name":null}`:                            "name must be a string, not null",
		`{"name":1}`:                               "name must be a string, not a number",
		`{"name":-1}`:                              "name must be a string, not a number",
		`{"name":{}}`:                              "name must be a string, not an object",
		`{"name":"x","name":"y"}`:                  "name stands twice in its object",
		`{"name":"x","n\u0061me":"y"}`:             "name stands twice in its object",
		`{"name":"\ud800"}`:                        `name must be valid Unicode: a \u escape is half of a surrogate pair`,
		`{"name":"\udc00\ud800"}`:                  `name must be valid Unicode: a \u escape is half of a surrogate pair`,
		`{"name":"\ud800\ud800"}`:                  `name must be valid Unicode: a \u escape is half of a surrogate pair`,
		`{"name":"\ud800\\udc00"}`:                 `name must be valid Unicode: a \u escape is half of a surrogate pair`,
		`{"\ud800":1}`:                             `the body must be valid Unicode: a \u escape is half of a surrogate pair`,
		`{"name":"x","tame":"true"}`:               "tame must be true or false, not a string",
		`{"name":"x","tame":null}`:                 "tame must be true or false, not null",
		`{"name":"x","shape":[]}`:                  "shape must be an object, not an array",
		`{"name":"x","shape":{"a":{"b":1,"b":2}}}`: "shape.a.b stands twice in its object",
		`{"name":"x","shape":{"a":[0,"\udfff"]}}`:  `shape.a[1] must be valid Unicode: a \u escape is half of a surrogate pair`,
		`{"name":"x","toys":{"a b":{}}}`:           `toys["a b"].of is required`,
		`{"name":"x","toys":{"ball":{"of":1}}}`:    "toys.ball.of must be a string, not a number",
		`{"name":"x","toys":{"a":{"of":"b"},"a":{"of":"b"}}}`: "toys.a stands twice in its object",
		`{"name":"x","kind":"Dog"}`:                           "kind must be one of dog, cat",
		`{"name":"x","kind":""}`:                              "kind must be one of dog, cat",
		`{"name":"x","kind":7}`:                               "kind must be a string, not a number",
		`{"name":"x","home":""}`:                              "home must not be empty",
		`{"name":"x","home":false}`:                           "home must be a string, not a boolean",
		`{"name":"x","places":"x"}`:                           "places must be true or false or an array, not a string",
		`{"name":"x","places":["a",2]}`:                       "places[1] must be a string, not a number",
		`{"name":"x","` + strings.Repeat("ä", 65) + `":1}`:    `["` + strings.Repeat("ä", 64) + `…"] is not a known field; known here: home, kilos, kind, name, nick, places, shape, tame, toys`,
		`{"name":"x","\n\u202e":1}`:                           `["\n\u202e"] is not a known field; known here: home, kilos, kind, name, nick, places, shape, tame, toys`,
	} {
		_, err := decodePet(body)
		if err == nil || errtypes.Public(err).Message != want {
			t.Errorf("%.80s\n got %v\nwant %s", body, err, want)
		}
		if !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%.80s: kind of %v", body, err)
		}
	}
}

func TestErrorCarriesTheField(t *testing.T) {
	for body, want := range map[string]string{`{"name":1}`: "name", `{}`: "name", `[]`: "", `{`: "", `{"name":"x","shape":{"a":1,"a":1}}`: "shape.a"} {
		_, err := decodePet(body)
		if got := errtypes.Public(err).Field; got != want {
			t.Errorf("%s: field %q, want %q", body, got, want)
		}
	}
}

func TestDepthIsAnOption(t *testing.T) {
	for depth, ok := range map[int]bool{1: false, 2: true} {
		err := Decode([]byte(`{"a":{"b":"[[[\"{{"}}`), Options{MaxDepth: depth}, Open(nil))
		if (err == nil) != ok {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"name":"Rex","nick":"r","tame":true,"shape":{"a":[1,{}]},"toys":{"a":{"of":"b"}},"places":[""]}`,
		`{"name":"\ud83d\ude00\\\"","places":false}`, `{"name":"x"} x`, `{"name":"x","name":"y"}`, "\xff", `[`, `null`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var p pet
		err := Decode(body, Options{}, p.value())
		if err != nil {
			if !errtypes.Is(err, errtypes.Invalid) || errtypes.Public(err).Message == "" {
				t.Errorf("not an error for the caller: %v", err)
			}
			return
		}
		var lax struct {
			Name  string          `json:"name"`
			Tame  bool            `json:"tame"`
			Shape json.RawMessage `json:"shape"`
		}
		if err := json.Unmarshal(body, &lax); err != nil {
			t.Fatalf("encoding/json refuses what was accepted: %v", err)
		}
		if lax.Name != p.Name || lax.Tame != p.Tame || string(lax.Shape) != string(p.Shape) {
			t.Errorf("read %+v, encoding/json %+v", p, lax)
		}
	})
}

// What interfaces differ in: null, fields that are not known, and where the
// text stands.
func TestRulesAreOptions(t *testing.T) {
	for name, test := range map[string]struct {
		options    Options
		body, want string // the error; "" for none
	}{
		"null is absent":             {Options{NullIsAbsent: true}, `{"name":"x","tame":null,"toys":null,"places":null}`, ""},
		"null is not there":          {Options{NullIsAbsent: true}, `{"name":null}`, "name is required"},
		"null inside":                {Options{NullIsAbsent: true}, `{"name":"x","toys":{"ball":{"of":null}}}`, "toys.ball.of is required"},
		"null in an array":           {Options{NullIsAbsent: true}, `{"name":"x","places":[null]}`, "places[0] must be a string, not null"},
		"null as the whole":          {Options{NullIsAbsent: true}, `null`, "the body must be an object, not null"},
		"null twice":                 {Options{NullIsAbsent: true}, `{"name":"x","tame":null,"tame":true}`, "tame stands twice in its object"},
		"an unknown field":           {Options{IgnoreUnknown: true}, `{"name":"x","wings":[null,{"a":1}]}`, ""},
		"what is ignored is checked": {Options{IgnoreUnknown: true}, `{"name":"x","wings":{"a":1,"a":2}}`, "wings.a stands twice in its object"},
		"null that is unknown":       {Options{}, `{"name":"x","wings":null}`, "wings is not a known field; known here: home, kilos, kind, name, nick, places, shape, tame, toys"},
		"a place":                    {Options{At: "pets[1]"}, `{"name":1}`, "pets[1].name must be a string, not a number"},
		"a place that is wrong":      {Options{At: "pet"}, `[]`, "pet must be an object, not an array"},
		"a place that is no JSON":    {Options{At: "pet"}, `{`, "pet is not valid JSON: it ends too early"},
		"a place that is too deep":   {Options{At: "pet", MaxDepth: 1}, `{"shape":{}}`, "pet is nested more than 1 levels deep"},
	} {
		var p pet
		err := Decode([]byte(test.body), test.options, p.value())
		if test.want == "" && (err != nil || p.Name != "x" || p.Tame || p.Toys != nil || p.Places != nil) {
			t.Errorf("%s: %v, %+v", name, err, p)
		}
		if test.want != "" && (err == nil || errtypes.Public(err).Message != test.want) {
			t.Errorf("%s:\n got %v\nwant %s", name, err, test.want)
		}
	}
}

func TestOrNull(t *testing.T) {
	for body, want := range map[string]string{
		`{"nick":"x"}`: "x", `{"nick":null}`: "gone", `{}`: "kept", `{"nick":1}`: "nick must be a string or null, not a number",
	} {
		for _, absent := range []bool{false, true} {
			got := "kept"
			v := Closed(Fields{"nick": OrNull(String(&got), func() { got = "gone" })})
			if err := Decode([]byte(body), Options{NullIsAbsent: absent}, v); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s: %q, want %q", body, got, want)
			}
		}
	}
}

func TestBase64(t *testing.T) {
	const wrong = "a must be base64, with padding"
	for body, want := range map[string]string{
		`{"a":"aGk="}`: "hi", `{"a":""}`: wrong, `{"a":"aGk"}`: wrong, `{"a":"aGl="}`: wrong, `{"a":"-_8="}`: wrong, `{"a":2}`: "a must be a string, not a number",
	} {
		var b []byte
		got := ""
		if err := Decode([]byte(body), Options{}, Closed(Fields{"a": Base64(&b)})); err != nil {
			got = err.Error()
		} else {
			got = string(b)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	for body, want := range map[string]string{
		`{"all":[]}`: "", `{"all":["a","b"]}`: "a b", `{"all":["a",""]}`: "all[1] must not be empty", `{"all":["a",2]}`: "all[1] must be a string, not a number",
	} {
		var all []string
		err := Decode([]byte(body), Options{}, Closed(Fields{"all": Texts(&all)}))
		got := strings.Join(all, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
