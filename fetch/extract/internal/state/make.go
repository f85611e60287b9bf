package state

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/loose"
)

// maker makes things of the values of one script.
type maker struct {
	*reader
	script *html.Node
}

const (
	// maxDepth is how deep things nest. What is deeper belongs to the program
	// and not to what it shows.
	maxDepth = 24
	// maxText is the size of a string that is data: longer ones are programs,
	// pages or images.
	maxText = 64 << 10
	// maxPlace is the length in bytes of a place; what is deeper has the place
	// of what is around it.
	maxPlace = 512
)

func (m *maker) values(dst []graph.Value, v *loose.Value, place string, depth int) []graph.Value {
	if m.reader.values--; m.reader.values < 0 || depth > maxDepth {
		return dst
	}
	m.page.Meter.Step(1)
	switch v.Kind {
	case loose.Null:
	case loose.Array:
		items, inner := unwrapped(v.Items)
		for i := range items {
			dst = m.values(dst, &items[i], join(place, strconv.Itoa(i))+inner, depth+1)
		}
	case loose.Object:
		if list := listOf(v); list != nil && depth > 0 {
			return m.values(dst, list, join(place, list.Name), depth+1)
		}
		if e := m.entity(v, place, depth); e != nil {
			dst = append(dst, graph.Value{Kind: graph.Thing, Entity: e, Element: m.script, Place: place})
		}
	default:
		if value := m.scalar(v); value.Text != "" && len(value.Text) <= maxText {
			value.Place = place
			dst = append(dst, value)
		}
	}
	return dst
}

// maxTypes is how many types a thing has at most.
const maxTypes = 16

func (m *maker) entity(v *loose.Value, place string, depth int) *graph.Entity {
	e := &graph.Entity{Source: graph.State, Element: m.script, Place: place, Fields: make([]graph.Field, 0, len(v.Items))}
	for i := range v.Items {
		item := &v.Items[i]
		if item.Name == "__typename" || item.Name == "@type" {
			if item.Text != "" && len(e.Types) < maxTypes {
				e.Types = append(e.Types, item.Text)
			}
			continue
		}
		if item.Name == "" {
			continue
		}
		if values := m.values(nil, item, join(place, item.Name), depth+1); len(values) > 0 {
			e.Fields = append(e.Fields, graph.Field{Name: item.Name, Values: values}) // each name comes once
		}
	}
	if len(e.Fields) == 0 {
		return nil
	}
	return e
}

func (m *maker) scalar(v *loose.Value) graph.Value {
	switch v.Kind {
	case loose.Number:
		return graph.Value{Kind: graph.Number, Text: v.Text, Element: m.script}
	case loose.Bool:
		return graph.Value{Kind: graph.Bool, Text: v.Text, Element: m.script}
	}
	if len(v.Text) > maxText {
		return graph.Value{}
	}
	return m.page.Word(m.script, m.page.Plain(v.Text))
}

var pointer = strings.NewReplacer("~", "~0", "/", "~1")

func join(place, name string) string {
	if len(place)+len(name) >= maxPlace {
		return place
	}
	if strings.ContainsAny(name, "~/") {
		name = pointer.Replace(name)
	}
	return place + "/" + name
}
