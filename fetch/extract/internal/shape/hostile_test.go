package shape

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/schema"
)

// wide is a schema of n properties that all match.
func wide(n int) string {
	var b strings.Builder
	b.WriteString(`{"properties":{`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"p%d":{"type":"string"}`, i)
	}
	return b.String() + `}}`
}

// many is a page of n cards.
func many(n int) *graph.Graph {
	top := &graph.Entity{Source: graph.Document, Element: somewhere}
	for i := range n {
		card := &graph.Entity{Source: graph.Item, Element: somewhere}
		card.Add("title", graph.Value{Text: fmt.Sprint("Thing ", i), Element: somewhere})
		card.Add("price", graph.Value{Text: fmt.Sprintf("€%d.50", i), Element: somewhere})
		top.Add("Things", graph.Value{Kind: graph.Thing, Entity: card, Element: somewhere})
	}
	return &graph.Graph{Roots: []*graph.Entity{top}}
}

// circle is two things that hold each other in every field.
func circle() *graph.Graph {
	a := &graph.Entity{Source: graph.JSONLD, Types: []string{"Product"}, Element: somewhere}
	b := &graph.Entity{Source: graph.JSONLD, Types: []string{"Review"}, Element: somewhere}
	for _, name := range []string{"offers", "review", "author", "itemListElement", "name", "price", "comment", "mainEntity", "step", "item"} {
		a.Add(name, graph.Value{Kind: graph.Thing, Entity: b, Element: somewhere})
		b.Add(name, graph.Value{Kind: graph.Thing, Entity: a, Element: somewhere})
	}
	return &graph.Graph{Roots: []*graph.Entity{a, b}}
}

// deep is a schema whose objects have two ways each to go deeper.
func deep(n int) string {
	text := `{"type":"string"}`
	for range n {
		text = `{"type":"object","properties":{"author":` + text + `}}`
	}
	return text
}

// doubling is a schema of n definitions that each hold the next twice.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"type":"object","properties":{"author":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},"review":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}}},`, i, i+1, i+1, i+1, i+1)
	}
	return b.String() + fmt.Sprintf(`"d%d":{"type":"object","properties":{"nothing":{"type":"string"}}}}}`, n)
}

func TestHostileSchemasAndGraphsEnd(t *testing.T) {
	tree := `{"properties":{"name":{"type":"string"},"review":{"type":"array","items":{"$ref":"#"}},"author":{"$ref":"#"},"offers":{"anyOf":[{"$ref":"#"},{"type":"array","items":{"$ref":"#"}}]}}}`
	for name, c := range map[string]struct {
		g      *graph.Graph
		schema string
	}{
		"wide":               {circle(), wide(3900)},
		"wide on cards":      {many(20_000), `{"properties":{"list":{"type":"array","items":` + wide(3000) + `}}}`},
		"deep":               {circle(), deep(20)},
		"doubling":           {circle(), doubling(15)},
		"recursive":          {circle(), tree},
		"recursive on cards": {many(30_000), tree},
		"many":               {many(100_000), `{"properties":{"things":{"type":"array","items":{"type":"object","properties":{"title":{"type":"string"},"price":{"type":"number"}}}}}}`},
		"patterns":           {many(2_000), `{"properties":{"things":{"type":"array","items":{"type":"object","properties":{"title":{"type":"string","pattern":"^(T|h|i)+x$"}}}}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Fill(context.Background(), c.g, compile(t, c.schema), testOptions)
			switch {
			case errtypes.Is(err, errtypes.Invalid):
				if pub := errtypes.Public(err); pub.Field != "schema" || !strings.Contains(pub.Message, "asks for more than a page can be searched for") {
					t.Error(err)
				}
			case err != nil:
				t.Error(err)
			default:
				t.Logf("%d steps, %d bytes", r.Steps, len(r.Content))
			}
		})
	}
}

func TestBudgetIsSaidToBeTheSchemas(t *testing.T) {
	o := testOptions
	o.MaxWork = 1_000
	_, err := Fill(context.Background(), many(100), compile(t, wide(100)), o)
	if pub := errtypes.Public(err); pub.Kind != errtypes.Invalid || pub.Field != "schema" || !strings.Contains(pub.Message, "1000 steps") {
		t.Error(err)
	}
}

func TestContextEndsTheFilling(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	cancel(why)
	_, err := Fill(ctx, many(20_000), compile(t, `{"properties":{"things":{"type":"array","items":{"type":"object","properties":{"title":{"type":"string"}}}}}}`), testOptions)
	if !errors.Is(err, why) {
		t.Error(err)
	}
}

// TestStepsAreLinear holds that four times the page takes about four times the
// steps.
func TestStepsAreLinear(t *testing.T) {
	s := compile(t, `{"properties":{"things":{"type":"array","items":{"type":"object","properties":{"title":{"type":"string"},"price":{"type":"number"},"author":{"type":"object","properties":{"name":{"type":"string"}}}}}}}}`)
	o := testOptions
	o.MaxItems = 1_000_000
	var steps []int
	for _, n := range []int{250, 1_000, 4_000} {
		r, err := Fill(context.Background(), many(n), s, o)
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, r.Steps)
	}
	if steps[1] > 5*steps[0] || steps[2] > 5*steps[1] {
		t.Errorf("steps of 1x, 4x and 16x: %v", steps)
	}
}

// FuzzFill holds that what is filled is valid but for what is said to be
// unsatisfied, and the same twice.
func FuzzFill(f *testing.F) {
	f.Add(product, `{"required":["a"],"properties":{"title":{"type":"string"},"price":{"type":"number"},"reviews":{"type":"array","items":{"type":"object"}}}}`)
	f.Add(recipe, `{"anyOf":[{"properties":{"zutaten":{"type":"array","items":{"type":"string","maxLength":3}}}},{"oneOf":[true,false]}]}`)
	f.Add(`{"@type":"x","a":[1,true,"12 €"]}`, `{"properties":{"a":{"type":["integer","null","array"],"items":{"enum":[1,"true"]},"maxItems":2}},"minProperties":3}`)
	f.Add(`{"name":"x"}`, `{"properties":{"name":{"$ref":"#"},"x":{"prefixItems":[{"type":"string"},false]}}}`)
	f.Fuzz(func(t *testing.T, things, schemaText string) {
		s, err := schema.Compile([]byte(schemaText), schema.Options{})
		if err != nil || !s.RootCanBeObject() {
			t.Skip()
		}
		g := tryThings(things)
		if g == nil {
			t.Skip()
		}
		r, err := Fill(context.Background(), g, s, testOptions)
		if err != nil {
			return
		}
		_, err = s.ValidateJSON(r.Content)
		if err != nil && len(r.Unsatisfied) == 0 {
			t.Errorf("%s is not valid: %v", r.Content, err)
		}
		again, err := Fill(context.Background(), g, s, testOptions)
		if err != nil || string(again.Content) != string(r.Content) {
			t.Errorf("%s, and then %v", r.Content, err)
		}
	})
}
