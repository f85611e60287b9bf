package browser

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

var shown = Snapshot{Elements: []Element{
	{Role: "heading", Name: "Sign in"},
	{Role: "textbox", Name: "Email", Ref: "e1"},
	{Role: "button", Name: "Sign in", Ref: "e2"},
	{Role: "button", Name: "SIGN IN", Ref: "e3"},
	{Role: "link", Name: "Details", Ref: "e4"},
	{Role: "link", Name: "details", Ref: "e5"},
	{Role: "link", Name: "Details", Ref: "f1e6"},
}}

func TestLookup(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		role, name string
		ref        Ref
		kind       errtypes.Kind
		err        string
	}{
		{"button", "Sign in", "e2", 0, ""},
		{"button", "SIGN IN", "e3", 0, ""},
		{"button", "sign IN", "", errtypes.Conflict, `2 times button "sign IN": button "Sign in" [e2], button "SIGN IN" [e3]`},
		{"textbox", "EMAIL", "e1", 0, ""},
		{"textbox", "", "e1", 0, ""},
		{"", "Email", "e1", 0, ""},
		{"", "", "", errtypes.Conflict, "6 times element"},
		{"link", "Details", "", errtypes.Conflict, `link "Details" [e4], link "Details" [f1e6]`},
		{"heading", "Sign in", "", errtypes.NotFound, `no heading "Sign in" on the page; there are textbox "Email" [e1], button`},
		{"button", "Log in", "", errtypes.NotFound, `no button "Log in" on the page; there are button "Sign in" [e2], button "SIGN IN" [e3]`},
	} {
		e, err := shown.Lookup(c.role, c.name)
		if e.Ref != c.ref || (err != nil) != (c.err != "") || err != nil && !errtypes.Is(err, c.kind) {
			t.Errorf("%s %q: %+v, %v", c.role, c.name, e, err)
		}
		if err == nil {
			continue
		}
		if !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s %q: %v", c.role, c.name, err)
		}
		ref := shown.Find(c.role, c.name)
		if stale := (&StaleError{Ref: ref}); !strings.Contains(stale.Error(), c.err) || strings.Contains(stale.Error(), "no longer") {
			t.Errorf("%s %q: the verb says %v", c.role, c.name, stale)
		}
	}
	if ref := shown.Find("button", "Sign in"); ref != "e2" {
		t.Error(ref)
	}
	if _, err := (Snapshot{}).Lookup("button", "x"); !strings.Contains(err.Error(), "nothing that can be acted on") {
		t.Error(err)
	}
}

func TestLookupNamesAtMostSoMany(t *testing.T) {
	t.Parallel()
	var many Snapshot
	for range 1000 {
		many.Elements = append(many.Elements, Element{Role: "link", Name: strings.Repeat("x", 10_000), Ref: "e1"})
	}
	if _, err := many.Lookup("link", "y"); len(err.Error()) > 4000 || !strings.Contains(err.Error(), "and 980 more") {
		t.Errorf("%d bytes: %.100s", len(err.Error()), err)
	}
	if all := shown.FindAll("heading"); len(all) != 1 || len(shown.FindAll("")) != len(shown.Elements) {
		t.Errorf("%+v", all)
	}
}
