package actions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
)

func view(all ...browser.Element) (v outline.View) {
	for _, e := range all {
		v.Lines = append(v.Lines, outline.Line{Element: e})
	}
	v.Total = len(v.Lines)
	return v
}

func countries() (all []string) {
	for i := range 12 {
		all = append(all, fmt.Sprint("Country ", i))
	}
	return all
}

var shop = view(
	browser.Element{Role: "heading", Name: "Shop", Level: 1},
	browser.Element{Role: "link", Name: "Log in", Ref: "e1"},
	browser.Element{Role: "textbox", Placeholder: "Search the shop", Ref: "e2"},
	browser.Element{Role: "textbox", Name: "E-mail address", Type: "email", Ref: "e3"},
	browser.Element{Role: "combobox", Name: "Country", Options: countries(), Ref: "e4"},
	browser.Element{Role: "combobox", Name: "Colour", Options: []string{"Red", "Blue"}, Ref: "e5"},
	browser.Element{Role: "checkbox", Name: "News", Checked: true, Ref: "e6"},
	browser.Element{Role: "list"},
	browser.Element{Role: "listitem", Depth: 1},
	browser.Element{Role: "link", Name: "Ledger chair", Ref: "e7", Depth: 2},
	browser.Element{Role: "button", Name: "Add to basket", Ref: "e8", Depth: 2},
	browser.Element{Role: "listitem", Depth: 1},
	browser.Element{Role: "link", Name: "Post rack", Ref: "e9", Depth: 2},
	browser.Element{Role: "button", Name: "Add to basket", Ref: "e10", Depth: 2},
	browser.Element{Role: "button", Name: "Pay", Ref: "e11", Disabled: true},
	browser.Element{Role: "button", Name: "Choose a file", Type: "file", Ref: "e12"},
	browser.Element{Role: "button", Name: strings.Repeat("long ", 100), Ref: "e13"},
)

func described(all []Action) (lines []string) {
	for _, a := range all {
		lines = append(lines, string(a.Ref)+" "+a.Description)
	}
	return lines
}

func TestWhatAPageTakes(t *testing.T) {
	got := described(Of(shop))
	want := []string{
		`e1 click link "Log in"`, `e2 type into textbox "Search the shop"`, `e3 type into textbox "E-mail address"`,
		`e5 select "Red" from combobox "Colour"`, `e5 select "Blue" from combobox "Colour"`, `e6 uncheck checkbox "News"`,
		`e7 click link "Ledger chair"`, `e8 click button "Add to basket" in "Ledger chair"`,
		`e9 click link "Post rack"`, `e10 click button "Add to basket" in "Post rack"`,
		`e13 click button "` + strings.TrimSpace(strings.Repeat("long ", 20))[:99] + `…"`,
	}
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
		t.Error(diff)
	}
	if rest := got[len(want):]; len(rest) != 12 || rest[0] != `e4 select "Country 0" from combobox "Country"` {
		t.Errorf("%q", rest)
	}
}

func TestActionsAreRankedByTheWordsOfTheInstruction(t *testing.T) {
	all := Of(shop)
	for instruction, want := range map[string][]string{
		"put the ledger chair into the basket": {"e7", "e8", "e10"},
		"add the post rack to my basket":       {"e10", "e8", "e9"},
		"find the login button":                {"e1"},
		"the blue colour":                      {"e5", "e5"},
		"search":                               {"e2"},
		"type the email":                       {"e3"},
		"which checkboxes can be checked?":     nil,
		"toggle a checkbox":                    {"e6"},
		"country 11":                           {"e4", "e4", "e4", "e4", "e4", "e4", "e4", "e4", "e4", "e4", "e4", "e4"},
		"unsubscribe":                          nil,
	} {
		var got []string
		for _, a := range Rank(all, instruction) {
			got = append(got, string(a.Ref))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", instruction, diff)
		}
	}
	if got := Rank(all, "country 11")[0].Text; got != "Country 11" {
		t.Errorf("the best of the countries is %q", got)
	}
	if got := Rank(all, "what can I do?"); len(got) != len(all) {
		t.Errorf("%d of %d are left where nothing is asked for", len(got), len(all))
	}
}

func TestFieldsAreCalledLikeVariables(t *testing.T) {
	for i, test := range []struct {
		field    browser.Element
		variable string
		is       bool
	}{
		{browser.Element{Name: "Password"}, "password", true},
		{browser.Element{Name: "Kennwort", Type: "password"}, "password", true},
		{browser.Element{Name: "E-mail address"}, "email", true},
		{browser.Element{Name: "User name"}, "user_name", true},
		{browser.Element{Name: "Username"}, "user-name", true},
		{browser.Element{Name: "Phone"}, "password", false},
		{browser.Element{Name: "Phone"}, "-", false},
	} {
		if a := (Action{line: outline.Line{Element: test.field}}); a.IsCalled(test.variable) != test.is {
			t.Errorf("%d: %q as %q", i, test.field.Name, test.variable)
		}
	}
}
