package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// isAuthorName reports whether a class calls something the author of an item.
func isAuthorName(name string) bool {
	switch name {
	case "author", "byline", "comment author", "post author", "review author", "comment byline":
		return true
	}
	return false
}

// userNames are what classes call somebody who has an account.
var userNames = setOf("user username poster nickname member")

// addAuthor adds the author of an item, without what stands around the name.
func (r *reader) addAuthor(i int, v graph.Value) {
	if name := r.personIn(i); name != "" && name != v.Text {
		v.Text, v.Shown = name, v.Text
	}
	r.add(r.nodes[i].part, "author", v)
}

// maxPerson is the length of the name of somebody, in bytes.
const maxPerson = 60

// personIn returns the name in an element that a class calls the author of an
// item: its only link, or what is in bold, where more stands around it such as
// "by" and a date. It returns "" where there is none.
func (r *reader) personIn(i int) string {
	found := -1
	for c := i + 1; c < r.nodes[i].end && c < i+maxLook; c++ {
		n := &r.nodes[c]
		if !n.named(atom.A, atom.B, atom.Strong, atom.Cite) || n.from == n.to || n.to-n.from > maxPerson {
			continue
		}
		if found >= 0 && c >= r.nodes[found].end {
			return ""
		}
		if found < 0 {
			found = c
		}
	}
	if found < 0 || !hasWords(r.textOf(found)) || strings.Contains(r.textOf(found), "@") {
		return ""
	}
	return r.textOf(found)
}

// commenters gives remarks of readers that open with a name in bold that name as
// their author.
func (r *reader) commenters() {
	for p := 1; p < len(r.parts); p++ {
		r.Meter.Step(1)
		i := r.parts[p].node
		if !r.nodes[i].is(isMember) || r.has(p, "author") || !r.nodes[i].is(saysRemark) {
			continue
		}
		if name := r.boldAt(i); name >= 0 {
			r.add(p, "author", r.value(name, graph.Label))
		}
	}
}

// boldAt returns the short text in bold that an element opens with, if it may be
// the name of somebody, or -1.
func (r *reader) boldAt(i int) int {
	item := &r.nodes[i]
	for c := i + 1; c < item.end && c < i+nearHeading; c++ {
		n := &r.nodes[c]
		if n.from != item.from {
			return -1
		}
		if n.named(atom.B, atom.Strong, atom.Cite) {
			if s := r.textOf(c); len(s) > 0 && len(s) <= maxPerson && countWords(s) <= 4 && startsUpper(s) && !hasDigit(s) && !strings.ContainsAny(s[len(s)-1:], "!?:.") {
				return c
			}
			return -1
		}
	}
	return -1
}
