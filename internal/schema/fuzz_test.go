package schema

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// addSeeds gives a fuzz test the schemas of the tables with a value each.
func addSeeds(f *testing.F, add func(schema, value string)) {
	for _, c := range conformance {
		for i, v := range append(c.yes, c.no...) {
			add(in(c.drafts[i%len(c.drafts)], strings.Replace(c.schema, "true", "{}", 1)), v)
			add(c.schema, v)
		}
	}
	for text := range refused {
		add(text, "{}")
	}
	for _, c := range hostileSchemas {
		if len(c.schema) < 4_000 {
			add(c.schema, `[{"a":1}]`)
		}
	}
	for _, c := range hostilePairs {
		if len(c.schema)+len(c.value) < 4_000 {
			add(c.schema, c.value)
		}
	}
}

// FuzzParse: what we read is what encoding/json reads; what we refuse, it
// refuses, too, or there is a reason.
func FuzzParse(f *testing.F) {
	addSeeds(f, func(schema, value string) { f.Add([]byte(schema)); f.Add([]byte(value)) })
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, _, bad := parse(raw, roomy)
		want, err := reference(raw)
		if bad == nil {
			// Not cmp.Diff: it compares every level of nested slices twice.
			if err != nil || !reflect.DeepEqual(want, v) || !json.Valid(raw) {
				t.Fatalf("%q: %v, read as %v instead of %v", raw, err, v, want)
			}
			return
		}
		for _, reason := range []string{"is there twice", "UTF-8", "deeper than", "is a number that", "more than"} {
			if strings.Contains(bad.text, reason) {
				return
			}
		}
		if json.Valid(raw) {
			t.Fatalf("%q: %s", raw, bad.text)
		}
	})
}

// FuzzCompile: whatever comes, it ends, without panic, and the message is ours.
func FuzzCompile(f *testing.F) {
	addSeeds(f, func(schema, _ string) { f.Add([]byte(schema)) })
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := Compile(raw, Options{MaxWork: 20_000})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "schema ") || strings.Contains(err.Error(), "panic") {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		// The schema is itself a value.
		if _, err := s.ValidateJSON(raw); outcomeOf(err) == mismatch {
			var m *Mismatch
			errors.As(err, &m)
			doc := decode(t, string(raw))
			for _, v := range m.Violations {
				if _, ok := lookup(doc, v.Instance); !ok {
					t.Fatalf("%q: no such place: %s", raw, v)
				}
			}
		}
		s.RootCanBeObject()
	})
}

// FuzzValidate: our checks change nothing about what is valid. The plain
// library is asked only where few steps were needed: it may not return else.
func FuzzValidate(f *testing.F) {
	addSeeds(f, func(schema, value string) { f.Add([]byte(schema), []byte(value)) })
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		s, err := Compile(schema, Options{MaxSubschemas: 200, MaxExpansion: 1_000, MaxWork: 20_000})
		if err != nil {
			return
		}
		v, err := s.ValidateJSON(value)
		got := outcomeOf(err)
		if strings.Contains(errorText(err), "library failed") {
			t.Fatalf("%q on %q: %v", schema, value, err)
		}
		if got != accepted && got != mismatch {
			return
		}
		if plain := plainCompile(s); plain != nil && (plain.Validate(v) == nil) != (got == accepted) {
			t.Fatalf("%q on %q: %s, but the library says %v", schema, value, got, plain.Validate(v))
		}
	})
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// plainCompile is the library without anything of ours but the regular
// expressions.
func plainCompile(s *Schema) *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(s.engine(&meter{left: 1 << 30}))
	if c.AddResource(rootURI, s.doc) != nil {
		return nil
	}
	plain, _ := c.Compile(rootURI)
	return plain
}
