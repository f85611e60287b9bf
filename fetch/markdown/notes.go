package markdown

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// A footnote is a link to a place on the page, and there a text with a link
// back. Both ends become what markdown has for them, "[^1]" and "[^1]: text",
// if each leads to the other; links that only look so stay links.

// noteRef is the name of the element that stands for a reference, and
// noteLabel the attribute in which it, and a note, have their label.
const (
	noteRef   = "note-ref"
	noteLabel = "note-label"
)

// fragments are what a page has that footnotes are made of.
type fragments struct {
	links []*html.Node          // to places on the page
	ids   map[string]*html.Node // places
}

func (f *fragments) enter(n *html.Node) {
	for i := range n.Attr {
		switch a := &n.Attr[i]; {
		case a.Key == "id" && a.Val != "":
			if f.ids == nil {
				f.ids = map[string]*html.Node{}
			}
			if f.ids[a.Val] == nil {
				f.ids[a.Val] = n
			}
		case a.Key == "href" && n.DataAtom == atom.A && len(a.Val) > 1 && a.Val[0] == '#':
			f.links = append(f.links, n)
		}
	}
}

// target is the place that a link leads to, or nil.
func (f *fragments) target(link *html.Node) *html.Node {
	return f.ids[tree.AttrOr(link, "href")[1:]]
}

// footnotes rewrites the footnotes of a page.
func (w *work) footnotes(f *fragments) {
	backs := map[*html.Node][]*html.Node{} // links back, by the note they are in
	for _, link := range f.links {
		w.Step(1)
		if back := w.backlink(link); back != nil && f.target(link) != nil {
			if note := noteAround(link); note != nil {
				backs[note] = append(backs[note], back)
			}
		}
	}
	if len(backs) == 0 {
		return
	}
	labels := &noteLabels{of: map[*html.Node]string{}, used: map[string]bool{}}
	lists := map[*html.Node]bool{} // whether all items are notes
	for _, link := range f.links {
		w.Step(1)
		target := f.target(link)
		if target == nil || w.backlink(link) != nil || !w.isNoteRef(link) {
			continue
		}
		if note := noteAround(target); note != nil && len(backs[note]) > 0 && w.mayBeNote(note, backs, lists) {
			w.refer(link, labels.take(note, w.noteText(link)))
		}
	}
	for _, link := range f.links { // in the order of the page
		if note := noteAround(link); note != nil && labels.of[note] != "" && len(backs[note]) > 0 {
			w.define(note, labels.of[note], backs[note])
			delete(backs, note)
		}
	}
}

// noteLabels gives each note a label of its own.
type noteLabels struct {
	of   map[*html.Node]string
	used map[string]bool
	next int
}

func (l *noteLabels) take(note *html.Node, want string) string {
	if l.of[note] != "" {
		return l.of[note]
	}
	for want == "" || l.used[want] {
		l.next++
		want = strconv.Itoa(l.next)
	}
	l.of[note], l.used[want] = want, true
	return want
}

// noteText is what a reference says, as a label: "[1]" says 1.
func (w *work) noteText(link *html.Node) string {
	text := strings.Trim(strings.TrimSpace(w.textOf(link)), "[]()^ ")
	if text == "" || len(text) > maxLabel || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' }) {
		return ""
	}
	return text
}

const maxLabel = 20

// isNoteRef reports whether a link refers to a note, and does not only lead to
// a place: it is raised, or is called so.
func (w *work) isNoteRef(link *html.Node) bool {
	if len(w.textOf(link)) > maxLabel {
		return false
	}
	return tree.AttrOr(link, "role") == "doc-noteref" || calls(link, "footnote", "noteref", "fnref") || tree.Is(link.Parent, atom.Sup) ||
		tree.Is(onlyChild(link), atom.Sup)
}

// backlink returns what is to be taken out of a note for a link back from it,
// or nil if the link is none.
func (w *work) backlink(link *html.Node) *html.Node {
	for n, up := link, 0; n != nil && up < 4; n, up = n.Parent, up+1 {
		if calls(n, "backlink", "backref", "footnote-back", "reversefootnote") || tree.AttrOr(n, "role") == "doc-backlink" {
			return n
		}
	}
	switch strings.Trim(strings.TrimSpace(w.textOf(link)), "[] \uFE0E\uFE0F") {
	case "↩", "↑", "^", "⏎", "⤴":
		return link
	}
	return nil
}

// calls reports whether a class says one of the words.
func calls(n *html.Node, words ...string) bool {
	class := strings.ToLower(tree.AttrOr(n, "class"))
	if class == "" {
		return false
	}
	for _, word := range words {
		if strings.Contains(class, word) {
			return true
		}
	}
	return false
}

// noteAround is the element of a note that n stands in: an item, or else a
// paragraph or a box, no more than a few elements up.
func noteAround(n *html.Node) *html.Node {
	var box *html.Node
	for up := 0; n != nil && up < 6; n, up = n.Parent, up+1 {
		switch n.DataAtom {
		case atom.Li, atom.Dd:
			return n
		case atom.P, atom.Div, atom.Aside:
			if box == nil {
				box = n
			}
		case atom.Section, atom.Article, atom.Main, atom.Body, atom.Td:
			return box
		}
	}
	return box
}

// mayBeNote reports whether a note can leave its list, if it is in one: all of
// its items are notes. Each list is looked at once.
func (w *work) mayBeNote(note *html.Node, backs map[*html.Node][]*html.Node, lists map[*html.Node]bool) bool {
	list := note.Parent
	switch {
	case note.DataAtom == atom.Dd:
		return false
	case !tree.Is(list, atom.Ol, atom.Ul):
		return true
	}
	all, known := lists[list]
	if !known {
		all = true
		for c := list.FirstChild; c != nil && all; c = c.NextSibling {
			w.Step(1)
			all = c.Type != html.ElementNode || len(backs[c]) > 0
		}
		lists[list] = all
	}
	return all
}

// refer puts a reference in the place of a link, and of the sup around it.
func (w *work) refer(link *html.Node, label string) {
	ref := &html.Node{Type: html.ElementNode, Data: noteRef, Attr: []html.Attribute{{Key: noteLabel, Val: label}}}
	ref.AppendChild(tree.Text("[^" + label + "]"))
	at := link
	if sup := link.Parent; tree.Is(sup, atom.Sup) && onlyChild(sup) == link {
		at = sup
	}
	if at.Parent != nil {
		tree.Replace(at, ref)
	}
}

// define makes an element the note of a label.
func (w *work) define(note *html.Node, label string, backs []*html.Node) {
	for _, back := range backs {
		if back.Parent != nil && back != note {
			tree.Remove(back)
		}
	}
	if tree.Is(note.Parent, atom.Ol, atom.Ul) {
		tree.Rename(note.Parent, atom.Div)
		note.Parent.Attr = nil
	}
	tree.Rename(note, atom.Blockquote)
	note.Attr = []html.Attribute{{Key: noteLabel, Val: label}}
}
