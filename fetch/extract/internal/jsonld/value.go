package jsonld

import (
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/loose"
)

// values appends what a value of a property stands for.
func (r *reader) values(dst []graph.Value, v *loose.Value, name, place string) []graph.Value {
	r.page.Meter.Step(1)
	if r.left--; r.left < 0 {
		return dst
	}
	switch v.Kind {
	case loose.Array:
		for i := range v.Items {
			dst = r.values(dst, &v.Items[i], name, graph.Join(place, strconv.Itoa(i)))
		}
	case loose.Object:
		return r.object(dst, v, name, place)
	default:
		if value, ok := r.scalar(v, name, place); ok {
			return append(dst, value)
		}
	}
	return dst
}

// object appends what an object stands for: a value with a type or a
// language, a list, texts by language, or a thing.
func (r *reader) object(dst []graph.Value, v *loose.Value, name, place string) []graph.Value {
	for _, key := range [...]string{"@value", "@list", "@set"} {
		inner := v.Get(key)
		if inner == nil {
			continue
		}
		at := len(dst)
		dst = r.values(dst, inner, name, graph.Join(place, key))
		if kind := v.Get("@type"); kind != nil && len(dst) == at+1 && dst[at].Kind == graph.Text {
			if of := strings.ToLower(bare(kind.Text)); strings.HasPrefix(of, "date") || of == "time" || of == "duration" {
				dst[at].Kind = graph.Time
			}
		}
		return dst
	}
	if areLanguages(v) {
		for i := range v.Items {
			dst = r.values(dst, &v.Items[i], name, graph.Join(place, v.Items[i].Name))
		}
		return dst
	}
	if e := r.entity(v, place); e != nil {
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

func (r *reader) scalar(v *loose.Value, name, place string) (graph.Value, bool) {
	value := graph.Value{Text: v.Text, Element: r.script}
	switch v.Kind {
	case loose.Number:
		value.Kind = graph.Number
	case loose.Bool:
		value.Kind = graph.Bool
	case loose.String:
		if plain := r.page.Plain(v.Text); isRelative(plain, name) {
			value = r.page.Link(r.script, plain)
		} else {
			value = r.page.Word(r.script, plain)
		}
	}
	value.Place = place
	return value, value.Text != ""
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
