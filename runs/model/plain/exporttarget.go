package plain

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/runs/internal/outline"
)

// marks are quotation marks that a text can stand between.
var marks = [][2]string{{`"`, `"`}, {"`", "`"}, {"«", "»"}, {"‘", "’"}}

// quotes are the ways to write a text in quotes, the usual one first.
func quotes(text string) (all []string) {
	for _, m := range marks {
		if !strings.Contains(text, m[1]) {
			all = append(all, m[0]+text+m[1])
		}
	}
	return all
}

// quoted is a text in the first marks that it does not have in it. Whoever writes
// it reads it back, and finds out where there are none.
func quoted(text string) string {
	if all := quotes(text); len(all) > 0 {
		return all[0]
	}
	return `"` + text + `"`
}

// kindWords are what elements of a role are called in a step.
var kindWords = map[string]string{
	"button": "button", "link": "link", "tab": "tab", "checkbox": "checkbox", "radio": "radio", "option": "option", "switch": "switch",
	"textbox": "field", "searchbox": "field", "combobox": "field", "spinbutton": "field", "slider": "field", "listbox": "field",
}

// regionWords are what parts of a page are called, those that say most first.
var regionWords = []string{"dialog", "footer", "header", "navigation", "sidebar", "toolbar", "table"}

var ordinalWords = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "last"}

// targets are words for an element, the most lasting first. What they mean on the
// page, if anything, is for find to say.
func targets(v outline.View, at int) (all []string) {
	l := v.Lines[at]
	kind := kindWords[l.Role]
	for _, name := range []string{l.Name, l.Placeholder, labelBefore(v, at)} {
		if name == "" {
			continue
		}
		q := quoted(name)
		all = append(all, q)
		if kind != "" {
			all = append(all, "the "+kind+" "+q)
		}
		beside := q + " next to "
		if slices.ContainsFunc(ancestors(v, at), func(i int) bool { return v.Lines[i].Role == "row" }) {
			beside = q + " in the row "
		}
		for _, text := range nearTexts(v, at) {
			all = append(all, beside+quoted(text))
		}
		for _, region := range regionWords {
			all = append(all, q+" in the "+region)
		}
		if i := headingBefore(v, at); i >= 0 && isNearText(v.Lines[i].Name) {
			all = append(all, q+" next to "+quoted(v.Lines[i].Name))
		}
		for _, nth := range ordinalWords {
			all = append(all, "the "+nth+" "+q)
		}
	}
	if kind != "" && kind != "field" {
		for _, nth := range ordinalWords {
			all = append(all, "the "+nth+" "+kind)
		}
	}
	return all
}

// Limits of the texts by which an element is told from others.
const (
	maxNear     = 12
	maxNearText = 60 // characters
	maxNearSize = 60 // lines of the item
)

// nearTexts are texts in the rows that an element stands in, those first that are
// least likely to change: headings, links, other texts, and what has no letters
// not at all.
func nearTexts(v outline.View, at int) (all []string) {
	for _, item := range items(v, at) {
		from, to := item, end(v, item)
		if to-from > maxNearSize {
			break
		}
		var here []outline.Line
		for i := from; i < to; i++ {
			if l := v.Lines[i]; i != at && isNearText(l.Name) && l.Name != v.Lines[at].Name && !isField(l) {
				here = append(here, l)
			}
		}
		slices.SortStableFunc(here, func(a, b outline.Line) int { return cmp.Compare(changes(a), changes(b)) })
		for _, l := range here {
			if !slices.Contains(all, l.Name) {
				all = append(all, l.Name)
			}
		}
	}
	return all[:min(len(all), maxNear)]
}

func isNearText(text string) bool {
	return utf8.RuneCountInString(text) <= maxNearText && strings.ContainsFunc(text, unicode.IsLetter)
}

// changes says how likely the text of an element is to be another one next time.
func changes(l outline.Line) int {
	n := 2
	switch l.Role {
	case "heading", "rowheader":
		n = 0
	case "link":
		n = 1
	case "button":
		n = 3
	}
	if strings.ContainsFunc(l.Name, unicode.IsDigit) {
		n += 4
	}
	return n
}

func headingBefore(v outline.View, at int) int {
	for i := at - 1; i >= 0; i-- {
		if v.Lines[i].Role == "heading" {
			return i
		}
	}
	return -1
}
