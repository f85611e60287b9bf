package jsonld

import (
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/loose"
)

// values appends what a value of a property stands for.
func (r *reader) values(dst []graph.Value, v *loose.Value, t term, c *scope, place string) []graph.Value {
	r.page.Meter.Step(1)
	if r.left--; r.left < 0 {
		return dst
	}
	switch v.Kind {
	case loose.Array:
		for i := range v.Items {
			dst = r.values(dst, &v.Items[i], t, c, graph.Join(place, strconv.Itoa(i)))
		}
	case loose.Object:
		return r.object(dst, v, t, c, place)
	default:
		if value, ok := r.scalar(v, t, place); ok {
			return append(dst, value)
		}
	}
	return dst
}

// object appends what an object stands for: a value with a type or a
// language, a list, texts by language, or a thing.
func (r *reader) object(dst []graph.Value, v *loose.Value, t term, c *scope, place string) []graph.Value {
	c = c.with(v)
	for i := range v.Items {
		switch item := &v.Items[i]; c.meaning(item.Name).name {
		case "@value":
			return r.typed(dst, v, item, t, graph.Join(place, item.Name))
		case "@list", "@set":
			return r.values(dst, item, t, c, graph.Join(place, item.Name))
		}
	}
	if t.languages || areLanguages(v) {
		for i := range v.Items {
			dst = r.values(dst, &v.Items[i], term{name: t.name}, c, graph.Join(place, v.Items[i].Name))
		}
		return dst
	}
	if e := r.entity(v, c, place); e != nil {
		return append(dst, graph.Value{Kind: graph.Thing, Entity: e, Element: r.script, Place: place})
	}
	return dst
}

// typed appends a @value with what stands beside it.
func (r *reader) typed(dst []graph.Value, object, v *loose.Value, t term, place string) []graph.Value {
	at := len(dst)
	dst = r.values(dst, v, t, nil, place)
	if kind := object.Get("@type"); kind != nil && len(dst) == at+1 && dst[at].Kind == graph.Text {
		if name := strings.ToLower(bare(kind.Text)); strings.HasPrefix(name, "date") || name == "time" || name == "duration" {
			dst[at].Kind = graph.Time
		}
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

func (r *reader) scalar(v *loose.Value, t term, place string) (graph.Value, bool) {
	value := graph.Value{Text: v.Text, Element: r.script, Place: place}
	switch v.Kind {
	case loose.Number:
		value.Kind = graph.Number
	case loose.Bool:
		value.Kind = graph.Bool
	case loose.String:
		value = r.text(v.Text, t)
		value.Place = place
	}
	return value, value.Text != ""
}

func (r *reader) text(s string, t term) graph.Value {
	if plain := r.page.Plain(s); t.address || isRelative(plain, t.name) {
		return r.page.Link(r.script, plain)
	} else {
		return r.page.Word(r.script, plain)
	}
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
