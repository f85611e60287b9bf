package outline

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/browser"
)

// shelf is a page of n products.
func shelf(n int) View {
	v := View{Page: browser.Page{URL: "https://shop.example/", Title: "Shop"}}
	v.Lines = append(v.Lines, element(browser.Element{Role: "heading", Name: "Products", Level: 1}))
	for i := range n {
		v.Lines = append(v.Lines, element(browser.Element{Role: "button", Name: fmt.Sprintf("Buy %d", i), Ref: browser.Ref(fmt.Sprintf("e%d", i+1))}))
	}
	v.Total = len(v.Lines)
	return v
}

func TestWhatChangedIsTold(t *testing.T) {
	old, now := shelf(60), shelf(60)
	now.Lines[3].Disabled = true                          // e3
	now.Lines = append(now.Lines[:8:8], now.Lines[9:]...) // without e8
	now.Lines = append(now.Lines, Line{Element: browser.Element{Role: "alert", Name: "Added \" it"}}, Line{Element: browser.Element{Role: "button", Name: "Undo", Ref: "e99"}, New: true})
	now.Total = len(now.Lines)
	text, ok := now.Since(old, "abc")
	want := `[page abc]
URL: "https://shop.example/"
Title: "Shop"
Changes since the page was last shown (+ new, ~ changed, - gone); all else is as it was:
after button "Buy 1" [e2]:
~ button "Buy 2" [e3] disabled
after button "Buy 6" [e7]:
- button "Buy 7" [e8]
after button "Buy 59" [e60]:
+ alert "Added \" it"
+ button "Undo" [e99]
[end of page abc]`
	if diff := cmp.Diff(want, text); !ok || diff != "" {
		t.Errorf("%t %s", ok, diff)
	}
}

func TestWhatIsNoSmallChangeIsShownWhole(t *testing.T) {
	other, part, later, few, most := shelf(20), shelf(20), shelf(20), shelf(20), shelf(20)
	other.Page.URL = "https://shop.example/b"
	part.Part = "element e1"
	later.First = 10
	few.Lines = few.Lines[:8]
	few.Total = 8
	for i := range most.Lines {
		most.Lines[i].Name += "!"
	}
	for name, v := range map[string]View{"other": other, "part": part, "later": later, "few": few, "most": most} {
		if text, ok := v.Since(shelf(20), "abc"); ok {
			t.Errorf("%s: %s", name, text)
		}
	}
	if _, ok := shelf(20).Since(later, "abc"); ok {
		t.Error("the older view is another part")
	}
}

// shown is what a model is shown of a view within a limit.
func shown(t *testing.T, v View, limit int) View {
	t.Helper()
	text, _ := v.Text("abc", limit)
	got, ok := Parse(text)
	if !ok || got.Whole() {
		t.Fatalf("%t %s", ok, text)
	}
	return got
}

func TestOfAViewThatIsCutTheDifferenceIsTold(t *testing.T) {
	old, now := shelf(400), shelf(400)
	for _, v := range []View{old, now} {
		for i := 100; i < len(v.Lines); i++ {
			v.Lines[i].States = browser.Below
		}
	}
	now.Lines[3].Name = "Buy now"
	now.Lines = append(now.Lines[:8:8], now.Lines[9:]...)
	now.Lines = append([]Line{element(browser.Element{Role: "alert", Name: "This takes room, so that what was shown last is left out now"})}, now.Lines...)
	now.Total = len(now.Lines)
	text, ok := shown(t, now, 4000).Since(shown(t, old, 4000), "abc")
	left := now.Total - len(shown(t, now, 4000).Lines)
	want := fmt.Sprintf(`[page abc]
URL: "https://shop.example/"
Title: "Shop"
Changes since the page was last shown (+ new here, ~ changed, - no longer here); what else was shown is as it was:
at the beginning:
+ alert "This takes room, so that what was shown last is left out now"
after button "Buy 1" [e2]:
~ button "Buy now" [e3]
after button "Buy 6" [e7]:
- button "Buy 7" [e8]
%d of 401 lines are left out: snapshot with offset or ref, or find.
[end of page abc]`, left)
	if diff := cmp.Diff(want, text); !ok || diff != "" {
		t.Errorf("%t %s", ok, diff)
	}
}
