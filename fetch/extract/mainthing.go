package extract

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// mainKinds are the kinds of what pages are about, the likeliest first.
var mainKinds = [...]string{"work", "article", "product", "media", "place"}

// mainOf returns the thing that the page is about, or nil: one that it calls its
// own, and of the likeliest kind, for a recipe is told in an article, and an article
// shows a video.
func (b *belief) mainOf(things []*graph.Entity) *graph.Entity {
	var own []*graph.Entity
	for _, v := range b.places["page"].Get("mainEntity") {
		if v.Entity != nil && !b.places["page"].Is("FAQPage") { // which answers questions of what it is about
			own = append(own, v.Entity)
		}
	}
	for _, from := range [...][]*graph.Entity{own, things} {
		for _, kind := range mainKinds {
			b.page.Meter.Step(len(from))
			others := func(e *graph.Entity) bool { return !e.Is(words()[kind]...) }
			if main := b.one(slices.DeleteFunc(slices.Clone(from), others)); main != nil {
				return main
			}
		}
	}
	return nil
}

// one returns the thing that names the page's address, or else the only one,
// as its first source has it.
func (b *belief) one(found []*graph.Entity) *graph.Entity {
	if i := slices.IndexFunc(found, b.namesPage); i >= 0 {
		return found[i]
	}
	if len(found) == 0 || slices.ContainsFunc(found[1:], func(e *graph.Entity) bool { return e.Source == found[0].Source }) {
		return nil
	}
	return found[0]
}

// namesPage reports whether one of the addresses of a thing is the page's: its
// own, or the one that it names.
func (b *belief) namesPage(e *graph.Entity) bool {
	own := []string{plainAddress(b.page.Address()), plainAddress(addressIn(b.places["meta"].Get("canonical")))}
	return slices.ContainsFunc([]string{e.ID, addressIn(e.Get("url")), addressIn(e.Get("mainEntityOfPage"))}, func(ref string) bool {
		return ref != "" && slices.Contains(own, plainAddress(ref))
	})
}

// addressIn returns the first address among values, that of a thing too.
func addressIn(values []graph.Value) string {
	for _, v := range values {
		switch {
		case v.Kind == graph.URL:
			return v.Text
		case v.Entity != nil:
			for _, inner := range slices.Concat(v.Entity.Get("url"), v.Entity.Get("contentUrl")) {
				if inner.Kind == graph.URL {
					return inner.Text
				}
			}
			if v.Entity.ID != "" {
				return v.Entity.ID
			}
		}
	}
	return ""
}

// plainAddress returns an address without its fragment, scheme and last slash.
func plainAddress(s string) string {
	s, _, _ = strings.Cut(s, "#")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
	return strings.TrimSuffix(strings.TrimPrefix(s, "www."), "/")
}
