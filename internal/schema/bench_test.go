package schema

import (
	"bytes"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schema and value of the benchmarks: a dozen properties, some of each kind.
const (
	benchSchema = `{"type":"object","required":["id","name","price"],"properties":{
		"id":{"type":"integer","minimum":1},
		"name":{"type":"string","minLength":1,"maxLength":200},
		"price":{"type":"number","exclusiveMinimum":0},
		"currency":{"enum":["EUR","USD","GBP","JPY","CHF"]},
		"url":{"type":"string","pattern":"^https?://"},
		"inStock":{"type":"boolean"},
		"rating":{"type":["number","null"],"minimum":0,"maximum":5},
		"tags":{"type":"array","items":{"type":"string"},"uniqueItems":true,"maxItems":20},
		"seller":{"$ref":"#/$defs/party"},
		"maker":{"$ref":"#/$defs/party"},
		"offers":{"type":"array","items":{"type":"object","required":["price"],"properties":{"price":{"type":"number"},"until":{"type":"string"}}}},
		"kind":{"anyOf":[{"const":"new"},{"const":"used"}]}},
		"additionalProperties":false,
		"$defs":{"party":{"type":"object","properties":{"name":{"type":"string"},"country":{"type":"string","pattern":"^[A-Z]{2}$"}},"required":["name"]}}}`
	benchValue = `{"id":17,"name":"Walking shoe","price":129.5,"currency":"EUR","url":"https://shop.example/17","inStock":true,"rating":4.5,
		"tags":["shoe","leather","brown"],"seller":{"name":"Shop","country":"DE"},"maker":{"name":"Maker"},
		"offers":[{"price":119},{"price":99.9,"until":"2026-12-31"}],"kind":"used"}`
)

// plain compiles with nothing but the library.
func plain(b *testing.B) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(benchSchema)))
	if err != nil {
		b.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("bench:///s", doc); err != nil {
		b.Fatal(err)
	}
	return c.MustCompile("bench:///s")
}

// versus runs ours and theirs in turns, so that whatever else the machine does
// meets both alike, and reports how many times as long ours takes.
func versus(b *testing.B, ours, theirs func()) {
	var our, their time.Duration
	for b.Loop() {
		start := time.Now()
		ours()
		middle := time.Now()
		theirs()
		our += middle.Sub(start)
		their += time.Since(middle)
	}
	b.ReportMetric(float64(our.Nanoseconds())/float64(b.N), "ns/op")
	b.ReportMetric(float64(our)/float64(their), "x-santhosh")
}

func BenchmarkCompileCold(b *testing.B) {
	versus(b, func() {
		if _, err := Compile([]byte(benchSchema), Options{}); err != nil {
			b.Fatal(err)
		}
	}, func() { plain(b) })
}

func BenchmarkCompileCached(b *testing.B) {
	c := NewCache(CacheOptions{})
	versus(b, func() {
		if _, err := c.Compile("schema", []byte(benchSchema)); err != nil {
			b.Fatal(err)
		}
	}, func() { plain(b) })
}

// BenchmarkValidate is about a value that is decoded already.
func BenchmarkValidate(b *testing.B) {
	s, p := mustCompile(b, benchSchema, Options{}), plain(b)
	v, err := reference([]byte(benchValue))
	if err != nil {
		b.Fatal(err)
	}
	versus(b, func() {
		if err := s.Validate(v); err != nil {
			b.Fatal(err)
		}
	}, func() {
		if err := p.Validate(v); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkValidateJSON(b *testing.B) {
	s, p := mustCompile(b, benchSchema, Options{}), plain(b)
	raw := []byte(benchValue)
	versus(b, func() {
		if _, err := s.ValidateJSON(raw); err != nil {
			b.Fatal(err)
		}
	}, func() {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Validate(v); err != nil {
			b.Fatal(err)
		}
	})
}
