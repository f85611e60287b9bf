package plain

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
)

func viewOf(elements ...browser.Element) outline.View {
	v := outline.View{Total: len(elements)}
	for _, e := range elements {
		v.Lines = append(v.Lines, outline.Line{Element: e})
	}
	return v
}

func e(role, name, ref string) browser.Element {
	return browser.Element{Role: role, Name: name, Ref: browser.Ref(ref)}
}

func inside(e browser.Element) browser.Element {
	e.Depth++
	return e
}

var login = viewOf(
	e("link", "Sign in", "e1"), e("heading", "Sign in", ""),
	e("textbox", "Email *", "e2"), browser.Element{Role: "textbox", Name: "Pass phrase", Ref: "e3", Type: "password"},
	e("text", "Nickname:", ""), e("textbox", "", "e4"),
	browser.Element{Role: "textbox", Name: "", Placeholder: "Search the shop", Ref: "e5"},
	e("checkbox", "I agree", "e6"), e("button", "Sign in", "e7"), e("button", "Sign in with a card", "e8"),
	browser.Element{Role: "button", Name: "Send", Ref: "e9", Disabled: true}, e("button", "Send", "e10"),
	e("row", "", ""), inside(e("cell", "Kettle", "")), inside(e("link", "Details", "e11")),
	e("row", "", ""), inside(e("cell", "Cup", "")), inside(e("link", "Details", "e12")),
	e("row", "", ""), inside(e("cell", "Tea pot", "")), inside(e("link", "Details", "e13")),
	e("combobox", "Colour", "e14"), e("generic", "Basket 3", "e15"),
)

func TestFind(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{
		`click "Sign in"`:                  "e7", // of a link and a button, the button
		`click the link "Sign in"`:         "e1",
		`click "sign in with a card"`:      "e8",
		`click "Send"`:                     "e10", // not the one that is disabled
		`click the first "Details"`:        "e11",
		`click the second "Details"`:       "e12",
		`click the last "Details"`:         "e13",
		`click the fourth "Details"`:       "",
		`click "Details" in the row "Cup"`: "e12",
		`click "Details" for "Tea pot"`:    "e13",
		`click "Details" for "Saucer"`:     "",
		`click Basket`:                     "e15",
		`click "Basket"`:                   "e15",
		`click "Bask"`:                     "",
		`click "Register"`:                 "",
		`type "x" into "Email"`:            "e2",
		`type "x" into the email field`:    "e2",
		`enter password "x"`:               "e3",
		`type "x" into "Nickname"`:         "e4",
		`type "x" into "Search the shop"`:  "e5",
		`search for "x"`:                   "e5",
		`type "x" into "Sign in"`:          "",
		`select "Red" from "Colour"`:       "e14",
		`check "I agree"`:                  "e6",
		`check "Sign in"`:                  "",
	} {
		steps, err := parse(sentence)
		if err != nil {
			t.Fatal(err)
		}
		f := find(login, steps[0], -1)
		if string(f.line.Ref) != want || f.ok != (want != "") || f.ok && login.Lines[f.at].Ref != f.line.Ref {
			t.Errorf("%s: %q at %d (%s), want %q", sentence, f.line.Ref, f.at, f.why, want)
		}
	}
}

// A part of a name means an element only where nothing else can be meant.
func TestPartsOfNames(t *testing.T) {
	t.Parallel()
	v := viewOf(e("button", "Delete all", "e1"), e("link", "Order history", "e2"), e("link", "Harbour desk lamp €89.50 In stock", "e3"), e("button", "Basket (3)", "e4"),
		e("checkbox", "I agree to the terms", "e5"), e("textbox", "Street and number", "e6"), e("textbox", "Street of delivery", "e7"), e("textbox", "City or town", "e8"),
		e("link", "Tea pot blue", "e9"), e("link", "Tea pot red", "e10"), e("button", "Sign in with a card", "e11"))
	for sentence, want := range map[string]string{
		`click "Delete"`: "", `click "Order"`: "", `click "Harbour desk lamp"`: "e3", `click "Basket"`: "e4", `check "I agree"`: "e5", `type "x" into "Street"`: "",
		`type "x" into "City"`: "e8", `click "Tea pot"`: "", `click "Sign in"`: "", `click Sign in`: "", `click Basket`: "e4", `click the first "Tea pot"`: "e9",
		`click delete everything`: "", `click "Tea pot red"`: "e10",
	} {
		steps, err := parse(sentence)
		if err != nil {
			t.Fatal(err)
		}
		if f := find(v, steps[0], -1); string(f.line.Ref) != want {
			t.Errorf("%s: %q (%s), want %q", sentence, f.line.Ref, f.why, want)
		}
	}
}

func TestTheButtonOfTheFormIsMeantAfterTyping(t *testing.T) {
	t.Parallel()
	v := viewOf(e("button", "Go", "e1"), e("textbox", "Search", "e2"), e("button", "Go", "e3"), e("textbox", "Name", "e4"), e("button", "Go", "e5"))
	steps, err := parse(`click "Go"`)
	if err != nil {
		t.Fatal(err)
	}
	for after, want := range map[int]browser.Ref{-1: "", 1: "e3", 3: "e5"} {
		if f := find(v, steps[0], after); f.line.Ref != want {
			t.Errorf("after line %d: %s, want %s", after, f.line.Ref, want)
		}
	}
}

func TestWhatThereIsInstead(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{
		`click "Sign inn"`:             `there is no element "Sign inn" on the page; there are link "Sign in", button "Sign in", button "Sign in with a card"`,
		`click the button "Details"`:   `there is no button "Details" on the page; there are link "Details"`,
		`type "x" into "Emial"`:        `there is no field "Emial" on the page; there are textbox "Email *"`,
		`click "Details" for "Saucer"`: `there is no element "Details" beside "Saucer" on the page`,
		`check "I disagree"`:           `there is no check box "I disagree" on the page; there are checkbox "I agree"`,
	} {
		steps, err := parse(sentence)
		if err != nil {
			t.Fatal(err)
		}
		if got := notFound(login, steps[0]); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", sentence, got)
		}
	}
	if got := notFound(viewOf(), step{verb: clickVerb, target: target{name: "X"}}); got != `there is no element "X" on the page` {
		t.Error(got)
	}
}
