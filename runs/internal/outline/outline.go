// Package outline writes what a browser shows as lines that a model reads, and
// reads such lines back.
//
// A view looks like this; the number is drawn for each run, so that no page
// can write the end of it:
//
//	[page 4f2a91c07be1]
//	URL: "https://shop.example/"
//	Title: "Shop"
//	- heading "Products" level=1
//	- link "Kettle" [e5] url="https://shop.example/kettle"
//	- *textbox "Amount" [e6] value="1"
//	[end of page 4f2a91c07be1]
//
// Everything that comes from the page stands in quotes, except references and
// the words for roles, types and states. A star marks what is new.
package outline

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/browser"
)

// View is what a model is shown of a page.
type View struct {
	Page browser.Page
	// Scroll is how far the page can be scrolled; nil where it cannot.
	Scroll *browser.Scroll
	// Part says of what the view is, where it is not of the page: of an element, or
	// of lines that were looked for.
	Part  string
	Lines []Line
	// First is the index of the first line among those there are.
	First int
	// Total is how many lines there are; more than are in Lines when the view
	// is cut.
	Total int
	// Gaps are where lines between others are left out, in order.
	Gaps []Gap
	// Cut reports that the page itself has more elements than the browser
	// listed, and Unlisted how many, about.
	Cut      bool
	Unlisted int
	// Full has long addresses and lists of options written to their end. It is not
	// read back.
	Full bool
}

// Around returns the indices of the lines that a line stands in, the innermost
// first.
func (v View) Around(at int) (all []int) {
	depth := v.Lines[at].Depth
	for i := at - 1; i >= 0 && depth > 0; i-- {
		if v.Lines[i].Depth < depth {
			depth = v.Lines[i].Depth
			all = append(all, i)
		}
	}
	return all
}

// End returns the index behind the last line inside of a line.
func (v View) End(at int) int {
	i := at + 1
	for i < len(v.Lines) && v.Lines[i].Depth > v.Lines[at].Depth {
		i++
	}
	return i
}

// Gap is where lines are left out: how many, before which of those there are.
type Gap struct{ At, Lines int }

// Whole reports whether the view has everything there is on the page.
func (v View) Whole() bool { return v.First == 0 && len(v.Lines) == v.Total && !v.Cut }

// Next is the index, among the lines there are, of the first one behind First
// that the view does not have.
func (v View) Next() int {
	if len(v.Gaps) > 0 {
		return v.First + v.Gaps[0].At
	}
	return v.First + len(v.Lines)
}

// Line is one element of a view.
type Line struct {
	browser.Element
	// New says that it was not there when the page was last looked at.
	New bool
}

// Text returns the view as text of at most limit bytes, not counting the head
// and the end, and how many lines it holds. At least one line is
// written, with those that it stands in. Where
// there are more than fit, what can be seen without scrolling comes first, and
// then what is nearest to it.
func (v View) Text(fence string, limit int) (text string, lines int) {
	var b strings.Builder
	fmt.Fprintf(&b, "[page %s]\n", fence)
	v.head(&b)
	pieces := v.pieces(limit)
	lines = v.write(&b, pieces)
	v.foot(&b, pieces, lines)
	fmt.Fprintf(&b, "[end of page %s]", fence)
	return b.String(), lines
}

// Sum is the same for views whose lines are, marks of what is new and of the focus
// not counted.
func (v View) Sum() uint64 {
	h := fnv.New64a()
	for _, text := range v.plainTexts() {
		io.WriteString(h, strings.Replace(text, " focused", "", 1))
		io.WriteString(h, "\n")
	}
	return h.Sum64()
}

// loadingLine says that what there is of a page is not all.
const loadingLine = "Loading: the document has not come to its end; this is what there is of it."

func (v View) head(b *strings.Builder) {
	fmt.Fprintf(b, "URL: %q\nTitle: %q\n", v.Page.URL, v.Page.Title)
	if s := v.Page.Status; s != 0 && (s < 200 || s > 299) {
		fmt.Fprintf(b, "Status: %d\n", s)
	}
	if v.Scroll != nil {
		fmt.Fprintf(b, "Scroll: %q\n", scrollText(*v.Scroll))
	}
	if v.Part != "" {
		fmt.Fprintf(b, "Part: %q\n", v.Part)
	}
	if v.Page.Loading {
		b.WriteString(loadingLine + "\n")
	}
	v.tabs(b)
	if d := v.Page.Dialog; d != nil {
		fmt.Fprintf(b, "Open dialog: %s %q", word(d.Type, "dialog"), d.Message)
		if d.Default != "" {
			fmt.Fprintf(b, " default=%q", d.Default)
		}
		b.WriteByte('\n')
	}
	for _, d := range v.Page.Dialogs {
		answer := "dismissed"
		if d.Accepted {
			answer = "accepted"
		}
		fmt.Fprintf(b, "Dialog: %s %q, %s\n", word(d.Type, "dialog"), d.Message, answer)
	}
	for _, d := range v.Page.Downloads {
		fmt.Fprintf(b, "Download: %q, %s\n", d.Filename, downloadState(d))
	}
}

func (v View) tabs(b *strings.Builder) {
	for _, t := range v.Page.Tabs {
		current := ""
		if t.Current {
			current = ", current"
		}
		fmt.Fprintf(b, "Tab: %s %q %q%s\n", word(t.Name, "none"), t.Title, t.URL, current)
	}
}

// What is said of a download: it is kept, or why it is not.
const (
	downloadKept    = "began; it is kept when it is complete"
	downloadRefused = "refused: "
)

func downloadState(d browser.Started) string {
	if d.Refused == "" {
		return downloadKept
	}
	return fmt.Sprintf("%s%q", downloadRefused, d.Refused)
}

// foot says what is not shown, and so that the rest is not all there is.
func (v View) foot(b *strings.Builder, pieces []piece, lines int) {
	last := v.First + lines
	left := 0
	for _, p := range pieces {
		left += p.gap
	}
	switch {
	case left > 0:
		fmt.Fprintf(b, "Lines %d to %d of %d; %d of them are left out: snapshot with offset or ref, or find.\n", v.First, last+left, v.Total, left)
	case v.First > 0 || last < v.Total:
		fmt.Fprintf(b, "Lines %d to %d of %d; the others: snapshot with offset or ref, or find.\n", v.First, last, v.Total)
	}
	if slices.ContainsFunc(pieces, func(p piece) bool { return strings.Contains(p.text, CutNote+`"`) }) {
		b.WriteString(longTexts + "\n")
	}
	v.cutFoot(b)
}

// cutFoot says what the browser did not list.
func (v View) cutFoot(b *strings.Builder) {
	switch {
	case v.Cut && v.Unlisted > 0:
		fmt.Fprintf(b, cutBegin+" at once: some %d out of view are not listed. %s\n", v.Unlisted, cutWays)
	case v.Cut:
		fmt.Fprintf(b, cutBegin+". %s\n", cutWays)
	}
}

// CutNote ends a text that is longer than what is shown of it.
const CutNote = " … (cut)"

// longTexts says how to see the rest.
const longTexts = `Texts that end with "… (cut)" go on: find shows the places that you look for, read all of it.`

// What is said of a page that the browser did not list whole.
const (
	cutBegin = "The page has more elements than can be listed"
	cutWays  = "What is in view always is: scroll there (to a text, or a part), find a text, or snapshot with the ref of a part."
)

// word returns s if it is a word that needs no quotes, or else what to write
// instead.
func word(s, instead string) string {
	for _, c := range []byte(s) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return instead
		}
	}
	if s == "" {
		return instead
	}
	return s
}
