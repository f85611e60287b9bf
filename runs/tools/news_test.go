package tools

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser"
)

func TestWhatIsNewIsMarked(t *testing.T) {
	t.Parallel()
	b := newBroken()
	s := setOn(b)
	button := func(name string, ref browser.Ref) browser.Element {
		return browser.Element{Role: "button", Name: name, Ref: ref}
	}
	text := func(name string) browser.Element { return browser.Element{Role: "text", Name: name} }
	for _, step := range []struct {
		name  string
		tab   int
		shown []browser.Element
		stars string // the names that are marked
	}{
		{"the first look", 0, []browser.Element{button("Pay", "e1"), text("Total 5")}, ""},
		{"a toast and another total", 0, []browser.Element{button("Pay", "e1"), text("Total 6"), {Role: "alert", Name: "Added"}}, "Total 6, Added"},
		{"behind a dialog", 0, []browser.Element{button("Pay", ""), text("Total 6"), button("Yes", "e2")}, "Yes"},
		{"the dialog has gone", 0, []browser.Element{button("Pay", "e1"), text("Total 6")}, ""},
		{"another tab", 1, []browser.Element{button("Sign in", "e3"), text("Welcome")}, ""},
		{"back again", 0, []browser.Element{button("Pay", "e1"), text("Total 6")}, ""},
		{"and on", 0, []browser.Element{button("Pay", "e1"), button("Later", "e4"), text("Total 6")}, "Later"},
	} {
		b.snap.Page.Tabs = []browser.Tab{{Name: "t1", Current: step.tab == 0}, {Name: "t2", Current: step.tab == 1}}
		b.snap.Elements = step.shown
		v, err := s.See(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var stars []string
		for _, l := range v.Lines {
			if l.New {
				stars = append(stars, l.Name)
			}
		}
		if got := strings.Join(stars, ", "); got != step.stars {
			t.Errorf("%s: %q, want %q", step.name, got, step.stars)
		}
	}
}

func TestAPageIsOnlyAsItWasWhereAllOfItIs(t *testing.T) {
	t.Parallel()
	b := longTable(2000)
	s := setOn(b, func(o *Options) { o.MaxOutput = 4000 })
	look := func() string { return call(t, s, "click", `{"ref":"e501"}`).Output.Text() }
	look()
	if got := look(); !strings.HasSuffix(got, "\n"+unchanged) {
		t.Errorf("nothing has changed: %s", got)
	}
	b.snap.Elements[5500].Name = "Changed"
	if got := look(); !strings.Contains(got, unchangedHere+" Lines that were left out have changed") {
		t.Errorf("a line that is not shown has changed: %s", got)
	}
	b.snap.Truncated = true
	look()
	if got := look(); !strings.Contains(got, unchangedHere+" It has more elements") {
		t.Errorf("not all is known of the page: %s", got)
	}
}

func TestFindShowsThePlacesInALongText(t *testing.T) {
	t.Parallel()
	b := newBroken()
	log := strings.Repeat("all is well here. ", 1000) + "ERROR code 4711 for hunter22. " + strings.Repeat("all is well there. ", 1000) + "error code 12"
	b.snap.Elements = []browser.Element{{Role: "text", Name: log}, {Role: "text", Name: "Other"}}
	s := setOn(b)
	got := call(t, s, "find", `{"text":"Error code"}`).Output.Text()
	if !strings.Contains(got, "1 of 2 lines") || !strings.Contains(got, "ERROR code 4711 for %pass%.") || !strings.Contains(got, "error code 12") || len(got) > 1500 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if got = call(t, s, "snapshot", `{"find":"code 4711"}`).Output.Text(); !strings.Contains(got, "ERROR code 4711") || len(got) > 1500 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if got = call(t, s, "snapshot", `{}`).Output.Text(); !strings.Contains(got, "(cut)\"\nTexts that end") && !strings.Contains(got, "find shows the places") {
		t.Error(got)
	}
	if got = call(t, s, "find", `{"regex":"well"}`).Output.Text(); !strings.Contains(got, "of 2000 places)") || len(got) > 3500 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}
