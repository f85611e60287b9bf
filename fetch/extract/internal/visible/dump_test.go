package visible

import (
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// dumped returns entities as indented text. An entity that contains itself is shown once in itself.
func dumped(entities ...*graph.Entity) string {
	d := dumper{within: map[*graph.Entity]bool{}}
	for _, e := range entities {
		d.entity(e, "")
	}
	return d.b.String()
}

type dumper struct {
	b      strings.Builder
	within map[*graph.Entity]bool // the entities around
}

func (d *dumper) entity(e *graph.Entity, indent string) {
	fmt.Fprintf(&d.b, "%s%s", indent, e.Source)
	if len(e.Types) > 0 {
		fmt.Fprintf(&d.b, " %s", strings.Join(e.Types, " "))
	}
	if e.ID != "" {
		fmt.Fprintf(&d.b, " <%s>", e.ID)
	}
	if e.Place != "" {
		fmt.Fprintf(&d.b, " at %s", e.Place)
	}
	if d.within[e] {
		d.b.WriteString(" (again)\n")
		return
	}
	d.b.WriteString("\n")
	d.within[e] = true
	for i := range e.Fields {
		d.field(&e.Fields[i], indent+"  ")
	}
	delete(d.within, e)
}

func (d *dumper) field(f *graph.Field, indent string) {
	fmt.Fprintf(&d.b, "%s%s:", indent, f.Name)
	if len(f.Values) == 1 && f.Values[0].Kind != graph.Thing {
		d.b.WriteString(" ")
		d.value(&f.Values[0], "")
		return
	}
	d.b.WriteString("\n")
	for i := range f.Values {
		d.value(&f.Values[i], indent+"  ")
	}
}

var kindNames = [...]string{"", "number ", "bool ", "url ", "time ", ""}

func (d *dumper) value(v *graph.Value, indent string) {
	if v.Kind == graph.Thing && v.Entity != nil {
		if v.Shown != "" || v.Aside {
			fmt.Fprintf(&d.b, "%s-%s\n", indent, d.notes(v))
		}
		d.entity(v.Entity, indent)
		return
	}
	fmt.Fprintf(&d.b, "%s%s%q%s\n", indent, kindNames[v.Kind], v.Text, d.notes(v))
}

// notes returns what else is known of a value.
func (d *dumper) notes(v *graph.Value) string {
	var b strings.Builder
	if v.Shown != "" {
		fmt.Fprintf(&b, " shown %q", v.Shown)
	}
	if v.Source != 0 {
		fmt.Fprintf(&b, " (%s)", v.Source)
	}
	if v.Aside {
		b.WriteString(" aside")
	}
	return b.String()
}
func TestDump(t *testing.T) {
	offer := &graph.Entity{Source: graph.JSONLD, Place: "/offers"}
	offer.Add("price", graph.Value{Kind: graph.Number, Text: "12"}, graph.Value{Text: "12 €", Source: graph.Label, Aside: true})
	product := &graph.Entity{Source: graph.JSONLD, Types: []string{"Product"}, ID: "https://example.com/"}
	product.Add("offers", graph.Value{Kind: graph.Thing, Entity: offer, Shown: "cheap"})
	product.Add("url", graph.Value{Kind: graph.URL, Text: "https://example.com/", Shown: "here"})
	offer.Add("of", graph.Value{Kind: graph.Thing, Entity: product})
	const want = `json-ld Product <https://example.com/>
  offers:
    - shown "cheap"
    json-ld at /offers
      price:
        number "12"
        "12 €" (label) aside
      of:
        json-ld Product <https://example.com/> (again)
  url: url "https://example.com/" shown "here"
`
	if got := dumped(product); got != want {
		t.Errorf("got\n%s", got)
	}
}
