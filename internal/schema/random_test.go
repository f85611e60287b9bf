package schema

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

// random makes schemas and values of a few names and numbers, so that they meet.
type random struct {
	*rand.Rand
	draft Draft
}

func (r random) pick(texts ...string) string { return texts[r.IntN(len(texts))] }

func (r random) name() string { return r.pick("a", "b", "c") }

// document is a schema with definitions that refer to each other.
func (r random) document() string {
	const definitions = 4
	anchor := map[Draft]string{Draft202012: `"$dynamicAnchor":"n",`, Draft201909: `"$recursiveAnchor":true,`}[r.draft]
	return in(r.draft, fmt.Sprintf(`{%s"definitions":{%s},%s}`, anchor,
		commas(definitions, func(i int) string { return fmt.Sprintf(`"d%d":{%s%s}`, i, r.resource(i), r.keywords(3)) }), r.keywords(4)))
}

// resource makes some definitions the target of dynamic references.
func (r random) resource(i int) string {
	switch {
	case r.IntN(4) > 0:
		return ""
	case r.draft == Draft202012:
		return fmt.Sprintf(`"$id":"d%d","$dynamicAnchor":"n",`, i)
	case r.draft == Draft201909:
		return fmt.Sprintf(`"$id":"d%d","$recursiveAnchor":true,`, i)
	}
	return ""
}

// reference leads to a definition, or wherever a dynamic reference leads.
func (r random) reference() string {
	switch n := r.IntN(3); {
	case n == 0 && r.draft == Draft202012:
		return `{"$dynamicRef":"#n"}`
	case n == 0 && r.draft == Draft201909:
		return `{"$recursiveRef":"#"}`
	}
	return fmt.Sprintf(`{"$ref":"%s#/definitions/d%d"}`, rootURI, r.IntN(4))
}

func (r random) schema(depth int) string {
	switch {
	case depth <= 0 || r.IntN(8) == 0:
		return r.pick(`{}`, `{"type":"string"}`, `{"type":["integer","array"]}`, `{"const":1}`, `{"minimum":1}`, `{"type":"object"}`, `{"maxItems":1}`)
	case r.IntN(3) == 0:
		return r.reference()
	}
	return "{" + r.keywords(depth) + "}"
}

// keywords are one to three different ones.
func (r random) keywords(depth int) string {
	var texts []string
	makers := makers()
	for _, k := range r.Perm(len(makers))[:1+r.IntN(3)] {
		texts = append(texts, makers[k](r, depth-1))
	}
	return commas(len(texts), func(i int) string { return texts[i] })
}

// makers write one keyword each.
func makers() []func(random, int) string {
	return []func(random, int) string{
		func(r random, n int) string {
			return fmt.Sprintf(`"properties":{"a":%s,"b":%s}`, r.schema(n), r.schema(n))
		},
		func(r random, n int) string { return fmt.Sprintf(`"patternProperties":{"a|b":%s}`, r.schema(n)) },
		func(r random, n int) string { return fmt.Sprintf(`"additionalProperties":%s`, r.schema(n)) },
		func(r random, n int) string { return fmt.Sprintf(`"items":%s`, r.schema(n)) },
		func(r random, n int) string { return fmt.Sprintf(`"contains":%s`, r.schema(n)) },
		func(r random, n int) string { return fmt.Sprintf(`"anyOf":[%s,%s]`, r.schema(n), r.schema(n)) },
		func(r random, n int) string { return fmt.Sprintf(`"oneOf":[%s,%s]`, r.schema(n), r.schema(n)) },
		func(r random, n int) string { return fmt.Sprintf(`"allOf":[%s,%s]`, r.schema(n), r.schema(n)) },
		func(r random, n int) string { return fmt.Sprintf(`"not":%s`, r.schema(n)) },
		func(r random, n int) string {
			return fmt.Sprintf(`"if":%s,"then":%s,"else":%s`, r.schema(n), r.schema(n), r.schema(n))
		},
		func(r random, n int) string { return fmt.Sprintf(`"propertyNames":%s`, r.schema(n)) },
		func(r random, n int) string { return fmt.Sprintf(`"dependentSchemas":{"a":%s}`, r.schema(n)) },
		func(r random, n int) string {
			return fmt.Sprintf(`"dependencies":{"a":["%s"],"b":%s}`, r.name(), r.schema(n))
		},
		func(r random, n int) string { return fmt.Sprintf(`"unevaluatedProperties":%s`, r.schema(n)) },
		func(r random, n int) string { return fmt.Sprintf(`"unevaluatedItems":%s`, r.schema(n)) },
		func(r random, _ int) string { return fmt.Sprintf(`"required":["%s"]`, r.name()) },
		func(r random, _ int) string { return `"uniqueItems":true` },
		func(r random, _ int) string {
			return `"type":` + r.pick(`"object"`, `["object","array"]`, `"array"`, `["integer","null"]`)
		},
		func(r random, _ int) string { return `"enum":[1,"a",{"a":1},[1,1.0],null]` },
		func(r random, _ int) string { return `"minimum":2,"multipleOf":0.5` },
		func(r random, _ int) string { return `"pattern":"^(?!aa)a"` },
		func(r random, _ int) string { return `"format":` + r.pick(`"regex"`, `"ipv4"`, `"date"`) },
	}
}

func (r random) value(depth int) string {
	switch n := r.IntN(10); {
	case depth <= 0 || n < 4:
		return r.pick(`1`, `2.50`, `1.0`, `"a"`, `"aab"`, `"("`, `null`, `true`, `[]`, `{}`)
	case n < 7:
		return "[" + commas(r.IntN(4), func(int) string { return r.value(depth - 1) }) + "]"
	}
	perm := r.Perm(3)
	return "{" + commas(r.IntN(4), func(i int) string { return fmt.Sprintf(`"%s":%s`, string("abc"[perm[i]]), r.value(depth-1)) }) + "}"
}

// TestRandomSchemasAreJudgedAsByTheLibrary holds our checks against the plain
// library on schemas of all drafts and keywords.
func TestRandomSchemasAreJudgedAsByTheLibrary(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := random{Rand: rand.New(rand.NewPCG(seed, 0))}
	compiled, judged := 0, map[outcome]int{}
	rounds := testlevel.Of(300, 1_500)
	for range rounds {
		r.draft = allDrafts[r.IntN(len(allDrafts))]
		text := r.document()
		s, err := Compile([]byte(text), Options{MaxWork: 50_000})
		if err != nil {
			continue
		}
		compiled++
		plain := plainCompile(s)
		if plain == nil {
			t.Fatalf("seed %d: the library does not compile %s", seed, text)
		}
		for range 5 {
			value := r.value(5)
			v, err := s.ValidateJSON([]byte(value))
			got := outcomeOf(err)
			judged[got]++
			if got == tooMuch {
				continue
			}
			if err := plain.Validate(v); (err == nil) != (got == accepted) {
				t.Fatalf("seed %d: %s on %s: %s, but the library says %v", seed, text, value, got, err)
			}
		}
	}
	if compiled < rounds/5 || judged[accepted] < rounds/5 || judged[mismatch] < rounds/5 || judged[overLimit] > 0 {
		t.Errorf("seed %d: %d schemas, %v: the test tests too little", seed, compiled, judged)
	}
	t.Logf("%d schemas, %v", compiled, judged)
}
