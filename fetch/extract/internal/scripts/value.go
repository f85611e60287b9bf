package scripts

import (
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/loose"
)

const (
	// maxDepth is how deep things of a state nest. What is deeper belongs to the
	// program and not to what it shows.
	maxDepth = 24
	// maxText is the size of a string of a state that is data: longer ones are
	// programs, pages or images.
	maxText = 64 << 10
)

// values appends what a value of a property stands for.
func (r *reader) values(dst []graph.Value, v *loose.Value, name, place string, depth int) []graph.Value {
	r.page.Meter.Step(1)
	if r.left--; r.left < 0 || depth > maxDepth {
		return dst
	}
	value := graph.Value{Text: v.Text, Element: r.script, Place: place}
	switch v.Kind {
	case loose.Array:
		items, inner := v.Items, ""
		if r.source == graph.State {
			items, inner = unwrapped(items)
			depth++
		}
		for i := range items {
			dst = r.values(dst, &items[i], name, graph.Join(place, strconv.Itoa(i))+inner, depth)
		}
		return dst
	case loose.Object:
		if r.source == graph.State {
			return r.object(dst, v, place, depth)
		}
		return r.node(dst, v, name, place)
	case loose.Number:
		value.Kind = graph.Number
	case loose.Bool:
		value.Kind = graph.Bool
	case loose.String:
		if r.source == graph.State && len(v.Text) > maxText {
			return dst
		}
		value = r.page.Word(r.script, r.page.Plain(v.Text))
		if r.source == graph.JSONLD && isRelative(value.Text, name) {
			value = r.page.Link(r.script, value.Text)
		}
		value.Place = place
	}
	if value.Text == "" {
		return dst
	}
	return append(dst, value)
}

// object appends what an object of a state stands for: a list, or a thing.
func (r *reader) object(dst []graph.Value, v *loose.Value, place string, depth int) []graph.Value {
	if list := listOf(v); list != nil && depth > 0 {
		return r.values(dst, list, "", graph.Join(place, list.Name), depth+1)
	}
	e := &graph.Entity{Source: graph.State, Element: r.script, Place: place, Fields: make([]graph.Field, 0, len(v.Items))}
	for i := range v.Items {
		item := &v.Items[i]
		if item.Name == "__typename" || item.Name == "@type" {
			e.Types = graph.AppendType(e.Types, item.Text)
		} else if values := r.values(nil, item, "", graph.Join(place, item.Name), depth+1); len(values) > 0 && item.Name != "" {
			e.Fields = append(e.Fields, graph.Field{Name: item.Name, Values: values}) // each name comes once
		}
	}
	if len(e.Fields) == 0 {
		return dst
	}
	return append(dst, graph.Value{Kind: graph.Thing, Entity: e, Element: r.script, Place: place})
}

// node appends what an object of JSON-LD stands for: a value with a type or a
// language, a list, texts by language, or a thing.
func (r *reader) node(dst []graph.Value, v *loose.Value, name, place string) []graph.Value {
	for _, key := range [...]string{"@value", "@list", "@set"} {
		inner := v.Get(key)
		if inner == nil {
			continue
		}
		at := len(dst)
		dst = r.values(dst, inner, name, graph.Join(place, key), 0)
		if kind := v.Get("@type"); kind != nil && len(dst) == at+1 && dst[at].Kind == graph.Text {
			if of := strings.ToLower(bare(kind.Text)); strings.HasPrefix(of, "date") || of == "time" || of == "duration" {
				dst[at].Kind = graph.Time
			}
		}
		return dst
	}
	if areLanguages(v) {
		for i := range v.Items {
			dst = r.values(dst, &v.Items[i], name, graph.Join(place, v.Items[i].Name), 0)
		}
		return dst
	}
	if e := r.linked(v, place); e != nil {
		return append(dst, graph.Value{Kind: graph.Thing, Entity: e, Element: r.script, Place: place})
	}
	return dst
}

// areLanguages reports whether an object has a text for each of several
// languages: all names are tags of two letters, perhaps with a region.
func areLanguages(v *loose.Value) bool {
	for i := range v.Items {
		name, region, _ := strings.Cut(v.Items[i].Name, "-")
		if len(name) != 2 || len(region) > 4 || v.Items[i].Kind != loose.String || strings.ToLower(name) != name || name[0] == '@' {
			return false
		}
	}
	return len(v.Items) > 0
}

// addresses are the names of schema.org, besides those that end with "url", whose
// values are addresses, or names of files beside the page.
const addresses = ` image logo sameAs thumbnail photo screenshot codeRepository mainEntityOfPage hasMap map maps menu hasMenu relatedLink significantLink significantLinks license isBasedOn
 archivedAt primaryImageOfPage publishingPrinciples acquireLicensePage usageInfo colleague colleagues webFeed labelDetails diversityPolicy ethicsPolicy `

// isRelative reports whether a text is the address of something that is named
// from the page.
func isRelative(s, name string) bool {
	if s == "" || !strings.Contains(addresses, " "+name+" ") && !strings.HasSuffix(strings.ToLower(name), "url") || strings.ContainsAny(s, " \t\r\n<>\"") {
		return false
	}
	return strings.ContainsAny(s[:1], "/#?") || strings.Contains(s, "/") || strings.Contains(s[1:], ".")
}
