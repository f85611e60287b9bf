package microformats

import (
	"cmp"
	"embed"
	"strings"
	"sync"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
)

// property is a class that names one: 'p' a text, 'u' an address, 'd' a time,
// 'e' a text with markup.
type property struct {
	kind byte
	name string
}

// format is one of the older formats: its name in microformats2, and what its
// classes are there.
type format struct {
	name       string
	properties map[string]property
}

//go:embed lexicon
var files embed.FS

// formats are the older formats by the class of their root.
var formats = sync.OnceValue(func() map[string]format {
	all := map[string]format{}
	for _, e := range lexicon.Read(files, "formats") {
		class, name, _ := strings.Cut(e.Name, " ")
		f := format{name, map[string]property{}}
		for _, word := range e.Words {
			old, is, _ := strings.Cut(word, "=")
			f.properties[old] = property{is[0], is[2:]}
		}
		all[class] = f
	}
	return all
})

// classes are what the class attribute of an element says.
type classes struct {
	types      []string
	properties []property
	old        map[string]property
}

// classesOf reads the classes of microformats2, of which only names of lower-case
// letters count, for frameworks have classes that look alike (h-100, p-3), and
// those of an older format.
func classesOf(class string, in *item) (c classes) {
	for name := range strings.FieldsSeq(class) {
		if f, ok := formats()[name]; ok && c.old == nil {
			c.old, c.types = f.properties, append(c.types, f.name)
		}
		if in != nil && in.old != nil {
			if p, ok := in.old[name]; ok {
				c.properties = append(c.properties, p)
			}
			continue
		}
		prefix, name, ok := strings.Cut(name, "-")
		switch {
		case !ok || !isName(name):
		case prefix == "h" && roots[name]:
			c.types = append(c.types, name)
		case in != nil && (prefix == "p" || prefix == "u" || prefix == "e" || prefix == "dt"):
			c.properties = append(c.properties, property{prefix[0], name})
		}
	}
	return c
}

// roots are the things of microformats2; others are the classes of styles.
var roots = map[string]bool{
	"adr": true, "card": true, "entry": true, "event": true, "feed": true, "geo": true, "item": true, "listing": true,
	"product": true, "recipe": true, "resume": true, "review": true, "review-aggregate": true, "cite": true, "app": true, "measure": true,
}

func isName(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && s != "" && s[0] >= 'a' && s[len(s)-1] != '-'
}

// meanings are what schema.org calls the properties that have another name, or one
// of more meanings, elsewhere; some of them in one kind of thing.
var meanings = map[string]string{
	"adr": "address", "bday": "birthDate", "average": "ratingValue", "best": "bestRating", "worst": "worstRating", "count": "reviewCount", "votes": "ratingCount",
	"card org": "worksFor", "card role": "jobTitle", "product identifier": "sku",
}

// say adds a value under the name that others have for the property.
func (in *item) say(name string, v graph.Value) {
	if v.Entity != nil && v.Entity.Is("review-aggregate") {
		name = "aggregateRating"
		v.Entity.Types = graph.AppendType(v.Entity.Types, "AggregateRating")
	}
	in.Add(cmp.Or(meanings[in.Types[0]+" "+name], meanings[name], name), v)
}
