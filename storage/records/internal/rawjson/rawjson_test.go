package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

var texts = []string{
	`{}`, `[]`, ` [ 1 , 2 ] `, `{"a":1,"a":2}`, `{"a" : {"b" : [null, true, false]}}`, `"x"`, `-0.5e+10`, `01`, `1.`, `.5`, `1e`, `-`, ``, ` `,
	`{"a":1,}`, `[1,]`, `{a:1}`, `"\u12g4"`, `"\x"`, "\"\n\"", `nul`, `nullx`, `[1 2]`, `{"a" 1}`, `{"a":1`, `"`, `"\`, `tru`, `{"\u0061":"\ud800"}`,
	nested(MaxDepth), `[{"a":1},"x",{"b":"]"}]`,
}

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

// check compares with encoding/json: what is JSON, and what it is without spaces.
func check(t *testing.T, raw []byte) {
	t.Helper()
	got, err := Compact(nil, raw)
	if errors.Is(err, ErrDepth) {
		return
	}
	if valid := json.Valid(raw); (err == nil) != valid {
		t.Fatalf("%.100q: %v, but it is valid: %t", raw, err, valid)
	}
	if err != nil {
		if !errors.Is(err, ErrSyntax) {
			t.Fatalf("%v", err)
		}
		return
	}
	var want bytes.Buffer
	if json.Compact(&want, raw); !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("%q became %q, want %q", raw, got, want.Bytes())
	}
	checkParts(t, got)
}

// checkParts compares members and elements with what encoding/json decodes.
func checkParts(t *testing.T, raw []byte) {
	t.Helper()
	switch raw[0] {
	case '{':
		var want map[string]json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		members := Members(nil, raw)
		if len(members) != len(want) {
			t.Fatalf("%q has %d members, want %d", raw, len(members), len(want))
		}
		for _, m := range members {
			if !bytes.Equal(m.Value, want[m.Name]) {
				t.Fatalf("%q: %q is %q, want %q", raw, m.Name, m.Value, want[m.Name])
			}
		}
		var again map[string]json.RawMessage
		if err := json.Unmarshal(AppendObject(nil, members), &again); err != nil || len(again) != len(want) {
			t.Fatalf("%q was written as %q: %v", raw, AppendObject(nil, members), err)
		}
	case '[':
		var want []json.RawMessage
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		got := Elements(nil, raw)
		if len(got) != len(want) {
			t.Fatalf("%q has %d elements, want %d", raw, len(got), len(want))
		}
		for i := range got {
			if !bytes.Equal(got[i], want[i]) {
				t.Fatalf("%q: %d is %q", raw, i, got[i])
			}
		}
	}
}

func TestTextsAreReadAsEncodingJSONDoes(t *testing.T) {
	t.Parallel()
	for _, raw := range texts {
		check(t, []byte(raw))
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	t.Parallel()
	_, err := Compact(nil, []byte(nested(MaxDepth+1)))
	if !errors.Is(err, ErrDepth) || err.Error() != "arrays and objects are nested more than 256 deep at byte 256" {
		t.Error(err)
	}
}

func TestSplitHandsOverElementsOrTheValue(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		` [ {"a" : 1} , "x", [ ] ] `: `{"a":1}|"x"|[]`,
		` {"a" : 1} `:                `{"a":1}`,
		`[]`:                         ``,
		`[1,`:                        `1|error`,
		`[1 2]`:                      `1|error`,
		`[1]x`:                       `1|error`,
		`{"a":1}x`:                   `error`,
		``:                           `error`,
	} {
		var got []string
		err := Split([]byte(raw), func(value []byte) error {
			got = append(got, string(value))
			return nil
		})
		if err != nil {
			got = append(got, "error")
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
	boom := errors.New("boom")
	if err := Split([]byte(`[1,2]`), func([]byte) error { return boom }); !errors.Is(err, boom) {
		t.Error(err)
	}
}

func TestManyMembersAreReadInTheirOrder(t *testing.T) {
	t.Parallel()
	var raw strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&raw, `%s"f%d":%d`, map[bool]string{true: "{", false: ","}[i == 0], i%500, i)
	}
	raw.WriteByte('}')
	members := Members(nil, []byte(raw.String()))
	if len(members) != 500 {
		t.Fatalf("%d members", len(members))
	}
	for i, m := range members {
		if m.Name != fmt.Sprintf("f%d", i) || string(m.Value) != fmt.Sprint(i+500) {
			t.Fatalf("%d: %s = %s", i, m.Name, m.Value)
		}
	}
}

func FuzzCompact(f *testing.F) {
	for _, raw := range texts {
		if len(raw) < 1000 {
			f.Add([]byte(raw))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) { check(t, raw) })
}

func FuzzAppendText(f *testing.F) {
	f.Add("a\"\\\n\u2028\xff")
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		if err := json.Unmarshal(AppendText(nil, s), &got); err != nil || got != strings.ToValidUTF8(s, "\ufffd") && strings.ContainsRune(got, '\ufffd') == false {
			t.Fatalf("%q became %q: %v", s, got, err)
		}
	})
}
