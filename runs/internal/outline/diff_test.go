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
	other, part, cut, few, most := shelf(20), shelf(20), shelf(20), shelf(20), shelf(20)
	other.Page.URL = "https://shop.example/b"
	part.Part = "element e1"
	cut.Total = 30
	few.Lines = few.Lines[:8]
	few.Total = 8
	for i := range most.Lines {
		most.Lines[i].Name += "!"
	}
	for name, v := range map[string]View{"other": other, "part": part, "cut": cut, "few": few, "most": most} {
		if text, ok := v.Since(shelf(20), "abc"); ok {
			t.Errorf("%s: %s", name, text)
		}
	}
	if _, ok := shelf(20).Since(cut, "abc"); ok {
		t.Error("the older view is not whole")
	}
}
