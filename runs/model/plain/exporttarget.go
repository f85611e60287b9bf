package plain

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/runs/internal/outline"
)

// marks are quotation marks that a text can stand between, the usual ones first.
var marks = [][2]string{{`"`, `"`}, {"`", "`"}, {"«", "»"}, {"‘", "’"}}

// quoted is a text in the first marks that it does not have in it. Whoever writes
// it reads it back, and finds out where there are none.
func quoted(text string) string {
	for _, m := range marks {
		if !strings.Contains(text, m[1]) {
			return m[0] + text + m[1]
		}
	}
	return `"` + text + `"`
}

// targets are words for an element, the most lasting first. What they mean on the
// page, if anything, is for find to say.
func targets(v outline.View, at int) (all []string) {
	l := v.Lines[at]
	words := map[string][]string{"kind": {l.Role}, "region": spelled()["regions"]}
	if isField(l) {
		words["kind"] = []string{"field"}
	} else if roleWords()[l.Role] != l.Role {
		words["kind"] = nil
	}
	beside := "item"
	for _, i := range v.Around(at) {
		if v.Lines[i].Role == "row" {
			beside = "row"
		}
	}
	for _, text := range nearTexts(v, at) {
		words[beside] = append(words[beside], quoted(text))
	}
	heading := at
	for heading > 0 && v.Lines[heading].Role != "heading" {
		heading--
	}
	if h := v.Lines[heading]; h.Role == "heading" && isNearText(h.Name) {
		words["heading"] = []string{quoted(h.Name)}
	}
	for i, word := range append(slices.Clone(lists()["ordinals"]), "last") {
		if i%2 == 0 {
			words["nth"] = append(words["nth"], word)
		}
	}
	for _, name := range []string{l.Name, l.Placeholder, labelBefore(v, at)} {
		if name != "" {
			words["name"] = []string{quoted(name)}
			all = append(all, sayingsOf("named", words)...)
		}
	}
	if !isField(l) {
		all = append(all, sayingsOf("unnamed", words)...)
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
		here := v.Lines[item:v.End(item)]
		if len(here) > maxNearSize {
			break
		}
		here = slices.DeleteFunc(slices.Clone(here), func(l outline.Line) bool { return !isNearText(l.Name) || l.Name == v.Lines[at].Name || isField(l) })
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

// lasting are roles of elements by how likely their texts change; of others it is 2.
var lasting = lexicon.ByWord(files, "lasting")

// changes says how likely the text of an element is to be another one next time.
func changes(l outline.Line) string {
	if strings.ContainsFunc(l.Name, unicode.IsDigit) {
		return "with figures " + cmp.Or(lasting()[l.Role], "2")
	}
	return cmp.Or(lasting()[l.Role], "2")
}
