package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// relations reads the links of which the page says that they lead to what it is
// filed under: rel=tag, and "category tag" as blogs write it.
func (r *reader) relations() {
	for i := range r.nodes {
		r.Meter.Step(1)
		n := &r.nodes[i]
		if !n.named(atom.A) || n.from == n.to || n.is(isAside) && !InArticle(n.el) || n.to-n.from > maxName {
			continue
		}
		rel := " " + strings.ToLower(cut(attr(n.el, "rel"), maxNames)) + " "
		if !strings.Contains(rel, " tag ") {
			continue
		}
		name := "tags"
		if strings.Contains(rel, " category ") {
			name = "category"
		}
		r.filed = r.filed || n.part == 0
		v := r.value(i, graph.Label)
		v.Aside = false // the foot of an article is its own
		r.add(n.part, name, v)
	}
}

// isFiled reports whether a name is that of what such links of the page say, which
// a class puts together with the words before them.
func (r *reader) isFiled(part int, name string) bool {
	return part == 0 && r.filed && (name == "tags" || name == "categories" || name == "category")
}
