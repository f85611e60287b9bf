package visible

import (
	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// bodies gives items the text that an element says to be their body, such as
// that of a post or a review, however short it is. Of several in each other the
// innermost counts; one with a heading in it is all of the item.
func (r *reader) bodies() {
	found := make([]int, len(r.parts))
	for i := range r.nodes {
		r.pass(i)
		n := &r.nodes[i]
		if !n.is(saysBody) || n.from == n.to || n.part == 0 || n.is(isMember|hasHeading|inTable) || r.nodes[r.parts[n.part].node].from == n.from {
			continue
		}
		if has := found[n.part]; has == 0 || i < r.nodes[has].end {
			found[n.part] = i
		}
	}
	for p, i := range found {
		if i > 0 && r.parts[p].entity.Source == graph.Item {
			n := &r.nodes[i]
			r.add(p, "text", r.textValue(r.text[n.from:n.to], 0, n.el))
		}
	}
}

// isBodyName reports whether the words of a class are those of the body of a
// post: "body", "post-content", "postbody", "comment-text".
func isBodyName(words []string) bool {
	if len(words) == 0 || len(words) > 4 {
		return false
	}
	last := words[len(words)-1]
	switch last {
	case "body", "content", "message", "msg", "text":
		return len(words) == 1 || !cardWords[words[0]]
	}
	return bodyNames[last]
}

var (
	bodyNames = setOf("postbody postcontent posttext postmessage messagebody messagetext messagecontent commentbody commentcontent commenttext bodytext reviewtext reviewbody reviewcontent")
	cardWords = setOf("card modal main page site tab panel accordion media carousel")
)
