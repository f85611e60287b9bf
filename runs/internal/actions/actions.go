// Package actions finds what can be done on a page: the calls of tools that its
// elements take, each with words for it. No model is asked.
package actions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
)

// Action is one call that the page takes.
type Action struct {
	// Ref is the element.
	Ref browser.Ref
	// Tool is "click" or "type".
	Tool string
	// Text is what to type: the option of a list that is chosen; empty for a field,
	// whose text is the caller's.
	Text string
	// Description is what it does, made of the element's role and name.
	Description string

	line outline.Line
	// place is a name of what the element stands in: its row, card or section.
	place string
}

// Takes reports whether a text can be typed into the element: any but of a list,
// which takes its options.
func (a Action) Takes(text string) bool {
	options := a.line.Options
	return a.Tool == typeTool && (!isList(a.line) || len(options) >= maxOptions || slices.Contains(options, text))
}

const (
	clickTool = "click"
	typeTool  = "type"
	// maxOptions is how many options of a list a browser lists at most; there may be
	// more.
	maxOptions = 50
	// fewOptions is how many options of a list stand among the other actions.
	fewOptions = 10
	// maxName is how long a name in a description gets, in characters.
	maxName = 100
)

// Of returns what can be done on the page, in the order of the page. Each option
// of a list is an action of its own; those of long lists come last.
func Of(v outline.View) (all []Action) {
	var options []Action
	for i, l := range v.Lines {
		if l.Ref == "" || l.Disabled || l.Type == "file" {
			continue
		}
		a := Action{Ref: l.Ref, Tool: clickTool, line: l, place: placeOf(v, i)}
		switch {
		case isList(l):
			to := &all
			if len(l.Options) > fewOptions {
				to = &options
			}
			for _, option := range l.Options {
				a.Tool, a.Text = typeTool, option
				*to = append(*to, a)
			}
			continue
		case isField(l):
			a.Tool = typeTool
		}
		all = append(all, a)
	}
	all = append(all, options...)
	describe(all)
	return all
}

// isList reports whether the element takes nothing but its options: those of an
// input field are only proposed.
func isList(l outline.Line) bool { return len(l.Options) > 0 && l.Type == "" }

// isField reports whether the element takes text. What only looks like a field,
// and opens a list of its own making, is clicked.
func isField(l outline.Line) bool {
	switch l.Role {
	case "textbox", "searchbox", "spinbutton", "slider":
		return true
	case "combobox":
		return l.Type != ""
	}
	return false
}

// describe puts the actions into words. Those that would be described alike say
// where they are.
func describe(all []Action) {
	count := map[string]int{}
	for i := range all {
		all[i].Description = all[i].words()
		count[all[i].Description]++
	}
	for i := range all {
		if a := &all[i]; count[a.Description] > 1 && a.place != "" {
			a.Description += fmt.Sprintf(" in %q", shorten(a.place))
		}
	}
}

func (a Action) words() string {
	l := a.line
	name := strings.TrimSpace(word(l.Role) + " " + quoted(nameOf(l)))
	switch {
	case isList(l):
		return fmt.Sprintf("select %q from %s", shorten(a.Text), name)
	case a.Tool == typeTool:
		return "type into " + name
	case slices.Contains([]string{"checkbox", "switch", "menuitemcheckbox"}, l.Role) && l.Checked:
		return "uncheck " + name
	case slices.Contains([]string{"checkbox", "switch", "menuitemcheckbox"}, l.Role):
		return "check " + name
	}
	return "click " + name
}

// word is the role; of a closed set, as the outline makes sure.
func word(role string) string {
	if role == "" || strings.ContainsAny(role, " \t\n\"") {
		return "element"
	}
	return role
}

func nameOf(l outline.Line) string {
	if l.Name == "" {
		return l.Placeholder
	}
	return l.Name
}

func quoted(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%q", shorten(name))
}

func shorten(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= maxName {
		return string(r)
	}
	return string(r[:maxName-1]) + "…"
}

// holders are roles of what holds one of several things that look alike.
var holders = []string{"row", "listitem", "article", "treeitem", "group", "region", "dialog", "alertdialog", "form", "navigation", "contentinfo", "banner", "complementary"}

// placeOf is a name of the innermost thing around an element: its own, or else the
// first text in it that is not the element's.
func placeOf(v outline.View, at int) string {
	for _, i := range v.Around(at) {
		l := v.Lines[i]
		if !slices.Contains(holders, l.Role) {
			continue
		}
		if l.Name != "" {
			return l.Name
		}
		if name := firstName(v, i, at); name != "" {
			return name
		}
	}
	return ""
}

// firstName is the first name inside of a line that may be that of the whole: of
// no button or field, and not that of one element.
func firstName(v outline.View, from, but int) string {
	for i := from + 1; i < len(v.Lines) && v.Lines[i].Depth > v.Lines[from].Depth; i++ {
		if l := v.Lines[i]; i != but && l.Name != "" && l.Name != v.Lines[but].Name && l.Role != "button" && !isField(l) && !isList(l) {
			return l.Name
		}
	}
	return ""
}

// With returns the action with another text.
func (a Action) With(text string) Action {
	if a.Text = text; isList(a.line) {
		a.Description = a.words()
	}
	return a
}

// IsCalled reports whether a field is called like a variable: "Password" like
// password, "E-mail address" like email.
func (a Action) IsCalled(variable string) bool {
	name := wordsOf(nameOf(a.line))
	if a.line.Type == "password" || a.line.Type == "email" {
		name = append(name, a.line.Type)
	}
	want := wordsOf(strings.NewReplacer("_", " ", "-", " ").Replace(variable))
	missing := func(w string) bool { return !slices.Contains(name, w) }
	joined := strings.Join(want, "")
	return len(want) > 0 && (!slices.ContainsFunc(want, missing) || slices.Contains(name, joined))
}
