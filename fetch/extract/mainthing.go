package extract

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// mainOf returns the thing that the page is about, or nil: of the likeliest kind,
// for a recipe is told in an article, and an article shows a video.
func (b *belief) mainOf(things []*graph.Entity) *graph.Entity {
	kinds := [...]string{"work", "article", "product", "media", "place"}
	for _, v := range b.places["page"].Get("mainEntity") {
		for _, kind := range kinds {
			if v.Entity != nil && v.Entity.Is(words()[kind]...) {
				return v.Entity
			}
		}
	}
	for _, kind := range kinds {
		var found []*graph.Entity
		for _, e := range things {
			b.page.Meter.Step(1)
			if e.Is(words()[kind]...) {
				found = append(found, e)
			}
		}
		if main := b.one(found); main != nil {
			return main
		}
	}
	return nil
}

// one returns the thing that names the page's address, or else the only one,
// as its first source has it.
func (b *belief) one(found []*graph.Entity) *graph.Entity {
	if len(found) == 0 {
		return nil
	}
	for _, e := range found {
		if b.namesPage(e) {
			return e
		}
	}
	for _, e := range found[1:] {
		if e.Source == found[0].Source {
			return nil
		}
	}
	return found[0]
}

// namesPage reports whether one of the addresses of a thing is the page's: its
// own, or the one that it names.
func (b *belief) namesPage(e *graph.Entity) bool {
	own := ""
	if b.page.URL != nil {
		own = b.page.URL.String()
	}
	canonical := addressIn(b.places["meta"].Get("canonical"))
	for _, ref := range []string{e.ID, addressIn(e.Get("url")), addressIn(e.Get("mainEntityOfPage"))} {
		if ref != "" && (plainAddress(ref) == plainAddress(own) || plainAddress(ref) == plainAddress(canonical)) {
			return true
		}
	}
	return false
}

// addressIn returns the first address among values, that of a thing too.
func addressIn(values []graph.Value) string {
	for _, v := range values {
		switch {
		case v.Kind == graph.URL:
			return v.Text
		case v.Entity == nil:
		case v.Entity.ID != "":
			return v.Entity.ID
		default:
			for _, inner := range slices.Concat(v.Entity.Get("url"), v.Entity.Get("contentUrl")) {
				if inner.Kind == graph.URL {
					return inner.Text
				}
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
