package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// thing is an entity with what its surroundings say of it.
type thing struct {
	entity   *graph.Entity
	families []string // the kinds of things that its types are
	depth    int      // how many things are around it
	main     bool     // the page says that it is about it
	primary  bool     // it is of a kind that pages are about
	via      string   // the name of the field that it is the value of
	aside    bool     // it only belongs to another thing, as its publisher does
	owner    *thing   // of a thing that is aside: whose it is, else nil
	listed   bool     // it is one of several in a list
	currency string   // that it says, or the one around it
}

// things are all the entities of a page, in their order, and what stands for the
// page itself.
type things struct {
	all      []thing
	at       map[*graph.Entity]int // the place of each in all
	byFamily map[string][]*graph.Entity
	page     []*graph.Entity // meta elements, the document, its labels
	primary  bool            // one is of a kind that pages are about
	titles   []string        // keys of what the page calls itself
	counts   map[kindIn]int
	lists    []candidate                // of the state of scripts, once they were asked for
	expected map[*graph.Entity][]string // types of those that have none
	currency map[*graph.Entity]string   // that a thing says, or the one around it
}

// kindIn is a kind of things as one source has them.
type kindIn struct {
	family string
	source graph.Source
}

// isPage reports whether what an entity says is said of the page as a whole.
func isPage(e *graph.Entity) bool {
	switch e.Source {
	case graph.Meta, graph.Document, graph.Label, graph.Definition, graph.Class:
		return true
	case graph.Table:
		return len(e.Types) == 0
	}
	return false
}

func familiesOf(list []string) []string {
	var all []string
	for _, t := range list {
		for _, f := range append([]string{t}, names.TypeFamilies(t)...) {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all
}

// primary are the kinds of things that a page with one of them is about, rather
// than who made it or where it belongs.
var primary = map[string]bool{
	"Product": true, "Recipe": true, "JobPosting": true, "Event": true, "Article": true, "FAQPage": true, "Course": true, "Book": true, "Movie": true,
	"VideoObject": true, "RealEstateListing": true, "SoftwareApplication": true, "HowTo": true, "DiscussionForumPosting": true, "MusicAlbum": true,
	"Podcast": true, "Dataset": true,
}

// sameThing reports whether two entities of different readers are the same
// thing: by their address, or by their kind and name.
func sameThing(a, b *graph.Entity) bool {
	if a.ID != "" && a.ID == b.ID {
		return true
	}
	if a.Source == b.Source {
		return false
	}
	others := familiesOf(b.Types)
	if !slices.ContainsFunc(familiesOf(a.Types), func(f string) bool { return slices.Contains(others, f) }) {
		return false
	}
	x, y := nameText(a), nameText(b)
	return x != "" && x == y
}

func nameText(e *graph.Entity) string {
	for _, name := range []string{"name", "headline", "title"} {
		if vs := e.Get(name); len(vs) > 0 {
			return mention.Key(vs[0].Text)
		}
	}
	return ""
}

// isAddressOf reports whether an entity is said to be at the address of the
// page.
func (sh *shaper) isAddressOf(e *graph.Entity) bool {
	page := trimURL(sh.o.PageURL)
	if page == "" {
		return false
	}
	if trimURL(e.ID) == page {
		return true
	}
	vs := e.Get("url")
	return len(vs) > 0 && trimURL(vs[0].Text) == page
}

func trimURL(u string) string {
	u, _, _ = strings.Cut(u, "#")
	return strings.TrimSuffix(u, "/")
}
