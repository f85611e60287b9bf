package schema

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var roomy = parseLimits{size: 1 << 20, depth: 100, values: 1 << 20}

// reference decodes as the standard library does.
func reference(raw []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

func TestParseBuildsWhatEncodingJSONBuilds(t *testing.T) {
	for _, text := range []string{
		`null`, ` true `, `false`, `0`, `-0`, `-12.5e+3`, `1E5`, `""`, `"a\n\"\u00e9\ud83d\ude00"`, `"\ud800"`, `"é😀"`,
		`[]`, ` [ ] `, `[1,[2,[3]],{"a":[]}]`, `{}`, `{"":0}`, "\t{\"a\" :\r\n1 , \"b\":{ \"a\":null}}",
	} {
		v, _, bad := parse([]byte(text), roomy)
		if bad != nil {
			t.Errorf("%s: %v", text, bad)
			continue
		}
		want, err := reference([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, v); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]placed{
		"":                                       {"", "is empty"},
		" \n":                                    {"", "is empty"},
		"\xff":                                   {"", "is not valid UTF-8"},
		"{\"a\":\"\xc3\x28\"}":                   {"", "is not valid UTF-8"},
		"\ufeff{}":                               {"", `is not valid JSON: unexpected '\ufeff' at byte 0`},
		`{`:                                      {"", "is not valid JSON: it ends too early"},
		`{"a"`:                                   {"", "is not valid JSON: it ends too early"},
		`{"a":`:                                  {"", "is not valid JSON: it ends too early"},
		`{"a":1,}`:                               {"", "is not valid JSON: unexpected '}' at byte 7"},
		`{"a":1 "b":2}`:                          {"", `is not valid JSON: unexpected '"' at byte 7`},
		`{a:1}`:                                  {"", "is not valid JSON: unexpected 'a' at byte 1"},
		`[1,]`:                                   {"", "is not valid JSON: unexpected ']' at byte 3"},
		`[1}`:                                    {"", "is not valid JSON: unexpected '}' at byte 2"},
		`[1`:                                     {"", "is not valid JSON: it ends too early"},
		`1 2`:                                    {"", "is not valid JSON: unexpected '2' at byte 2"},
		`nul`:                                    {"", "is not valid JSON: unexpected 'n' at byte 0"},
		`nulls`:                                  {"", "is not valid JSON: unexpected 's' at byte 4"},
		`NaN`:                                    {"", "is not valid JSON: unexpected 'N' at byte 0"},
		`01`:                                     {"", "is not valid JSON: unexpected '1' at byte 1"},
		`-`:                                      {"", "is not valid JSON: it ends too early"},
		`-a`:                                     {"", "is not valid JSON: unexpected 'a' at byte 1"},
		`1.`:                                     {"", "is not valid JSON: unexpected '.' at byte 1"},
		`"a`:                                     {"", "is not valid JSON: it ends too early"},
		`"a\`:                                    {"", "is not valid JSON: it ends too early"},
		"\"a\nb\"":                               {"", `is not valid JSON: unexpected '\n' at byte 2`},
		`["\x"]`:                                 {"/0", "is not valid JSON: a string at byte 1 has an unknown escape"},
		`{"a":1,"a":1}`:                          {"/a", "is there twice"},
		`{"a":1,"\u0061":1}`:                     {"/a", "is there twice"},
		`[{},{"x/y":{"~":1e401}}]`:               {"/1/x~1y/~0", "is a number that has an exponent beyond ±400"},
		`[1e-99999999999999999999]`:              {"/0", "is a number that has an exponent beyond ±400"},
		`{"n":` + strings.Repeat("7", 401) + `}`: {"/n", "is a number that has more than 400 characters"},
		nested(101, "[", "", "]"):                {strings.Repeat("/0", 100), "is nested deeper than 100 levels"},
		nested(1<<19, `{"a":`, "1", "}"):         {"", "has 3145729 bytes, the most is 1048576"},
	} {
		_, _, bad := parse([]byte(text), roomy)
		if bad == nil || *bad != want {
			t.Errorf("%.60q: %v, want %v", text, bad, want)
		}
	}
}

func TestParseCounts(t *testing.T) {
	_, depth, bad := parse([]byte(`[[],[[{}]],1]`), roomy)
	if bad != nil || depth != 4 {
		t.Errorf("depth %d, %v", depth, bad)
	}
	limit := parseLimits{size: 100, depth: 10, values: 3}
	if _, _, bad := parse([]byte(`[1,2]`), limit); bad != nil {
		t.Error(bad)
	}
	if _, _, bad := parse([]byte(`[1,2,3]`), limit); bad == nil || bad.text != "consists of more than 3 values" {
		t.Error(bad)
	}
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		pointer string
		want    any
		ok      bool
	}{
		{"", nil, true},
		{"/a/0", "x", true},
		{"/b~1c/~0~1", "y", true},
		{"/a/00", nil, false},
		{"/a/-1", nil, false},
		{"/a/2", nil, false},
		{"/a/0/b", nil, false},
		{"/b~2c", nil, false},
		{"/b~", nil, false},
		{"/c", nil, false},
		{"a", nil, false},
	} {
		doc := map[string]any{"a": []any{"x"}, "b/c": map[string]any{"~/": "y"}}
		v, ok := lookup(doc, c.pointer)
		if ok != c.ok || c.want != nil && v != c.want {
			t.Errorf("%q: %v, %t", c.pointer, v, ok)
		}
	}
	if got := joinIndex(join("/x", "a/b", "~"), 3); got != "/x/a~1b/~0/3" {
		t.Error(got)
	}
	if got := quote(strings.Repeat("é", 100)); len(got) > quotedText+10 || strings.Contains(got, "\ufffd") {
		t.Error(got)
	}
}
